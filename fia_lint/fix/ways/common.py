"""What several ways share: a value spelled at a spot, the calls that say it, and the workspace query beside a call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from fia_lint.evaluate.sites import Site
from fia_lint.extract import ir
from fia_lint.fix.captured import slots
from fia_lint.fix.edits import Replace
from fia_lint.fix.scope import Scope
from fia_lint.fix.spelling import constants, not_undone, one_line, translated, turned_round, undone
from fia_lint.fix.spots import Spot, behind, comes_from_elsewhere, spots
from fia_lint.fix.world import Candidate, NoWay, World

#: The slips of one kind: parts of an expression, and what they were.
Slips = Callable[[Scope, ir.Expr], Iterator[tuple[ir.Expr, str]]]


def rewritings(
    world: World, site: Site, argument: str, wanted: str, says: Callable[[Site], bool], undo: bool = True
) -> Iterator[Candidate]:
    """Edits that may make an argument of a call ``wanted`` (a normal form), which the calls say that ``says`` holds for."""
    scope = world.scope(site)
    stored = slots(world, site, argument)
    found = [*stored, *(b for slot in stored if slot.expr for b in behind(slot.scope, slot.expr, world.windows)),
             *spots(world, site, argument)]
    if not found:
        raise NoWay(_lost_at(world, site, argument))
    # What is unpacked is right or wrong where it was packed: at the call it is changed only if nothing else can be.
    passed = [spot for spot in found if spot.expr is None or not comes_from_elsewhere(scope, spot.expr)]
    found = [*passed, *(spot for spot in found if spot not in passed)]
    if undo:
        yield from _slips(world, site, argument, passed, (undone, not_undone))
    for spot in found:
        yield from _texts(world, site, argument, spot, wanted, says)
    if undo:
        yield from _slips(world, site, argument, passed, (turned_round,))


def _lost_at(world: World, site: Site, argument: str) -> str:
    """Where an argument cannot be followed any further, in words."""
    call = world.scope(site).call
    here = f"{site.key.path}:{site.key.span.line}"
    if call is not None and any(given.star for given in call.args):
        return f"{argument} comes out of what is passed by * or ** at {here}: that is to be changed by hand"
    if site.via:
        place = site.via[0]
        where = f"{place.path}:{place.span.line}"
        return f"{argument} is passed at {here} to code that makes something of it, and passes that on at {where}"
    return f"how {argument} gets its value at {here} is not followed: it is to be changed by hand"


def _slips(world: World, site: Site, argument: str, found: list[Spot], kinds: Iterable[Slips]) -> Iterator[Candidate]:
    """What stands at the spots without the usual slips."""
    for kind in kinds:
        for spot in found:
            if spot.expr is not None:
                for part, text in kind(spot.scope, spot.expr):
                    yield from _edits(world, site, argument, spot, text, part)


def is_unpacked(world: World, site: Site, argument: str) -> bool:
    """Whether an argument is a name that is unpacked or handed in: it may come right where it comes from."""
    scope = world.scope(site)
    found = spots(world, site, argument)
    return bool(found) and all(spot.expr is not None and comes_from_elsewhere(scope, spot.expr) for spot in found)


def _texts(
    world: World, site: Site, argument: str, spot: Spot, wanted: str, says: Callable[[Site], bool]
) -> Iterator[Candidate]:
    plain = list(constants(wanted, spot.scope, world.windows))
    alike = list(spelled_elsewhere(world, site, argument, spot.scope, says))
    own = [name for name in (argument, *spot.scope.unused) if name in spot.scope.local and name in spot.scope.before]
    own = own if spot.at_call else []
    # A name that is unpacked and not used is the one that is missing.
    alike = [*own, *alike] if spot.expr is None else [*alike, *own]
    if isinstance(spot.expr, ir.Conditional):
        # What asks becomes what asks: one of its cases alone would be right with a window, and wrong without one.
        alike.sort(key=lambda text: " if " not in text)
    # One of several assignments says one case of it: there a conditional expression is out of place.
    for text in [*plain, *alike] if spot.one_of > 1 else [*alike, *plain]:
        yield from _edits(world, site, argument, spot, text)


def _edits(
    world: World, site: Site, argument: str, spot: Spot, text: str, part: ir.Expr | None = None
) -> Iterator[Candidate]:
    """The edit of a spot, or of a part of its expression; the workspace queries beside the call that say the same with it."""
    line = one_line(text)
    before = spot.scope.text(spot.expr) if spot.expr is not None else None
    if line is None or line == before:
        return
    edit = spot.edit(line) if part is None else Replace(spot.scope.path, part.span, line)
    whole = spot.expr is not None and part in (None, spot.expr)
    beside = list(_beside(world, site, argument, spot, line)) if spot.at_call and whole else []
    replayed = list(_replayed(world, site, argument, spot, line)) if whole else []
    yield from dict.fromkeys([(edit, *beside, *replayed), (edit, *beside), (edit,)])


def _beside(world: World, site: Site, argument: str, spot: Spot, text: str) -> Iterator[Replace]:
    """The same change at the workspace queries of the function that pass the same."""
    if spot.expr is None or site.role == "workspace":
        return
    for other in world.sites.values():
        same = other.role == "workspace" and other.key.path == site.key.path and other.symbol == site.symbol
        written = other.arguments[argument]
        if same and written.span is not None and written.source == spot.scope.text(spot.expr):
            yield Replace(site.key.path, written.span, text)


def _replayed(world: World, site: Site, argument: str, spot: Spot, text: str) -> Iterator[Replace]:
    """The same change where a capture stores the argument for its replay in words of its own."""
    if site.role != "capture" or spot.expr is None:
        return
    for tie in world.ties:
        if tie.one == site.key and tie.replays:
            for slot in slots(world, world.sites[tie.other], argument):
                own = slot.expr is not None and not isinstance(slot.expr, ir.Name)
                alike = spot.at_call and slot.expr is not None and slot.scope.text(slot.expr) == spot.scope.text(spot.expr)
                if (own or alike) and slot.span != spot.span:
                    yield Replace(slot.scope.path, slot.span, text)


def spelled_elsewhere(
    world: World, site: Site, argument: str, target: Scope, says: Callable[[Site], bool]
) -> Iterator[str]:
    """How other calls spell the argument, in words of the scope, the nearest call first."""
    for other in world.siblings(site):
        if says(other):
            for spot in reversed(spots(world, other, argument)):
                if spot.expr is not None and (spot.at_call or spot.one_of == 1):
                    text = translated(spot.scope, spot.expr, target, world.windows)
                    if text is not None:
                        yield text


def saying(world: World, argument: str, wanted: Collection[str], unlike: Iterable[str] = ()) -> Callable[[Site], bool]:
    """Whether a call passes one of the values wanted, and none of some others, with a window."""
    wrong = frozenset(unlike)

    def says(site: Site) -> bool:
        values = world.values(site, argument)
        return not values.isdisjoint(wanted) and values.isdisjoint(wrong)

    return says
