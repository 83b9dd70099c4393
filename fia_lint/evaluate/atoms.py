"""Tests of values: truth, comparisons and membership, as conditions over subjects."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, combine, map_leaves, negate, test
from fia_lint.algebra.region import EVERYTHING, IS_NONE, NUMBERS, TRUTHY, Named, Region, between, equal, identical
from fia_lint.algebra.terms import Const, Extremum, Kind, Linear, Subject, Term, Unknown, add
from fia_lint.evaluate.values import Element, External, Ref, number

#: A test that was made: the subject, the region where it holds, and its form (``truth``, ``is None``, ``> 0`` …).
Listener = Callable[[Subject, Region, str], None]


#: What only type checkers take for true.
_FALSE_AT_RUN_TIME = {"typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"}


def pure(name: str, *parts: object, text: str, terms: tuple[Term, ...] = ()) -> Subject:
    """An opaque subject that depends on nothing but its parts: two evaluations of it are the same thing."""
    mentions: frozenset[Subject] = frozenset().union(*(term.subjects for term in terms))
    kind = Kind.OPAQUE
    kinds = {subject.kind for subject in mentions}
    if kinds and kinds <= {Kind.LAYER, Kind.WINDOW} and all(isinstance(t, (Linear, Const, External)) for t in terms):
        kind = Kind.LAYER
    return Subject(("pure", name, *parts), text, kind, mentions)


def truth(value: Diagram, opaque: Callable[[str], Subject], listen: Listener) -> Diagram:
    """The condition that a value counts as true. ``opaque`` makes a fresh subject for what cannot be tested."""

    def of(term: Term) -> Diagram:
        if isinstance(term, External) and term.dotted in _FALSE_AT_RUN_TIME:
            return FALSE
        term = _as_symbol(term)
        if isinstance(term, Const):
            return TRUE if _const_truth(term) else FALSE
        if isinstance(term, Linear):
            if term.symbol is not None:
                listen(term.symbol, TRUTHY, "truth")
                return test(term.symbol, TRUTHY)
            return negate(_linear_test(term, equal(0), "==", listen))
        if isinstance(term, (Unknown, Extremum)):
            return test(opaque(str(term)), TRUTHY)
        return TRUE

    return map_leaves(value, of)


def _const_truth(term: Const) -> bool:
    if isinstance(term.value, Named):
        return term.value.text not in ("''", '""', "b''") and number(term.value) != 0
    return bool(term.value)


def compare(op: str, a: Diagram, b: Diagram, opaque: Callable[[str], Subject], listen: Listener) -> Diagram:
    """The condition of one comparison (not ``in``)."""

    def of(x: Term, y: Term) -> Diagram:
        if isinstance(x, Unknown) or isinstance(y, Unknown):
            return test(opaque(f"{x} {op} {y}"), TRUTHY)
        if op in ("is", "is not", "==", "!="):
            result = _same(x, y, op, listen)
            return negate(result) if op in ("is not", "!=") else result
        return _ordered(x, y, op, opaque, listen)

    return combine(of, a, b)


def numeric(value: Diagram) -> Diagram:
    """The condition that a value can be ordered at all: what a comparison that did not raise has proved."""

    def of(term: Term) -> Diagram:
        if isinstance(term, Linear) and term.symbol is not None and term.symbol.kind in (Kind.WINDOW, Kind.LOCAL):
            return test(term.symbol, NUMBERS)
        return FALSE if isinstance(term, Const) and term.value is None else TRUE

    return map_leaves(value, of)


def _as_symbol(term: Term) -> Term:
    """Something read from a container, or from a module outside the tree, as something that can be tested."""
    if isinstance(term, External) and "." in term.dotted:
        return Linear(0, ((Subject(("external", term.dotted), term.dotted, Kind.OPAQUE), 1),))
    if isinstance(term, Element):
        if term.origin is not None:
            return Linear(0, ((term.origin, 1),))
        key = ("element", term.name, term.level, term.serial)
        return Linear(0, ((Subject(key, str(term), Kind.OPAQUE), 1),))
    return term


def _same(x: Term, y: Term, op: str, listen: Listener) -> Diagram:
    x, y = _as_symbol(x), _as_symbol(y)
    if isinstance(x, Const) and not isinstance(y, Const):
        x, y = y, x
    if isinstance(y, Const):
        if isinstance(x, Const):
            return TRUE if _equal_constants(x.value, y.value, op) else FALSE
        if isinstance(x, Linear):
            region = identical(y.value) if op in ("is", "is not") else equal(y.value)
            if x.symbol is not None:
                form = "is None" if y.value is None else f"== {y.value}"
                listen(x.symbol, region, form)
                return test(x.symbol, region)
            if not isinstance(y.value, int):
                return FALSE
            shifted = add(x, Const(int(y.value)), -1)
            return _linear_test(shifted, equal(0), "==", listen)
        if isinstance(x, External):
            return FALSE if y.value is None else test(pure("==", x, y.value, text=f"{x} == {y}"), TRUTHY)
        if isinstance(x, Extremum):
            return FALSE if y.value is None else test(pure("==", x, y.value, text=f"{x} == {y}", terms=(x,)), TRUTHY)
        return FALSE
    if x == y:
        return TRUE
    if isinstance(x, Ref) and isinstance(y, Ref) and op in ("is", "is not"):
        return FALSE
    gap = add(x, y, -1)
    if gap is not None:
        return _linear_test(gap, equal(0), "==", listen) if op in ("==", "!=") or _one_symbol(gap) else _pair(x, y, op)
    return _pair(x, y, "==" if op in ("==", "!=") else "is")


def _one_symbol(term: Term) -> bool:
    return isinstance(term, Const) or (isinstance(term, Linear) and len(term.parts) == 1)


def _pair(x: Term, y: Term, op: str) -> Diagram:
    if x.order > y.order and not isinstance(y, Linear):
        x, y = y, x
    return test(pure(op, x, y, text=f"{x} {op} {y}", terms=(x, y)), TRUTHY)


def _equal_constants(a: object, b: object, op: str) -> bool:
    if op in ("is", "is not"):
        return type(a) is type(b) and a == b
    numbers = number(a), number(b)
    return a == b if None in numbers else numbers[0] == numbers[1]


_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _ordered(x: Term, y: Term, op: str, opaque: Callable[[str], Subject], listen: Listener) -> Diagram:
    if isinstance(x, Const) and isinstance(y, Const):
        a, b = number(x.value), number(y.value)
        if a is not None and b is not None:
            return TRUE if {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op] else FALSE
        return test(pure(op, x.value, y.value, text=f"{x} {op} {y}"), TRUTHY)
    if _is_fraction(x) or _is_fraction(y):
        return test(pure(op, x, y, text=f"{x} {op} {y}", terms=(x, y)), TRUTHY)
    if isinstance(x, Linear) and x.symbol is not None and isinstance(y, Const) and isinstance(y.value, int):
        region = _half_line(op, y.value)
        listen(x.symbol, region, f"{op} {int(y.value)}")
        return test(x.symbol, region)
    if isinstance(y, Linear) and y.symbol is not None and isinstance(x, Const) and isinstance(x.value, int):
        return _ordered(y, x, _FLIPPED[op], opaque, listen)
    gap = add(x, y, -1)
    if gap is None:
        return test(pure(op, x, y, text=f"{x} {op} {y}", terms=(x, y)), TRUTHY)
    return _linear_test(gap, _half_line(op, 0), op, listen)


def _is_fraction(term: Term) -> bool:
    """Whether a term is the result of a division, or of an operation with a fraction: bounds of it are no integers."""
    made = [subject.key for subject in term.subjects if subject.key[0] == "pure"]
    return any(key[1] == "/" or any(isinstance(p, Const) and isinstance(number(p.value), float) for p in key) for key in made)


def _half_line(op: str, bound: int) -> Region:
    return {
        "<": between(-inf, bound - 1),
        "<=": between(-inf, bound),
        ">": between(bound + 1, inf),
        ">=": between(bound, inf),
    }[op]


def _linear_test(term: Term | None, region: Region, op: str, listen: Listener) -> Diagram:
    """The condition that a linear term lies in ``region`` (of integers)."""
    if isinstance(term, Const):
        return TRUE if term.value in region else FALSE
    assert isinstance(term, Linear)
    if len(term.parts) == 1:
        subject, factor = term.parts[0]
        wanted = _solve(region, term.constant, factor)
        listen(subject, wanted, op)
        return test(subject, wanted)
    low = term.parts[0][1]
    if low < 0:
        # One sign for a difference and its negation, so that x < y and y > x are one test.
        return _linear_test(_negated(term), _mirror(region), op, listen)
    core = Linear(0, term.parts)
    subject = pure("sum", core, text=str(core), terms=(core,))
    return test(subject, _solve(region, term.constant, 1))


def _negated(term: Linear) -> Linear:
    return Linear(-term.constant, tuple((s, -f) for s, f in term.parts))


def _mirror(region: Region) -> Region:
    found = EVERYTHING - EVERYTHING
    for low, high in region.ints:
        found = found | between(-high, -low)
    return found


def _solve(region: Region, constant: int, factor: int) -> Region:
    """The integers x with ``constant + factor * x`` in ``region``."""
    found = EVERYTHING - EVERYTHING
    for low, high in region.ints:
        ends = [_divide(end - constant, factor, up) for end, up in ((low, True), (high, False))]
        if factor < 0:
            ends = [_divide(high - constant, factor, True), _divide(low - constant, factor, False)]
        if ends[0] <= ends[1]:
            found = found | between(ends[0], ends[1])
    return found


def _divide(value: float, factor: int, up: bool) -> float:
    if abs(value) == inf:
        return value if factor > 0 else -value
    number = int(value)
    return -((-number) // factor) if up else number // factor


__all__ = ["IS_NONE", "compare", "numeric", "pure", "truth"]
