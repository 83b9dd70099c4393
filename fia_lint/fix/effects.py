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

#: What an evaluation depends on, from the outside in.
Tests = tuple[str, ...]
#: The text of what is done, and under which tests.
Effect = tuple[str, Tests]


def effects(facts: ir.Facts, expr: ir.Expr, scope: Scope) -> list[Effect]:
    """What an expression (of ``facts``, as if it stood in a scope) does, in order, and under which tests."""
    return [(squeezed(facts, item), under) for item, under in guarded(facts, expr) if _acts(item, scope)]


def guarded(facts: ir.Facts, item: object, under: Tests = ()) -> Iterator[tuple[ir.Expr, Tests]]:
    """The expressions in an expression, itself included, each with the tests under which it is evaluated."""
    if isinstance(item, ir.Expr):
        yield item, under
    if isinstance(item, ir.Conditional):
        test = squeezed(facts, item.test)
        yield from guarded(facts, item.test, under)
        yield from guarded(facts, item.body, (*under, f"if {test}"))
        yield from guarded(facts, item.orelse, (*under, f"else {test}"))
    elif isinstance(item, ir.Boolean):
        for value in item.values:
            yield from guarded(facts, value, under)
            under = (*under, f"{item.op} {squeezed(facts, value)}")
    else:
        for each in parts(item):
            yield from guarded(facts, each, under)


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


def squeezed(facts: ir.Facts, expr: ir.Expr) -> str:
    """The text of an expression without blanks: the same for the same words."""
    return "".join(facts.text(expr.span).split())
