"""Going through lowered code without knowing each of its classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache

from fia_lint.extract import ir
from fia_lint.spans import Span

_LEAVES = (str, int, float, Span)


@lru_cache(maxsize=None)
def field_names(kind: type) -> tuple[str, ...]:
    """The fields of a class of lowered code, in order; none for anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def parts(item: object) -> list[object]:
    """The items directly below a lowered item, in the order of its fields: a list counts as what is in it."""
    found: list[object] = []
    for name in field_names(type(item)):
        value = getattr(item, name)
        if isinstance(value, (list, tuple)) and not isinstance(value, Span):
            for each in value:
                found += each if isinstance(each, tuple) else (each,)
        else:
            found.append(value)
    return [each for each in found if each is not None and not isinstance(each, _LEAVES)]


def walk(*items: object) -> Iterator[object]:
    """All lowered items below some, themselves included, parents first."""
    pending = list(reversed(items))
    while pending:
        item = pending.pop()
        yield item
        pending.extend(reversed(parts(item)))


def own_expressions(stmt: ir.Stmt) -> list[ir.Expr]:
    """The outermost expressions of a statement: its own, and not those of the statements in it."""
    found: list[ir.Expr] = []
    pending = list(reversed(parts(stmt)))
    while pending:
        item = pending.pop()
        if isinstance(item, ir.Expr):
            found.append(item)
        elif not isinstance(item, ir.Stmt):
            pending.extend(part for part in reversed(parts(item)) if not isinstance(part, ir.Stmt))
    return found


def own_statements(stmt: ir.Stmt) -> list[ir.Stmt]:
    """The statements directly in a statement, those of its handlers and cases included."""
    found: list[ir.Stmt] = []
    for item in parts(stmt):
        if isinstance(item, ir.Stmt):
            found.append(item)
        elif isinstance(item, (ir.Handler, ir.MatchCase)):
            found += item.body
    return found
