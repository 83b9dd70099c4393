"""What a callee's spelling says: an entry point's name, whatever stands before it, or a name that stands for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fia_lint.extract import ir
from fia_lint.extract.walk import own_statements, target_names, walk
from fia_lint.operators import CATALOGUE

#: The names of all entry points, those that are off unless configured included: facts do not depend on settings.
ENTRY_POINTS = frozenset(row.name for row in CATALOGUE)


class Entry(NamedTuple):
    """An entry point and its overload, ``default`` or ``out``."""

    operator: str
    overload: str = "default"


Aliases = Mapping[str, Entry]


def recognise(names: Sequence[str], aliases: Aliases) -> Entry | None:
    """The entry point that a callee is by its spelling.

    ``names`` are the attribute names of the callee from the left; the first is ``""`` if it is no plain name.
    """
    end, overload = len(names), "default"
    if names[-1] == "out" and end > 1:
        end, overload = end - 1, "out"
    if names[end - 1] == "default" and end > 1:
        end -= 1
    last = names[end - 1]
    if last in ENTRY_POINTS:
        return Entry(last, overload)
    known = aliases.get(last) if end == 1 else None
    return known and Entry(known.operator, "out" if overload == "out" else known.overload)


def attribute_names(expr: ir.Expr) -> list[str]:
    """``["a", "b", "c"]`` of ``a.b.c``; the first is ``""`` where the chain does not begin with a name."""
    names: list[str] = []
    while isinstance(expr, ir.Attribute):
        names.append(expr.attr)
        expr = expr.value
    names.append(expr.id if isinstance(expr, ir.Name) else "")
    return names[::-1]


def find_aliases(body: Sequence[ir.Stmt]) -> dict[str, Entry]:
    """The names that a file binds to one entry point and nowhere to anything else.

    Anything less plain (a branch, an attribute, a partial) takes an evaluation to resolve and is no matter of spelling.
    """
    if not any(entry for item in _statements(body) for _, entry in _bindings(item)):
        return {}
    bound: defaultdict[str, set[Entry | None]] = defaultdict(set)
    for item in walk(*body):
        for name, entry in _bindings(item):
            bound[name].add(entry)
    found = {name: next(iter(entries)) for name, entries in bound.items() if len(entries) == 1}
    return {name: entry for name, entry in found.items() if entry is not None and name not in ENTRY_POINTS}


def _statements(body: Sequence[ir.Stmt]) -> Iterator[ir.Stmt]:
    """All statements below some, themselves included."""
    pending = list(body)
    while pending:
        stmt = pending.pop()
        yield stmt
        pending += own_statements(stmt)


#: What can bind a name: most of what is gone through is not among it.
_BINDING = frozenset(
    {
        ir.ImportFrom, ir.Import, ir.Assign, ir.AugAssign, ir.Walrus, ir.For, ir.ComprehensionLoop, ir.WithItem, ir.Delete,
        ir.FunctionDef, ir.ClassDef, ir.Parameter, ir.Handler, ir.Pattern,
    }
)  # fmt: skip


def _bindings(item: object) -> list[tuple[str, Entry | None]]:
    """The names that an item itself binds, each with the entry point that it is bound to."""
    if type(item) not in _BINDING:
        return []
    if isinstance(item, ir.ImportFrom):
        return [(alias or name, Entry(name) if name in ENTRY_POINTS else None) for name, alias in item.names]
    if isinstance(item, ir.Import):
        return [(alias or name.partition(".")[0], None) for name, alias in item.names]
    if isinstance(item, ir.Assign):
        entry = _entry(item.value)
        return [
            (name, entry if isinstance(target, ir.Name) else None) for target in item.targets for name in target_names(target)
        ]
    if isinstance(item, (ir.AugAssign, ir.Walrus, ir.For, ir.ComprehensionLoop)):
        return [(name, None) for name in target_names(item.target)]
    if isinstance(item, ir.WithItem):
        return [(name, None) for name in target_names(item.target)] if item.target else []
    if isinstance(item, ir.Delete):
        return [(name, None) for target in item.targets for name in target_names(target)]
    if isinstance(item, (ir.FunctionDef, ir.ClassDef, ir.Parameter, ir.Handler, ir.Pattern)) and item.name:
        return [(item.name, None)]
    return []


def _entry(value: ir.Expr | None) -> Entry | None:
    """The entry point that an assigned value is: ``a.b.NAME``, ``NAME.out``, ``getattr(a, "NAME")``."""
    if isinstance(value, (ir.Name, ir.Attribute)):
        return recognise(attribute_names(value), {})
    if isinstance(value, ir.Call) and isinstance(value.func, ir.Name) and value.func.id == "getattr":
        name = value.args[1].value if len(value.args) > 1 else None
        if isinstance(name, ir.Constant) and name.value in ENTRY_POINTS:
            return Entry(str(name.value))
    return None
