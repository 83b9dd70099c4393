"""Going through lowered code without knowing each of its classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from fia_lint.extract import ir

#: The classes of lowered code by name.
CLASSES: dict[str, type] = {name: kind for name, kind in vars(ir).items() if is_dataclass(kind) and isinstance(kind, type)}


@lru_cache(maxsize=None)
def item_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of lowered code that hold other lowered items: directly, in a list, or in tuples in a list."""
    return tuple(f.name for f in fields(kind) if CLASSES.keys() & re.findall(r"\w+", str(f.type)))


def parts(item: Any) -> list[Any]:
    """The items directly below a lowered item, in the order of its fields: a list counts as what is in it."""
    found: list[Any] = []
    kind: type = type(item)
    for name in item_fields(kind):
        value = getattr(item, name)
        if type(value) is not list:
            if value is not None:
                found.append(value)
        elif value and type(value[0]) is tuple:
            found += [each for entry in value for each in entry if each is not None and type(each) is not str]
        else:
            found += value
    return found


def walk(*items: object) -> Iterator[object]:
    """All lowered items below some, themselves included, parents first."""
    pending = list(reversed(items))
    while pending:
        item = pending.pop()
        yield item
        below = parts(item)
        below.reverse()
        pending += below


def own_expressions(stmt: ir.Stmt) -> list[ir.Expr]:
    """The outermost expressions of a statement: its own, and not those of the statements in it."""
    found: list[ir.Expr] = []
    pending = parts(stmt)[::-1]
    while pending:
        item = pending.pop()
        if isinstance(item, ir.Expr):
            found.append(item)
        elif not isinstance(item, ir.Stmt):
            pending += parts(item)[::-1]
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
