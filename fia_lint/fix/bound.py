"""Which names are sure to have a value at a place of a body, whatever way the program took there."""

from __future__ import annotations

from collections.abc import Sequence

from fia_lint.extract import ir
from fia_lint.extract.walk import target_names, walk
from fia_lint.spans import Span

Names = frozenset[str]
_NONE: Names = frozenset()


def covers(outer: Span, inner: Span) -> bool:
    """Whether one place lies in another."""
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def surely_bound(body: Sequence[ir.Stmt], place: Span | None) -> Names:
    """The names that a body has bound when it comes to a place in it; without one, when it is through.

    Names that are taken away again somewhere (``del``, ``except … as``) do not count.
    """
    gone = {
        target.id
        for item in walk(*body)
        if isinstance(item, ir.Delete)
        for target in item.targets
        if isinstance(target, ir.Name)
    }
    gone |= {item.name for item in walk(*body) if isinstance(item, ir.Handler) and item.name}
    return (_through(body, place) or _NONE) - gone


def _through(body: Sequence[ir.Stmt], place: Span | None = None) -> Names | None:
    """What is bound after a body, or at a place in it. None if it never comes to its end."""
    found: Names = _NONE
    for item in body:
        if place is not None and covers(item.span, place):
            return found | (_inside(item, place) or _NONE)
        if place is not None and item.span[:2] > place[:2]:
            break
        after = _after(item)
        if after is None:
            return None if place is None else found
        found |= after
    return found


def _after(item: ir.Stmt) -> Names | None:
    """What a statement has bound when it is done; None if nothing comes after it."""
    if isinstance(item, (ir.Return, ir.Raise, ir.Jump)):
        return None
    if isinstance(item, ir.Assign):
        return frozenset(name for target in item.targets for name in target_names(target)) if item.value is not None else _NONE
    if isinstance(item, (ir.FunctionDef, ir.ClassDef)):
        return frozenset({item.name})
    if isinstance(item, (ir.Import, ir.ImportFrom)):
        return frozenset(alias or name.partition(".")[0] for name, alias in item.names)
    if isinstance(item, ir.If):
        return _common(_through(item.body), _through(item.orelse))
    if isinstance(item, ir.With):
        return _targets(item)
    if isinstance(item, ir.Try):
        tried = _joined(_through(item.body), _through(item.orelse))
        done = _common(tried, *(_through(handler.body) for handler in item.handlers))
        return _joined(done, _through(item.final))
    return _NONE


def _inside(item: ir.Stmt, place: Span) -> Names | None:
    """What a statement has bound at a place in it."""

    def reached(body: Sequence[ir.Stmt]) -> bool:
        return any(covers(each.span, place) for each in body)

    if isinstance(item, ir.For) and reached(item.body):
        return frozenset(target_names(item.target)) | (_through(item.body, place) or _NONE)
    if isinstance(item, ir.With) and reached(item.body):
        return _targets(item) | (_through(item.body, place) or _NONE)
    if isinstance(item, ir.Try) and reached(item.orelse):
        return _joined(_through(item.body), _through(item.orelse, place))
    bodies: list[Sequence[ir.Stmt]] = []
    if isinstance(item, (ir.If, ir.While, ir.For)):
        bodies = [item.body, item.orelse]
    elif isinstance(item, ir.Try):
        bodies = [item.body, item.final, *(handler.body for handler in item.handlers)]
    elif isinstance(item, ir.Match):
        bodies = [case.body for case in item.cases]
    return next((_through(body, place) for body in bodies if reached(body)), _NONE)


def _targets(item: ir.With) -> Names:
    return frozenset(name for each in item.items if each.target is not None for name in target_names(each.target))


def _common(*ways: Names | None) -> Names | None:
    """What is bound on all ways that go on."""
    going = [way for way in ways if way is not None]
    return frozenset.intersection(*going) if going else None


def _joined(one: Names | None, other: Names | None) -> Names | None:
    return None if one is None or other is None else one | other
