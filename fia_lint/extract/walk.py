"""Going through lowered code without knowing each of its classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from fia_lint.extract import ir

#: The classes of lowered code by name.
CLASSES: dict[str, type] = {name: kind for name, kind in vars(ir).items() if is_dataclass(kind) and isinstance(kind, type)}


class _Fields(dict[type, tuple[str, ...]]):
    """Per class, the fields that hold other items; looked up for each item that is gone through."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        names = tuple(f.name for f in fields(kind) if CLASSES.keys() & re.findall(r"\w+", str(f.type)))
        self[kind] = names
        return names


_FIELDS = _Fields()


def item_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of lowered code that hold other lowered items: directly, in a list, or in tuples in a list."""
    return _FIELDS[kind]


def parts(item: Any) -> list[Any]:
    """The items directly below a lowered item, in the order of its fields: a list counts as what is in it."""
    found: list[Any] = []
    for name in _FIELDS[type(item)]:
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
        if _FIELDS[type(item)]:
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


def target_names(target: ir.Expr) -> Iterator[str]:
    """The names that an assignment target binds."""
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.Sequence):
        for item in target.items:
            yield from target_names(item)
    elif isinstance(target, ir.Starred):
        yield from target_names(target.value)
