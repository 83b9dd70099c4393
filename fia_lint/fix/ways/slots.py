"""Slots that replay reads in another order than capture stored them (FIA105): two names change places."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.evaluate.sites import Site
from fia_lint.extract import ir
from fia_lint.fix.edits import Replace
from fia_lint.fix.scope import unpacking_at
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.spots import value_in
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding
from fia_lint.operators import MASK_ARGUMENTS


def candidates(finding: Finding, world: World) -> Iterator[Candidate]:
    read, right = finding.facts["read"], finding.facts["right"]
    if not isinstance(read, int) or not isinstance(right, int):
        raise NoWay("capture stores another number of values: which one is missing, nobody can know")
    place = next(related.place for related in finding.related if related.kind == "unpacking")
    scope = world.scope_at(place.path, place.span)
    names = unpacking_at(scope, place.span)
    if names is None or any(isinstance(item, ir.Starred) for item in names.items):
        raise NoWay("the values are not unpacked into plain names")
    one, other = names.items[read], names.items[right]
    if _is_named_for(scope.text(one), finding.argument or "", world):
        yield (Replace(place.path, one.span, scope.text(other)), Replace(place.path, other.span, scope.text(one)))
    else:
        yield from _at_call(finding, world, scope.text(one), scope.text(other))


def _is_named_for(name: str, argument: str, world: World) -> bool:
    """Whether the name that is read says that it is meant for the argument: then the order of the names is wrong."""
    mask = argument == "atten_mask" and "mask" in name
    return name == argument or mask or (argument == "pre_tokens" and name in world.windows)


def _at_call(finding: Finding, world: World, read: str, right: str) -> Iterator[Candidate]:
    """The names are in step, and the call passes one for another: ``pre_tokens=next_tokens``."""
    site, argument = finding.site, finding.argument or ""
    given = _passed(world, site, argument)
    if given is None or given.id != read:
        return
    edit = Replace(site.key.path, given.span, right)
    for other in MASK_ARGUMENTS:
        back = _passed(world, site, other)
        if other != argument and back is not None and back.id == right:
            yield edit, Replace(site.key.path, back.span, read)
    yield (edit,)


def _passed(world: World, site: Site, argument: str) -> ir.Name | None:
    """The name that a call passes for an argument."""
    call = world.scope(site).call
    value = value_in(call, keyword_of(site, argument)) if call else None
    return value if isinstance(value, ir.Name) else None
