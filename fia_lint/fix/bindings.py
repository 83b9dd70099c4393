"""What the statements of a body bind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fia_lint.extract import ir
from fia_lint.extract.walk import own_expressions, own_statements, walk
from fia_lint.spans import Span

Definition = ir.FunctionDef | ir.ClassDef


def declared(body: Sequence[ir.Stmt]) -> frozenset[str]:
    """The names that a body declares to be bound elsewhere."""
    return frozenset(name for item in statements(body) if isinstance(item, ir.Scope) for name in item.names)


def statements(body: Sequence[ir.Stmt]) -> Iterator[ir.Stmt]:
    """The statements of a body and of the statements in it, but not of definitions."""
    for item in body:
        yield item
        if not isinstance(item, Definition):
            yield from statements(own_statements(item))


def bindings(body: Sequence[ir.Stmt]) -> Iterator[tuple[str, ir.Expr | None, Span]]:
    """``(name, value, place)`` of everything that a body binds, inner definitions left out.

    The value is None where the name gets no expression of its own: a loop, an import, something that is unpacked.
    """
    for item in statements(body):
        if isinstance(item, Definition):
            yield item.name, None, item.span
        elif isinstance(item, ir.Assign):
            for target in item.targets:
                yield from _bound(target, item.value, item.span)
        elif isinstance(item, (ir.Import, ir.ImportFrom)):
            yield from ((alias or name.partition(".")[0], None, item.span) for name, alias in item.names)
        elif isinstance(item, (ir.AugAssign, ir.For)):
            yield from _bound(item.target, None, item.span)
        elif isinstance(item, ir.With):
            for each in item.items:
                if each.target is not None:
                    yield from _bound(each.target, None, item.span)
        for expr in own_expressions(item) if not isinstance(item, Definition) else ():
            yield from ((w.target.id, w.value, w.span) for w in walk(expr) if isinstance(w, ir.Walrus))


def _bound(target: ir.Expr, value: ir.Expr | None, span: Span) -> Iterator[tuple[str, ir.Expr | None, Span]]:
    """The names of an assignment's target, each with its part of the value."""
    if isinstance(target, ir.Name):
        yield target.id, value, span
    elif isinstance(target, ir.Starred):
        yield from _bound(target.value, None, span)
    elif isinstance(target, ir.Sequence):
        parts: list[ir.Expr | None] = [None] * len(target.items)
        plain = isinstance(value, ir.Sequence) and len(value.items) == len(parts)
        if plain and not any(isinstance(item, ir.Starred) for item in (*target.items, *value.items)):  # type: ignore[union-attr]
            parts = list(value.items)  # type: ignore[union-attr]
        for item, part in zip(target.items, parts, strict=True):
            yield from _bound(item, part, span)
