"""What an expression does beside having a value: calls, bindings, waits. None of it may be lost, or come anew, by a fix."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from fia_lint.extract import ir
from fia_lint.extract.walk import parts, walk
from fia_lint.fix.scope import Scope

#: Functions that only compute.
_PURE = frozenset("abs bool dict float getattr hasattr int isinstance len list max min round str tuple".split())
#: Functions of libraries that only compute, by the last part of their names.
_PURE_ATTRIBUTES = frozenset({"iinfo", "finfo"})

#: The text of what is done, and what it depends on, from the outside in.
Effect = tuple[str, tuple[str, ...]]


def effects(facts: ir.Facts, expr: ir.Expr, scope: Scope) -> list[Effect]:
    """What an expression (of ``facts``, as if it stood in a scope) does, in order, and under which tests."""
    return list(_of(facts, expr, scope, ()))


def _of(facts: ir.Facts, item: object, scope: Scope, under: tuple[str, ...]) -> Iterator[Effect]:
    if isinstance(item, ir.Expr) and _acts(item, scope):
        yield _text(facts, item), under
    if isinstance(item, ir.Conditional):
        test = _text(facts, item.test)
        yield from _of(facts, item.test, scope, under)
        yield from _of(facts, item.body, scope, (*under, f"if {test}"))
        yield from _of(facts, item.orelse, scope, (*under, f"else {test}"))
    elif isinstance(item, ir.Boolean):
        for value in item.values:
            yield from _of(facts, value, scope, under)
            under = (*under, f"{item.op} {_text(facts, value)}")
    else:
        for each in parts(item):
            yield from _of(facts, each, scope, under)


def _acts(item: ir.Expr, scope: Scope) -> bool:
    """Whether evaluating an expression itself, its parts aside, may do something."""
    if isinstance(item, ir.Call):
        return not is_pure(item, scope)
    if isinstance(item, ir.Attribute):
        return item.attr in acting_properties(scope.facts)
    if isinstance(item, ir.Other):
        return item.kind not in ("bytes", "complex")
    return isinstance(item, (ir.Walrus, ir.Lambda, ir.Comprehension))


def is_pure(call: ir.Call, scope: Scope) -> bool:
    """Whether a call does nothing but compute."""
    if isinstance(call.func, ir.Attribute):
        return call.func.attr in _PURE_ATTRIBUTES
    name = call.func.id if isinstance(call.func, ir.Name) else ""
    return name in _PURE and hasattr(builtins, name) and name not in scope.local and name not in scope.module


def acting_properties(facts: ir.Facts) -> frozenset[str]:
    """The decorated functions of a file that change something or call others: reading one as an attribute does that."""
    functions = [item for item in walk(*facts.body) if isinstance(item, ir.FunctionDef) and item.decorators]
    return frozenset(function.name for function in functions if any(map(_changes, walk(*function.body))))


def _changes(item: object) -> bool:
    if isinstance(item, ir.Assign):
        return any(isinstance(target, (ir.Attribute, ir.Subscript)) for target in item.targets)
    return isinstance(item, (ir.AugAssign, ir.Delete, ir.Call))


def _text(facts: ir.Facts, expr: ir.Expr) -> str:
    return "".join(facts.text(expr.span).split())
