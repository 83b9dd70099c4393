"""Plant the bug, fix it, and see whether every call says again what it said before.

    python -m bench.fix 0.18.0 [--only attention_v1.py] [--rewriting TEXT] [--no-slots] [--every N] [--jobs 2]

A planting is *restored* if the audit after ``--fix`` has the same values, under the same conditions, at every call as
before it was planted; *clean* if no finding is left that was not there before, though some value differs; else the tool
says why it left a finding, and the reasons are counted.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.harness import Workspace, workspace  # noqa: E402
from bench.plant import Base, prepare  # noqa: E402
from bench.rewritings import Planting  # noqa: E402

Calls = dict[tuple[str, int], dict[str, Any]]


@dataclass(frozen=True)
class Outcome:
    """What came of fixing one planting: ``verdict`` is restored, clean, left or error."""

    planting: Planting
    verdict: str
    same_text: bool
    reasons: tuple[str, ...]
    differing: tuple[str, ...]
    seconds: float


def values(audit: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments and the masks of all calls, in order: lines may have moved."""
    return [
        {"path": site["path"], **{name: a["cases"] for name, a in site["arguments"].items()}, "mask": site["mask"]}
        for site in audit["sites"]
    ]


def fixed(tree: Workspace, path: str) -> tuple[dict[str, Any], str, str]:
    """Run ``check --fix`` on the tree. The audit afterwards, the text of a file, and what was said about findings left."""
    from fia_lint.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["check", "--fix", "--format", "concise", *tree.options, str(tree.root)])
    if status not in (0, 1):
        raise RuntimeError(err.getvalue())
    return tree.audit(), tree.source(path), err.getvalue()


def attempt(tree: Workspace, original: dict[str, Any], planting: Planting) -> Outcome:
    """Plant, fix, compare, and put everything back."""
    began = time.perf_counter()
    before = {path: (tree.root / path).read_bytes() for path in tree.paths()}
    text = tree.source(planting.path)
    try:
        (tree.root / planting.path).write_bytes(planting.text.encode("utf-8"))
        audit, now, said = fixed(tree, planting.path)
    except Exception as error:
        return Outcome(planting, "error", False, (f"{type(error).__name__}: {error}",), (), time.perf_counter() - began)
    finally:
        for path, data in before.items():
            if (tree.root / path).read_bytes() != data:
                (tree.root / path).write_bytes(data)
    differing = tuple(_differing(values(original), values(audit)))
    counted = Counter(f["code"] for f in audit["findings"]) - Counter(f["code"] for f in original["findings"])
    verdict = "restored" if not differing else "left" if counted else "clean"
    reasons = tuple(re.findall(r"(FIA\d+ not fixed: .*)", said))
    return Outcome(planting, verdict, now == text, reasons, differing, time.perf_counter() - began)


def _differing(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterable[str]:
    if len(before) != len(after):
        yield f"{len(after)} calls instead of {len(before)}"
        return
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        for name in old:
            if old[name] != new[name]:
                yield f"{old['path']} call {number}: {name} is {_short(new[name])}, was {_short(old[name])}"


def _short(cases: Any) -> str:
    if isinstance(cases, list):
        return "; ".join(f"{case['value']} when {case['when']}" for case in cases)
    return str(cases)


# ------------------------------------------------------------------------------------------------ running

_here: list[tuple[Workspace, dict[str, Any], Base]] = []
_stack = ExitStack()


def _start(tree: Path, original: dict[str, Any], base: Base) -> None:
    _here[:] = [(_stack.enter_context(workspace(tree)), original, base)]


def _number(number: int) -> Outcome:
    tree, original, base = _here[0]
    outcome = attempt(tree, original, base.plantings[number])
    said = f"  {outcome.verdict:8} {outcome.planting.what}: {outcome.planting.rewriting} ({outcome.seconds:.0f} s)"
    print(said, file=sys.stderr, flush=True)
    return outcome


def measure(tree: Path, only: str, rewriting: str, slots: bool, every: int, jobs: int, most: int) -> list[Outcome]:
    """Plant and fix what fits."""
    with workspace(tree) as copy:
        base = prepare(copy, only, slots)
        original = copy.audit()
    base.plantings = [p for p in base.plantings if rewriting in p.rewriting][::every][:most]
    numbers = range(len(base.plantings))
    if jobs == 1:
        _start(tree, original, base)
        return [_number(number) for number in numbers]
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(tree, original, base)) as pool:
        return list(pool.map(_number, numbers))


def table(outcomes: Iterable[Outcome]) -> str:
    """Per rewriting: plantings, and what came of them; then the reasons for what was left."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    reasons: Counter[str] = Counter()
    for outcome in outcomes:
        key = (outcome.planting.rewriting, "query" if outcome.planting.query else "call")
        for row in (rows.setdefault(key, Counter()), rows.setdefault(("~ all", ""), Counter())):
            row.update(["plantings", outcome.verdict, *(["text"] if outcome.same_text else [])])
        if outcome.verdict == "left":
            reasons.update(set(outcome.reasons) or {"no reason given"})
    columns = ("plantings", "restored", "clean", "left", "error", "text")
    lines = [f"| rewriting | at | {' | '.join(columns)} |", "| --- " * (len(columns) + 2) + "|"]
    for (name, place), row in sorted(rows.items()):
        lines.append(f"| {name.removeprefix('~ ')} | {place} | {' | '.join(str(row[column]) for column in columns)} |")
    return "\n".join([*lines, "", *(f"{count} x {reason}" for reason, count in reasons.most_common())])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Plant mistakes in a release, fix them, and compare with the release.")
    parser.add_argument("release", nargs="?", help="a release of the corpora, such as 0.23.0")
    parser.add_argument("--tree", type=Path, help="another tree")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--rewriting", default="", help="only rewritings whose name contains this")
    parser.add_argument("--no-slots", action="store_true", help="leave out captured tuples")
    parser.add_argument("--every", type=int, default=1, help="a sample: only every Nth planting")
    parser.add_argument("--most", type=int, help="not more than so many")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    if (options.tree is None) == (options.release is None):
        parser.error("a release or --tree")
    if options.tree is None:
        from tests.corpora import unpacked

        options.tree = unpacked(options.release)
    began = time.perf_counter()
    outcomes = measure(
        options.tree, options.only, options.rewriting, not options.no_slots, options.every, options.jobs, options.most
    )
    print(table(outcomes))
    for outcome in outcomes:
        if outcome.verdict != "restored":
            print(f"{outcome.verdict.upper():8} {outcome.planting.what}: {outcome.planting.rewriting}")
            for line in (*outcome.reasons, *outcome.differing):
                print(f"         {line}")
    print(f"{time.perf_counter() - began:.0f} s")
    return int(any(outcome.verdict == "error" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
