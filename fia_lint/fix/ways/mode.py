"""A window in a mode that makes nothing of it (FIA202): the mode becomes that of the calls in band mode."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.fix.ways.common import rewritings, saying
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding

BAND = "4"


def candidates(finding: Finding, world: World) -> Iterator[Candidate]:
    site = finding.site
    if finding.facts["variant"] == "no-mask":
        raise NoWay("band mode needs a mask, and the source does not say which")
    if site.arguments["sparse_mode"].default:
        raise NoWay("no mode is passed: whether a band or no window is meant, nobody can know")
    says = saying(world, "sparse_mode", {BAND})
    if not any(says(other) for other in world.siblings(site)):
        raise NoWay("no other call runs in band mode: whether a band or no window is meant, nobody can know")
    return rewritings(world, site, "sparse_mode", BAND, says)
