"""A workspace query that says something else than its call (FIA104): it says what the call says."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.fix.edits import Drop
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.ways.common import rewritings
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding


def candidates(finding: Finding, world: World) -> Iterator[Candidate]:
    query, argument = finding.site, finding.argument or ""
    key = next((site.key for site in world.sites.values() if site.place == finding.related[0].place), None)
    if key is None:
        raise NoWay("the call that the workspace is for cannot be found again")
    call = world.sites[key]
    if call.arguments[argument].default and query.arguments[argument].span is not None:
        yield (Drop(query.key.path, query.key.span, keyword_of(query, argument)),)
    yield from rewritings(world, query, argument, finding.reference or "", lambda site: site.key == key, undo=False)
