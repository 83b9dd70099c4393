"""From a replayed call back to the slot of the tuple that its argument was stored in."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.evaluate.sites import Place, Site
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.scope import Scope, scope_of
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.spots import Spot, value_in
from fia_lint.fix.world import World

#: A slot of a tuple: where it is, and how long the tuple is (0: of any length).
Where = tuple[int, int]


def slots(world: World, update: Site, argument: str) -> list[Spot]:
    """What is stored in the slots that an argument of a replayed call is read from, where tuples are stored as they are
    written."""
    scope = world.scope(update)
    passed = value_in(scope.call, keyword_of(update, argument)) if scope.call else None
    if update.role != "update" or passed is None:
        return []
    read = list(dict.fromkeys(_read(scope, passed)))
    places = dict.fromkeys(place for record in update.records for place in record.captures)
    found = [item for place in places for where in read for item in _stored(world, place, where)]
    return [Spot(scope_of(facts, item.span), item.span, item, at_call=False) for facts, item in found]


def _read(scope: Scope, passed: ir.Expr) -> Iterator[Where]:
    """The slots that an expression is read from: a name that is unpacked, or a subscript."""
    if isinstance(passed, ir.Subscript):
        if isinstance(passed.index, ir.Constant) and isinstance(passed.index.value, int):
            yield passed.index.value, 0
        return
    for item in walk(*scope.body):
        targets = item.targets if isinstance(item, ir.Assign) else [item.target] if isinstance(item, ir.For) else []
        for names in (part for target in targets for part in walk(target) if isinstance(part, ir.Sequence)):
            if not any(isinstance(each, ir.Starred) for each in names.items) and isinstance(passed, ir.Name):
                at = [i for i, each in enumerate(names.items) if isinstance(each, ir.Name) and each.id == passed.id]
                yield from ((i, len(names.items)) for i in at)


def _stored(world: World, place: Place, where: Where) -> Iterator[tuple[ir.Facts, ir.Expr]]:
    """The expression in a slot of the tuple that is stored by the call at a place."""
    at, length = where
    scope = world.scope_at(place.path, place.span)
    for argument in scope.call.args if scope.call is not None else ():
        value = argument.value
        if isinstance(value, ir.Name) and len(scope.local.get(value.id, ())) == 1:
            value = scope.local[value.id][0] or value
        if isinstance(value, ir.Sequence) and not any(isinstance(item, ir.Starred) for item in value.items):
            if length in (0, len(value.items)) and -len(value.items) <= at < len(value.items):
                yield scope.facts, value.items[at]
