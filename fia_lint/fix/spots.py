"""Where the value of an argument can be changed: in the call, or in what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fia_lint.algebra.diagram import FALSE
from fia_lint.evaluate.sites import Site
from fia_lint.evaluate.windows import WindowNames
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bindings import bindings
from fia_lint.fix.edits import Add, Edit, Replace
from fia_lint.fix.handed import handed, written
from fia_lint.fix.scope import Scope, is_attribute_of, scope_of
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.world import World
from fia_lint.spans import Span

#: How far an argument is traced back through names.
_DEPTH = 3


@dataclass(frozen=True, eq=False)
class Spot:
    """A place where an argument gets its value. ``expr`` is the expression there; without one an entry ``name`` is to be
    added to the call or dict display at ``span``. ``one_of``: how many expressions give the argument its value."""

    scope: Scope
    span: Span
    expr: ir.Expr | None = None
    name: str = ""
    at_call: bool = True
    one_of: int = 1

    def edit(self, text: str) -> Edit:
        """The edit that makes the value ``text``."""
        if self.expr is None:
            return Add(self.scope.path, self.span, self.name, text)
        return Replace(self.scope.path, self.span, text)


def value_in(call: ir.Call, keyword: str) -> ir.Expr | None:
    """The expression of a keyword argument."""
    return next((a.value for a in call.args if a.name == keyword), None)


def spots(world: World, site: Site, argument: str) -> list[Spot]:
    """Where an argument of a call gets its value, what stands farthest behind it first."""
    scope = world.scope(site)
    call = scope.call
    if call is None:
        return []
    expr = written(world, site, argument)
    if expr is not None:
        return [*behind(scope, expr, world.windows), Spot(scope, expr.span, expr)]
    if site.via:
        return _defaults(world, site, argument)
    if site.arguments[argument].span is not None:
        return []
    return _in_dicts(scope, call, keyword_of(site, argument), _is_never_written(site, argument), world.windows)


def _is_never_written(site: Site, argument: str) -> bool:
    """Whether a call is known to leave an argument out: what it passes by ``**`` does not have it either."""
    seen = bool(site.records) and all(record.written[argument] is FALSE for record in site.records)
    return site.arguments[argument].default or seen


def _defaults(world: World, site: Site, argument: str) -> list[Spot]:
    """Where a wrapper says what is passed if its caller does not, the default of its parameter; and where its caller would."""
    place = site.via[-1]
    scope = world.scope_at(place.path, place.span)
    value = value_in(scope.call, keyword_of(site, argument)) if scope.call else None
    given = handed(world, site, argument)
    here = world.scope(site)
    added = [Spot(here, here.span, None, given.parameter.name)] if given and given.parameter.kind != "positional" else []
    return [*([] if value is None else behind(scope, value, world.windows)), *added]


def _in_dicts(scope: Scope, call: ir.Call, keyword: str, default: bool, windows: WindowNames) -> list[Spot]:
    """The entry of a dict that a call passes by ``**``, or where an entry that is missing would go."""
    entries = [spot for spread in _spread(call) for spot in _entries(scope, spread, keyword)]
    found = [spot for spot in entries if spot.expr is not None]
    if found:
        return [*(b for spot in found if spot.expr is not None for b in behind(scope, spot.expr, windows)), *found]
    if len(entries) == 1 and not _added_later(scope, call, keyword):
        return entries
    return [] if any(a.star for a in call.args) and not default else [Spot(scope, call.span, None, keyword)]


def behind(scope: Scope, expr: ir.Expr, windows: WindowNames, depth: int = _DEPTH) -> list[Spot]:
    """What a name, or an attribute of ``self``, is assigned. A window is not looked through, but for arithmetic on it."""
    values = _assigned(scope, expr)
    if not depth or not values:
        return []
    window = (expr.attr if isinstance(expr, ir.Attribute) else getattr(expr, "id", "")) in windows
    found = [value for value in values if value is not None and (not window or isinstance(value, ir.Binary))]
    here = [Spot(scope_of(scope.facts, v.span), v.span, v, at_call=False, one_of=len(values)) for v in found]
    return [
        *(each for spot in here if spot.expr is not None for each in behind(spot.scope, spot.expr, windows, depth - 1)),
        *here,
    ]


def comes_from_elsewhere(scope: Scope, expr: ir.Expr) -> bool:
    """Whether an argument is a name that is bound to nothing but what is unpacked, looped over or handed in."""
    if isinstance(expr, ir.Name) and expr.id not in scope.local:
        return False
    values = _assigned(scope, expr)
    return bool(values) and all(value is None for value in values)


def _assigned(scope: Scope, expr: ir.Expr) -> list[ir.Expr | None]:
    if isinstance(expr, ir.Name):
        known = scope.local.get(expr.id)
        return known if known is not None else [value for name, value, _ in bindings(scope.facts.body) if name == expr.id]
    if scope.owner and scope.receiver and is_attribute_of(expr, scope.receiver):
        attr = expr.attr  # type: ignore[attr-defined]
        assigns = (item for item in walk(scope.owner) if isinstance(item, ir.Assign))
        own = {f"{scope.receiver}.{attr}"}
        return [a.value for a in assigns if own & {scope.text(t) for t in a.targets if is_attribute_of(t, scope.receiver)}]
    return []


def _spread(call: ir.Call) -> list[ir.Expr]:
    """What a call passes by ``**``."""
    return [a.value for a in call.args if a.star == "**"]


def _entries(scope: Scope, spread: ir.Expr, keyword: str) -> Iterator[Spot]:
    """The dict displays and ``dict(…)`` calls behind ``**spread``: the value of a key there, or where it would go."""
    behind_name = scope.local.get(spread.id, ()) if isinstance(spread, ir.Name) else (spread,)
    for display in [each for value in behind_name if value is not None for each in (value, *_returned(scope, value))]:
        pairs = _pairs(display)
        if pairs is not None:
            value = next((value for key, value in pairs if key == keyword), None)
            place = value.span if value is not None else display.span
            yield Spot(scope_of(scope.facts, place), place, value, keyword, at_call=False)


def _returned(scope: Scope, expr: ir.Expr) -> list[ir.Expr]:
    """What a method of the class, or a function of the file, returns, where an expression is a call of it."""
    if not isinstance(expr, ir.Call):
        return []
    own = scope.owner is not None and scope.receiver and is_attribute_of(expr.func, scope.receiver)
    body = scope.owner.body if own and scope.owner else scope.facts.body
    name = expr.func.attr if own else getattr(expr.func, "id", "")  # type: ignore[attr-defined]
    functions = (item for item in body if isinstance(item, ir.FunctionDef) and item.name == name)
    returns = (item for function in functions for item in walk(*function.body) if isinstance(item, ir.Return))
    return [item.value for item in returns if item.value is not None]


def _pairs(display: ir.Expr) -> list[tuple[object, ir.Expr]] | None:
    """Keys and values of a display; None if an expression is none."""
    if isinstance(display, ir.DictDisplay):
        return [(key.value if isinstance(key, ir.Constant) else None, value) for key, value in display.entries]
    if isinstance(display, ir.Call) and isinstance(display.func, ir.Name) and display.func.id == "dict":
        return [(argument.name, argument.value) for argument in display.args]
    return None


def _added_later(scope: Scope, call: ir.Call, keyword: str) -> bool:
    """Whether a key is put into one of the dicts of a call by a subscript: nothing is added beside that."""
    names = {spread.id for spread in _spread(call) if isinstance(spread, ir.Name)}
    subscripts = (item for item in walk(*scope.body) if isinstance(item, ir.Subscript))
    return any(
        isinstance(s.value, ir.Name) and s.value.id in names and isinstance(s.index, ir.Constant) and s.index.value == keyword
        for s in subscripts
    )
