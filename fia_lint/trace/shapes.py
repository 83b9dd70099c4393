"""How many items a sequence has, as far as it is written down."""

from __future__ import annotations

from fia_lint.extract import ir
from fia_lint.trace.resolve import Frame, Resolver

_DEEP = 24


def lengths(expr: ir.Expr, frame: Frame, resolver: Resolver, depth: int = 0) -> frozenset[int] | None:
    """The lengths that a sequence may have; None if nothing is known."""
    if depth > _DEEP:
        return None
    if isinstance(expr, ir.Sequence):
        if any(isinstance(item, ir.Starred) for item in expr.items):
            return None
        return frozenset({len(expr.items)})
    if isinstance(expr, ir.Binary) and expr.op == "+":
        left, right = (lengths(side, frame, resolver, depth + 1) for side in (expr.left, expr.right))
        return None if left is None or right is None else frozenset(a + b for a in left for b in right)
    if isinstance(expr, ir.Conditional):
        return _either([(side, frame) for side in (expr.body, expr.orelse)], resolver, depth)
    if isinstance(expr, ir.Name):
        known = [(made, inside) for made, inside in resolver.definitions(expr.id, expr, frame) if made.kind != "hand"]
        if not known or not all(made.kind == "assign" and not made.want and made.value is not None for made, _ in known):
            return None
        return _either([(made.value, inside) for made, inside in known if made.value is not None], resolver, depth)
    return None


def _either(exprs: list[tuple[ir.Expr, Frame]], resolver: Resolver, depth: int) -> frozenset[int] | None:
    found: set[int] = set()
    for expr, frame in exprs:
        known = lengths(expr, frame, resolver, depth + 1)
        if known is None:
            return None
        found |= known
    return frozenset(found)
