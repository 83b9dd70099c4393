"""Which findings are new: against a baseline that was written down, or against an earlier state of the repository."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fia_lint.errors import UsageError
from fia_lint.report.naming import namings
from fia_lint.report.view import Item, View, view
from fia_lint.selection import selected
from fia_lint.session import Answer, Request, answer
from fia_lint.settings import Settings
from fia_lint.targets import Target
from fia_lint.targets.kinds.revision import git, merge_base, revision_tree
from fia_lint.targets.target import Options, whole

Key = Callable[[Item], Hashable]


def write_baseline(shown: View) -> str:
    """The findings that are there, as the text of a baseline."""
    entries = [
        {"fingerprint": item.fingerprint, "code": item.finding.code, "path": item.spot.path, "message": item.message}
        for item in shown.items
    ]
    return json.dumps({"schema": 1, "findings": sorted(entries, key=lambda e: (e["path"], e["fingerprint"]))}, indent=2) + "\n"


@dataclass(frozen=True)
class Entry:
    """A finding in a baseline; code and path are empty where somebody took them out."""

    fingerprint: str
    code: str = ""
    path: str = ""


def read_baseline(file: Path) -> frozenset[Entry]:
    """The entries of a baseline. Raises ``UsageError`` if it is none."""
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))["findings"]
        return frozenset(Entry(str(e["fingerprint"]), str(e.get("code", "")), str(e.get("path", ""))) for e in entries)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{file}: expected a baseline as --write-baseline writes it") from None


def not_in(known: Iterable[Entry], items: Sequence[Item]) -> list[Item]:
    """The findings that a baseline does not hold."""
    prints = {entry.fingerprint for entry in known}
    return [item for item in items if item.fingerprint not in prints]


def gone(known: Iterable[Entry], found: Sequence[Answer], shown: View) -> int:
    """How many entries stand for nothing any more: of files that this run shows, and rules that are on."""
    from fia_lint.judge.rules import RULES

    prints = {item.fingerprint for item in shown.items}
    files: dict[str, Settings] = {}
    for one, naming in zip(found, namings([each.target for each in found]), strict=True):
        files |= {naming.name(path): one.result.settings for path in one.result.shown}
    late = [entry for entry in known if entry.fingerprint not in prints and entry.path in files]
    return sum(selected(entry.code, files[entry.path]) for entry in late if entry.code in RULES)


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
