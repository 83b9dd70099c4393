"""Where the value of an argument can be changed: in the call, or in what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fia_lint.evaluate.sites import Site
from fia_lint.evaluate.windows import WindowNames
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.edits import Add, Edit, Replace
from fia_lint.fix.scope import Scope, bindings, is_attribute_of
from fia_lint.operators import CATALOGUE
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


def keyword_of(site: Site, argument: str) -> str:
    """How an entry point spells a mask argument."""
    row = next((row for row in CATALOGUE if row.name == site.operator), None)
    return row.spelling.get(argument, argument) if row else argument


def value_in(call: ir.Call, keyword: str) -> ir.Expr | None:
    """The expression of a keyword argument."""
    return next((a.value for a in call.args if a.name == keyword), None)


def spots(scope: Scope, site: Site, argument: str, windows: WindowNames) -> list[Spot]:
    """Where an argument of a call gets its value, what stands farthest behind it first."""
    call = scope.call
    if call is None:
        return []
    written = site.arguments[argument]
    if written.span is not None:
        expr = next((a.value for a in call.args if a.value.span == written.span), None)
        return [] if expr is None else [*behind(scope, expr, windows), Spot(scope, expr.span, expr)]
    if site.via:
        return []
    keyword = keyword_of(site, argument)
    entries = [(spot, display) for name in _spread(call) for spot, display in _entries(scope, name, keyword)]
    found = [spot for spot, _ in entries if spot.expr is not None]
    if found:
        deeper = [b for spot in found if spot.expr is not None for b in behind(scope, spot.expr, windows)]
        return [*deeper, *found]
    if len(entries) == 1 and not _added_later(scope, call, keyword):
        return [entries[0][0]]
    return [] if any(a.star for a in call.args) and not written.default else [Spot(scope, call.span, None, keyword)]


def behind(scope: Scope, expr: ir.Expr, windows: WindowNames, depth: int = _DEPTH) -> list[Spot]:
    """What a name, or an attribute of ``self``, is assigned. A window is not looked through, but for arithmetic on it."""
    values = _assigned(scope, expr)
    if not depth or not values:
        return []
    window = (expr.attr if isinstance(expr, ir.Attribute) else getattr(expr, "id", "")) in windows
    found = [value for value in values if value is not None and (not window or isinstance(value, ir.Binary))]
    here = [Spot(scope, value.span, value, at_call=False, one_of=len(values)) for value in found]
    return [*(spot for value in found for spot in behind(scope, value, windows, depth - 1)), *here]


def comes_from_elsewhere(scope: Scope, expr: ir.Expr) -> bool:
    """Whether an argument is a name that is bound to nothing but what is unpacked, looped over or handed in."""
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


def _entries(scope: Scope, spread: ir.Expr, keyword: str) -> Iterator[tuple[Spot, ir.Expr]]:
    """The dict displays and ``dict(…)`` calls behind ``**spread``: the value of a key there, or where it would go."""
    displays = [spread] if not isinstance(spread, ir.Name) else [v for v in scope.local.get(spread.id, ()) if v is not None]
    for display in displays:
        pairs = _pairs(display)
        if pairs is not None:
            value = next((value for key, value in pairs if key == keyword), None)
            place = value.span if value is not None else display.span
            yield Spot(scope, place, value, keyword, at_call=False), display


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
