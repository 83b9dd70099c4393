"""An argument that should be what the other calls of the group pass (FIA101, FIA102), or what none may pass (FIA201, FIA205)."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.fix.spelling import one_line
from fia_lint.fix.spots import spots
from fia_lint.fix.ways.common import rewritings, saying
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding


def candidates(finding: Finding, world: World) -> Iterator[Candidate]:
    site, argument = finding.site, finding.argument or ""
    if finding.facts.get("variant") == "one" and not _is_at_fault(finding, world):
        raise NoWay("only one call holds the other value: which of the two is wrong, nobody can know")
    wanted = finding.reference or _wanted(finding, world)
    yield from _exchanged(finding, world)
    yield from rewritings(world, site, argument, wanted, saying(world, argument, {wanted}, {finding.value}))


def _exchanged(finding: Finding, world: World) -> Iterator[Candidate]:
    """The two bounds of the call change places, where one has what the other should have: in what the two names that are
    passed are assigned, and in the call."""
    other = "next_tokens" if finding.argument == "pre_tokens" else "pre_tokens"
    if not finding.reference or finding.reference not in world.values(finding.site, other):
        return
    found = [spots(world, finding.site, argument) for argument in ("pre_tokens", "next_tokens")]
    assigned = [[spot for spot in each if not spot.at_call and spot.one_of == 1] for each in found]
    passed = [[spot for spot in each if spot.at_call] for each in found]
    for one, two in (*zip(*assigned, strict=False), *zip(*passed, strict=False)):
        if one.expr is not None and two.expr is not None:
            texts = [one_line(spot.scope.text(spot.expr)) for spot in (one, two)]
            if texts[0] and texts[1] and texts[0] != texts[1]:
                yield one.edit(texts[1]), two.edit(texts[0])


def _is_at_fault(finding: Finding, world: World) -> bool:
    """Whether a call is wrong in itself, or says nothing of the argument, so that the other call is right.

    A call that says that rows see later tokens, where the other says that they do not, is.
    """
    site = finding.site
    ahead = not site.arguments["next_tokens"].default and any(
        other.site.key == site.key and (other.code, other.reference) == ("FIA102", "0") for other in world.result.findings
    )
    return ahead or world.has(site, "FIA201", "FIA203") or site.arguments[finding.argument or ""].default


def _wanted(finding: Finding, world: World) -> str:
    """The value that a rule about one call asks for: no token of the future; a window only where there is one."""
    return "0" if finding.argument == "next_tokens" else "sliding_window"
