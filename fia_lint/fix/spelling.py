"""How a value is spelled in a scope: as another call spells it, by a name at hand, or as a constant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fia_lint.evaluate.windows import WindowNames
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bindings import bindings
from fia_lint.fix.meaning import same_attribute, same_name
from fia_lint.fix.scope import Scope, is_attribute_of, rendered
from fia_lint.operators import CATALOGUE, MASK_ARGUMENTS, UNBOUNDED

#: Arguments that may speak of the window, in all spellings.
_ABOUT_MASKS = frozenset(name for row in CATALOGUE for name in (*MASK_ARGUMENTS, *row.spelling.values()))
_ATOMS = (ir.Name, ir.Attribute, ir.Constant, ir.Call, ir.Subscript)


class NotAtHand(Exception):
    """A name has no value in the scope, or another one."""


def one_line(text: str) -> str | None:
    """An expression on one line; None where that would lose a comment or change a string."""
    if "\n" not in text:
        return text
    return None if set(text) & set("#'\"\\") else " ".join(text.split())


def translated(source: Scope, expr: ir.Expr, target: Scope, windows: WindowNames, depth: int = 3) -> str | None:
    """An expression of one scope as it is spelled in another; None if that cannot be said there."""

    def substitute(item: ir.Expr) -> str | None:
        if isinstance(item, ir.Attribute):
            return None if same_attribute(item, source, target) else _window(item.attr, item)
        if not isinstance(item, ir.Name) or same_name(item.id, source, target):
            return None
        return _window(item.id, item)

    def _window(name: str, item: ir.Expr) -> str | None:
        if name in windows:
            here = window_spellings(target, windows)
            if here:
                return here[0]
        if isinstance(item, ir.Attribute):
            if is_attribute_of(item, source.receiver):
                raise NotAtHand(name)
            return None
        values = source.local.get(name, [])
        if depth and len(values) == 1 and values[0] is not None:
            text = translated(source, values[0], target, windows, depth - 1)
            if text is not None:
                return text if item is expr or isinstance(values[0], _ATOMS) else f"({text})"
        raise NotAtHand(name)

    try:
        return one_line(rendered(source, expr, substitute))
    except NotAtHand:
        return None


def window_spellings(scope: Scope, windows: WindowNames) -> list[str]:
    """How the window is called in a scope: as it is called at the place, or in the arguments of the call there that are about
    the mask; or else in the function and its class, if all that is called a window there is one thing."""
    masks = [argument.value for argument in scope.call.args if argument.name in _ABOUT_MASKS] if scope.call else []
    for near in ([scope.expr] if scope.expr is not None and scope.expr is not scope.call else [], masks):
        found = _spelled(scope, windows, list(walk(*near)))
        if found:
            return found if _is_one(scope, found) else []
    found = _spelled(scope, windows, list(walk(*scope.body)))
    own = [f"{scope.receiver}.{attr}" for attr in sorted(scope.attributes) if attr in windows] if scope.receiver else []
    names = [name for name in scope.local if name in windows and name in scope.before]
    found = list(dict.fromkeys([*(name for name in found if name in own), *own, *found, *names]))
    return found if _is_one(scope, found) else []


def _spelled(scope: Scope, windows: WindowNames, inside: list[object]) -> list[str]:
    """The windows that are spoken of in some code, as far as they have a value at the place."""
    used = [
        item for item in inside if isinstance(item, ir.Attribute) and item.attr in windows and isinstance(item.value, ir.Name)
    ]
    own = [scope.text(item) for item in used if is_attribute_of(item, scope.receiver)]
    names = [item.id for item in inside if isinstance(item, ir.Name) and item.id in windows and item.id in scope.before]
    owners = [(item, item.value.id) for item in used if isinstance(item.value, ir.Name)]
    others = [scope.text(item) for item, owner in owners if owner != scope.receiver and owner in scope.before]
    return list(dict.fromkeys([*own, *names, *others]))


def _is_one(scope: Scope, spellings: list[str]) -> bool:
    """Whether several names are names of one thing: each but one is bound to another, once, or the other to it."""
    distinct = set(spellings)
    pairs = {(name, scope.text(v[0])) for name, v in scope.local.items() if len(v) == 1 and v[0] is not None}
    for item in walk(*scope.body):
        if isinstance(item, ir.Assign) and item.value is not None:
            pairs |= {(scope.text(target), scope.text(item.value)) for target in item.targets if isinstance(target, ir.Attribute)}
    for one, other in sorted(pairs):
        if {one, other} <= distinct and len(distinct) > 1:
            distinct.discard(one if one in scope.local else other)
    return len(distinct) <= 1


def constants(value: str, scope: Scope, windows: WindowNames) -> Iterator[str]:
    """A normal form as an expression: a number, or the window (and a number) under the names that it has in the scope."""
    if re.fullmatch(r"-?\d+", value):
        yield value
    elif re.fullmatch(r"sliding_window( [+-] \d+)?", value):
        rest = value.removeprefix("sliding_window")
        for name in window_spellings(scope, windows)[:2]:
            yield name + rest
            yield f"{name}{rest} if {name} is not None else {unbounded(scope)}"


def unbounded(scope: Scope) -> str:
    """The unbounded value: a constant of the file that is one, else the number."""
    for name, value, _ in bindings(scope.facts.body):
        if isinstance(value, ir.Constant) and value.value == UNBOUNDED and name not in scope.local:
            return name
    return str(UNBOUNDED)


def undone(scope: Scope, expr: ir.Expr) -> Iterator[tuple[ir.Expr, str]]:
    """``(part of the expression, what it was)`` of the usual slip: one added or taken away."""
    if isinstance(expr, ir.Binary) and expr.op in "+-" and _is_number(expr.right):
        yield expr, scope.text(expr.left)
    elif isinstance(expr, ir.Conditional):
        for arm in (expr.body, expr.orelse):
            for part, text in undone(scope, arm):
                inner = part.left if isinstance(part, ir.Binary) else part
                yield part, text if isinstance(inner, _ATOMS) else f"({text})"


def not_undone(scope: Scope, expr: ir.Expr) -> Iterator[tuple[ir.Expr, str]]:
    """The same for a conditional expression whose test is negated."""
    if isinstance(expr, ir.Conditional) and isinstance(expr.test, ir.Unary) and expr.test.op == "not":
        yield expr.test, scope.text(expr.test.operand)


def turned_round(scope: Scope, expr: ir.Expr) -> Iterator[tuple[ir.Expr, str]]:
    """The same for a conditional expression whose arms are the wrong way round."""
    if isinstance(expr, ir.Conditional):
        test, body, orelse = (scope.text(part) for part in (expr.test, expr.body, expr.orelse))
        if not any(isinstance(part, (ir.Conditional, ir.Lambda)) for part in (expr.test, expr.body, expr.orelse)):
            yield expr, f"{orelse} if {test} else {body}"


def _is_number(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Constant) and isinstance(expr.value, int)
