"""The ways of repairing, one module each, named in a rule's ``fix``.

A way has ``candidates(finding, world)``: the edits that may repair a finding, the likeliest first. It raises ``NoWay``
where there is nothing that would not be a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from fia_lint.fix.safety import danger
from fia_lint.fix.ways.common import is_unpacked
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding
from fia_lint.judge.rules import RULES

#: How many candidates of one finding are tried.
MOST = 6


def rank(finding: Finding, world: World) -> int:
    """When a finding's turn comes: what it looks at may be repaired by then."""
    way = RULES[finding.code].fix
    if way == "slots":
        return 0
    if way == "query":
        return 3
    return 2 if way and is_unpacked(world, finding.site, finding.argument or "") else 1


def candidates(finding: Finding, world: World) -> list[Candidate]:
    """The edits that may repair a finding. Raises ``NoWay``."""
    rule = RULES[finding.code]
    if not rule.fix:
        raise NoWay(rule.no_fix)
    way = import_module(f"{__name__}.{rule.fix}")
    found: Iterator[Candidate] = way.candidates(finding, world)
    distinct = list(dict.fromkeys(tuple(sorted(edits, key=lambda edit: (edit.path, edit.span))) for edits in found))
    if not distinct:
        raise NoWay("the value of the other calls cannot be written in this scope")
    return _safe(world, distinct)[:MOST]


def _safe(world: World, found: list[Candidate]) -> list[Candidate]:
    """The candidates that change nothing else. Raises ``NoWay`` with what is to be said against the first one."""
    dangers = {edits: danger(world, edits) for edits in found}
    safe = [edits for edits, no in dangers.items() if not no]
    if not safe:
        raise NoWay(next(iter(dangers.values())))
    return safe
