"""Rewrite code in ways that mean nothing, and see that the tool says the same.

    python bench/invariance.py 0.23.0 0.18.0 …     releases of the corpora (all five without arguments)
    python bench/invariance.py --fixtures           every fixture of the tests
    python bench/invariance.py --tree FOLDER

Compared are the findings and the values of every site: not lines, columns, and how something is written. A file in which a
rewriting changes something is looked for by applying it to one file after the other.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.conditions import equivalent, same_cases  # noqa: E402
from bench.harness import Workspace, workspace  # noqa: E402
from bench.meaningless import REWRITINGS, call_nodes, original  # noqa: E402
from bench.several_files import Changes, constants_moved, modules_renamed, original_path  # noqa: E402
from bench.source import Source  # noqa: E402
from bench.splitting import split_at_back, split_at_front  # noqa: E402

SPLITTING = ("methods split at the front", "methods split at the back")
ORDER = ("definitions reversed", "modules renamed")
#: Fixtures about what a rewriting changes: the first of several equal sites is the reference, so that the order of definitions
#: and files decides; calls are followed to just that depth.
ABOUT = {"groups/by_class": ORDER, "reference/first_site_on_a_tie": ORDER, "flow/depth_of_eight": SPLITTING}
PER_FILE = {**REWRITINGS, **dict(zip(SPLITTING, (split_at_front, split_at_back), strict=True))}
PER_TREE = {"constants moved": constants_moved, "modules renamed": modules_renamed}
Audit = dict[str, Any]


@dataclass
class Change:
    """A rewriting after which the tool said something else."""

    tree: str
    rewriting: str
    files: list[str]
    differences: list[str]


# ------------------------------------------------------------------------------------------------ comparing


def differences(before: Audit, after: Audit) -> list[str]:
    """What the tool says differently, apart from places and spellings."""
    found = [f"error: {e['path']}: {e['message']}" for e in after["errors"] if e not in before["errors"]]
    found += _compare("finding", _by_key(before["findings"], _finding_key), _by_key(after["findings"], _finding_key), _finding)
    found += _compare("site", _by_key(before["sites"], _site_key), _by_key(after["sites"], _site_key), _site)
    return found


def _by_key(items: list[dict[str, Any]], key: Any) -> dict[Any, list[dict[str, Any]]]:
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def _finding_key(finding: dict[str, Any]) -> tuple[Any, ...]:
    where = (original_path(finding["path"]), original(finding["symbol"]))
    if finding["code"] == "FIA208":
        where = ("", "")  # stands at the first of several equal sites
    texts = (original(str(finding[part])) for part in ("argument", "value", "reference"))
    return finding["code"], *where, finding["role"], *texts


def _site_key(site: dict[str, Any]) -> tuple[Any, ...]:
    where = (original_path(site["path"]), original(site["symbol"]))
    return *where, site["operator"], site["overload"], site["role"], bool(site["via"])


def _compare(what: str, before: dict[Any, Any], after: dict[Any, Any], difference: Any) -> Iterator[str]:
    for key in sorted(before.keys() | after.keys(), key=str):
        ones, others = before.get(key, []), after.get(key, [])
        name = " ".join(map(str, key))
        if len(ones) != len(others):
            yield f"{what} {name}: {len(ones)} before, {len(others)} after"
        for one, other in zip(ones, others, strict=False):
            yield from (f"{what} {name}: {text}" for text in difference(one, other))


def _finding(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    old, new = before["condition"], original(after["condition"])
    if not equivalent(old, new):
        yield f"condition {old} before, {new} after"


def _site(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    if before["group"] != _group(after["group"]):
        yield f"group {before['group']} before, {after['group']} after"
    if before["window_aware"] != after["window_aware"]:
        yield f"window_aware {before['window_aware']} before, {after['window_aware']} after"
    if bool(before.get("unreached")) != bool(after.get("unreached")):
        yield f"unreached {before.get('unreached')} before, {after.get('unreached')} after"
    pairs = {name: (before["arguments"][name]["cases"], after["arguments"][name]["cases"]) for name in before["arguments"]}
    for name, (old, new) in {**pairs, "mask": (before["mask"], after["mask"])}.items():
        old, new = ([{part: _placeless(case[part]) for part in ("when", "value")} for case in cases] for cases in (old, new))
        if not same_cases(old, new):
            yield f"{name} {_text(old)} before, {_text(new)} after"


def _placeless(text: str) -> str:
    """A text with the names that it had before, and without the line that a loop stands in."""
    return re.sub(r"\b(loop (?:at|in) line) \d+", r"\1", original(text))


def _group(group: str) -> str:
    """A group by its old name, where it is called after a module or a class in one."""
    path, colon, name = group.partition(":")
    return f"{original_path(path)}{colon}{name}" if path.endswith(".py") else group


def _text(cases: list[dict[str, str]]) -> str:
    return "; ".join(f"{case['value']} when {case['when']}" for case in cases)


# ------------------------------------------------------------------------------------------------ rewriting


def rewritten(tree: Workspace, audit: Audit, files: list[str], rewriting: str) -> Changes:
    """The changes that a rewriting makes in some files of a tree."""
    if rewriting in PER_TREE:
        return PER_TREE[rewriting](tree.paths(), tree.source, files)
    changes: Changes = {}
    for path in files:
        source = Source(path, tree.source(path))
        text = PER_FILE[rewriting](source, call_nodes(source, audit["sites"]))
        if text is not None:
            changes[path] = text
    return changes


def check(tree: Workspace, name: str, only: str = "", quick: bool = False) -> Iterator[tuple[str, int, Change | None]]:
    """``(rewriting, number of changed files, what changed in the output)`` for every rewriting that applies to a tree."""
    audit = tree.audit()
    files = sorted({site["path"] for site in audit["sites"] if not site["via"]} | _callers(audit))
    for rewriting in [r for r in (*PER_FILE, *PER_TREE) if only in r and r not in ABOUT.get(name, ())]:
        changes = rewritten(tree, audit, files, rewriting)
        if changes:
            found = differences(audit, tree.audit(changes))
            blamed = files
            if found and len(files) > 1 and not quick:
                blamed = [path for path in files if _changes_alone(tree, audit, path, rewriting)]
            yield rewriting, len(changes), Change(name, rewriting, blamed, found) if found else None


def _callers(audit: Audit) -> set[str]:
    return {site["path"] for site in audit["sites"] if site["via"]}


def _changes_alone(tree: Workspace, audit: Audit, path: str, rewriting: str) -> bool:
    changes = rewritten(tree, audit, [path], rewriting)
    return bool(changes) and bool(differences(audit, tree.audit(changes)))


# ------------------------------------------------------------------------------------------------ trees


def trees(options: argparse.Namespace) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """``(name, path, options of the command line)`` of what is to be rewritten."""
    if options.fixtures:
        from tests.fixture_runner import CONFIGURATION, fixtures

        for fixture in fixtures():
            if not any(b"noqa" in file.read_bytes() for file in fixture.files.values()):
                configured = any(name in fixture.files for name in CONFIGURATION)
                flags = () if configured else ("--isolated",)
                yield fixture.name, fixture.path, (*flags, *fixture.expected.options)
    elif options.tree:
        yield str(options.tree), options.tree, ("--isolated",)
    else:
        from tests.corpora import RELEASES, unpacked

        for release in options.releases or RELEASES:
            yield release, unpacked(release), ("--isolated", "--extend-select", "FIA106,FIA207,FIA208")


def _shown(change: Change) -> list[str]:
    return [f"    {text}" for text in change.differences[:20]]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Rewrite code in ways that mean nothing.")
    parser.add_argument("releases", nargs="*")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--tree", type=Path)
    parser.add_argument("--rewriting", default="", help="only rewritings whose name contains this")
    parser.add_argument("--only", default="", help="only fixtures whose name contains this")
    parser.add_argument("--quick", action="store_true", help="do not look for the files that are to blame")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    runs: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    changes: list[Change] = []
    for name, path, flags in trees(options):
        if options.only in name:
            with workspace(path, flags) as tree:
                for rewriting, files, change in check(tree, name, options.rewriting, options.quick):
                    runs[rewriting] = [a + b for a, b in zip(runs[rewriting], (1, files, bool(change)), strict=True)]
                    changes += [change] if change else []
                    if change:
                        print("\n".join([f"{name}: {rewriting} ({', '.join(change.files)})", *_shown(change)]), flush=True)
    print("| rewriting | trees | files | changed output |\n| --- | --- | --- | --- |")
    for rewriting, (count, files, changed) in runs.items():
        print(f"| {rewriting} | {count} | {files} | {changed} |")
    print(f"{len(changes)} changes, {time.perf_counter() - began:.0f} s")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
