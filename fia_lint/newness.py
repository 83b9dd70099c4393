"""Which findings are new: against a baseline that was written down, or against an earlier state of the repository."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fia_lint.errors import UsageError
from fia_lint.report.naming import relative, top_of
from fia_lint.report.view import Item, View, view
from fia_lint.selection import selected
from fia_lint.session import Answer, Request, answer
from fia_lint.targets import Target
from fia_lint.targets.kinds.revision import git, merge_base, revision_tree
from fia_lint.targets.target import Options, in_test_tree, whole

Key = Callable[[Item], Hashable]


@dataclass(frozen=True)
class Entry:
    """A finding in a baseline; code and path are empty where somebody took them out. The path is that in the repository,
    else in the project: the same whatever target was named."""

    fingerprint: str
    code: str = ""
    path: str = ""
    message: str = ""


def write_baseline(entries: Iterable[Entry]) -> str:
    """The text of a baseline."""
    rows = sorted((asdict(entry) for entry in entries), key=lambda row: (row["path"], row["fingerprint"]))
    return json.dumps({"schema": 1, "findings": rows}, indent=2) + "\n"


def read_baseline(file: Path) -> frozenset[Entry]:
    """The entries of a baseline. Raises ``UsageError`` if it is none."""
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))["findings"]
        rest = ("code", "path", "message")
        return frozenset(Entry(str(e["fingerprint"]), *(str(e.get(key, "")) for key in rest)) for e in entries)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{file}: expected a baseline as --write-baseline writes it") from None


def not_in(known: Iterable[Entry], items: Sequence[Item]) -> list[Item]:
    """The findings that a baseline does not hold."""
    prints = {entry.fingerprint for entry in known}
    return [item for item in items if item.fingerprint not in prints]


def entries_of(found: Sequence[Answer], shown: View) -> list[Entry]:
    """The findings that are there, as a baseline holds them."""
    names = {id(finding): _name(one.target, finding.place.path) for one in found for finding in one.result.findings}
    return [Entry(item.fingerprint, item.finding.code, names[id(item.finding)], item.message) for item in shown.items]


def gone(known: Iterable[Entry], found: Sequence[Answer], shown: View) -> list[Entry]:
    """The entries that stand for nothing any more: of files that this run shows, and rules that are on in them."""
    prints = {item.fingerprint for item in shown.items}
    looked = {_name(one.target, path): (one, path) for one in found for path in one.result.shown}
    late = [entry for entry in known if entry.fingerprint not in prints and entry.path in looked]
    return [entry for entry in late if _was_on(entry.code, *looked[entry.path])]


def kept(known: Iterable[Entry], found: Sequence[Answer], shown: View) -> list[Entry]:
    """The entries that this run says nothing about: of rules that were off in it, and of files that it does not show but that
    are still there."""
    known = set(known)
    prints = {item.fingerprint for item in shown.items}
    rest = known.difference(gone(known, found, shown))
    return [entry for entry in rest if entry.fingerprint not in prints and any(_is_there(entry, one.target) for one in found)]


def _was_on(code: str, one: Answer, path: str) -> bool:
    """Whether a run would have shown a finding of a rule in a file."""
    from fia_lint.judge.rules import RULES

    settings = one.result.settings
    if code not in RULES or (in_test_tree(path) and not settings.include_tests):
        return False
    return selected(code, settings) and not one.configuration.off(one.target.root)(code, path)


def _name(target: Target, path: str) -> str:
    """What a baseline calls a file of a target."""
    return path if target.root is None else relative((target.root / path).as_posix(), _base(target.root).as_posix())


def _is_there(entry: Entry, target: Target) -> bool:
    """Whether the file of an entry exists; so it is taken to do if the entry does not name it."""
    if target.root is None:
        return not entry.path or entry.path in target.tree.paths()
    return os.path.exists(_base(target.root) / entry.path)


def _base(root: Path) -> Path:
    """The top of the repository that a project lies in, else its own folder."""
    return Path(top_of(root) or root)


def since(revision: str, found: Sequence[Answer], shown: View, request: Request) -> list[Item]:
    """The findings that were not there where ``revision`` and the current commit parted."""
    earlier: list[Item] = []
    for one in found:
        before = _before(revision, one.target, request)
        earlier += view([answer(before, one.configuration, request)]).items
    return new_items(earlier, shown.items)


def _before(revision: str, target: Target, request: Request) -> Target:
    """The tree of a target at the merge base."""
    if target.root is None:
        raise UsageError(f"{target.specs[0]}: --since needs a target in a git repository")
    prefix = git(target.root, "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").rstrip("\n")
    tree = revision_tree(target.root, merge_base(target.root, revision), prefix)
    before = whole(target.specs[0], tree, Options(exclude=request.exclude))
    return Target(before.specs, before.tree, before.shown, target.root, "", target.in_tests)


def new_items(earlier: Sequence[Item], now: Sequence[Item]) -> list[Item]:
    """Those of ``now`` that no finding of ``earlier`` stands for. Code that moved or was renamed is the same code.

    Each earlier finding stands for one: for one at the same place if there is such, else for one in the same definition
    of another file, else for one at a call that is written the same.
    """
    left, rest = list(earlier), list(now)
    for key in (_at_home, _same_definition, _same_call):
        left, rest = _matched(left, rest, key)
    return rest


def _matched(earlier: list[Item], now: list[Item], key: Key) -> tuple[list[Item], list[Item]]:
    """What is left of both sides when those with equal keys have been paired off."""
    waiting: dict[Hashable, list[Item]] = defaultdict(list)
    for item in earlier:
        waiting[key(item)].append(item)
    unmatched = [item for item in now if not (waiting[key(item)] and waiting[key(item)].pop(0))]
    return [item for items in waiting.values() for item in items], unmatched


def _what(item: Item) -> tuple[Hashable, ...]:
    finding = item.finding
    return finding.code, finding.site.operator, finding.site.overload, finding.argument, finding.value


def _at_home(item: Item) -> Hashable:
    return (*_what(item), item.finding.site.key.path, item.finding.site.symbol)


def _same_definition(item: Item) -> Hashable:
    return (*_what(item), item.finding.site.symbol, item.call_text)


def _same_call(item: Item) -> Hashable:
    return (*_what(item), item.call_text)
