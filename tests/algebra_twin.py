"""A brute-force twin of the algebra: formulas as trees, evaluated value by value, and translated for z3.

The values of ``SAMPLES`` tell apart everything that formulas over the constants ``-2 … 3`` can tell apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from hypothesis import strategies as st

from fia_lint.algebra.diagram import Diagram, conj, ite, leaf, negate, test
from fia_lint.algebra.region import (
    BOOLEANS,
    IS_NONE,
    NUMBERS,
    TRUTHY,
    Named,
    Region,
    between,
    equal,
    identical,
)
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, linear, symbol

X = Subject(("x",), "x", Kind.WINDOW)
Y = Subject(("y",), "meta.y", Kind.ATTRIBUTE)
Z = Subject(("z",), "z", Kind.LOCAL)

NAME, OTHER_NAME = Named("'nz'"), Named("State.DECODE")
STRANGER = object()  # a value that counts as true and has no name
NUMBERS_FROM, NUMBERS_TO = -2, 3
SAMPLES: tuple[Any, ...] = (None, True, False, "", STRANGER, NAME, OTHER_NAME, *range(NUMBERS_FROM - 1, NUMBERS_TO + 2))

Assignment = dict[Subject, Any]


@dataclass(frozen=True)
class Test:
    """``form`` of a subject: ``is None``, ``truth``, ``is``, ``==``, ``<=``, ``number`` or ``bool``."""

    subject: Subject
    form: str
    constant: Any = None

    __test__ = False

    @property
    def region(self) -> Region:
        return {
            "is None": lambda: IS_NONE,
            "truth": lambda: TRUTHY,
            "is": lambda: identical(self.constant),
            "==": lambda: equal(self.constant),
            "<=": lambda: between(-inf, self.constant),
            "number": lambda: NUMBERS,
            "bool": lambda: BOOLEANS,
        }[self.form]()

    def holds(self, value: Any) -> bool:
        """What Python says."""
        if self.form == "is None":
            return value is None
        if self.form == "truth":
            return bool(value) if not isinstance(value, Named) else True
        if self.form == "is":
            return type(value) is type(self.constant) and value == self.constant
        if self.form == "==":
            return bool(value == self.constant)
        if self.form == "<=":
            return isinstance(value, int) and value <= self.constant
        return isinstance(value, bool if self.form == "bool" else int)


@dataclass(frozen=True)
class Both:
    left: Formula
    right: Formula


@dataclass(frozen=True)
class Not:
    inner: Formula


Formula = Test | Both | Not


def diagram(formula: Formula) -> Diagram:
    """The formula in the algebra."""
    if isinstance(formula, Test):
        return test(formula.subject, formula.region)
    if isinstance(formula, Not):
        return negate(diagram(formula.inner))
    return conj(diagram(formula.left), diagram(formula.right))


def holds(formula: Formula, assignment: Assignment) -> bool:
    """The formula in Python."""
    if isinstance(formula, Test):
        return formula.holds(assignment[formula.subject])
    if isinstance(formula, Not):
        return not holds(formula.inner, assignment)
    return holds(formula.left, assignment) and holds(formula.right, assignment)


def assignments(*subjects: Subject) -> Iterator[Assignment]:
    for values in itertools.product(SAMPLES, repeat=len(subjects)):
        yield dict(zip(subjects, values, strict=True))


# ------------------------------------------------------------------------------------------------ strategies

_INTEGERS = st.integers(NUMBERS_FROM, NUMBERS_TO)


def tests(*subjects: Subject) -> st.SearchStrategy[Test]:
    chosen = st.sampled_from(subjects)
    return st.one_of(
        st.builds(Test, chosen, st.sampled_from(["is None", "truth", "number", "bool"])),
        st.builds(Test, chosen, st.just("=="), st.one_of(_INTEGERS, st.booleans(), st.sampled_from([NAME, OTHER_NAME]))),
        st.builds(Test, chosen, st.just("is"), st.one_of(st.none(), st.booleans(), _INTEGERS, st.just(NAME))),
        st.builds(Test, chosen, st.just("<="), _INTEGERS),
    )


def formulas(*subjects: Subject) -> st.SearchStrategy[Formula]:
    return st.recursive(
        tests(*subjects), lambda inner: st.one_of(st.builds(Both, inner, inner), st.builds(Not, inner)), max_leaves=6
    )


@dataclass(frozen=True)
class Choice:
    """``then if condition else other``; a term at the ends."""

    condition: Formula
    then: Value
    other: Value


Value = Choice | Term

_TERMS = st.one_of(
    st.builds(Const, st.one_of(st.none(), st.integers(-1, 2))),
    st.sampled_from((X, Y)).map(symbol),
    st.builds(lambda s, c: linear(c, ((s, 1),)), st.sampled_from((X, Y)), st.integers(-1, 1)),
)


def values(*subjects: Subject) -> st.SearchStrategy[Value]:
    return st.recursive(_TERMS, lambda inner: st.builds(Choice, tests(*subjects), inner, inner), max_leaves=5)


def value_diagram(value: Value) -> Diagram:
    if isinstance(value, Choice):
        return ite(diagram(value.condition), value_diagram(value.then), value_diagram(value.other))
    return leaf(value)


def evaluated(value: Value, assignment: Assignment) -> Any:
    if isinstance(value, Choice):
        return evaluated(value.then if holds(value.condition, assignment) else value.other, assignment)
    return concrete(value, assignment)


def concrete(term: Term, assignment: Assignment) -> Any:
    """What a term is in Python; a sum over something that is no integer stays a description of itself."""
    if isinstance(term, Linear):
        if term.symbol is not None:
            return assignment[term.symbol]
        numbers = [(factor, assignment[subject]) for subject, factor in term.parts]
        if all(isinstance(number, int) for _, number in numbers):
            return term.constant + sum(factor * number for factor, number in numbers)
        return ("sum", term.constant, tuple((factor, repr(number)) for factor, number in numbers))
    assert isinstance(term, Const)
    return term.value


def same(left: Any, right: Any) -> bool:
    """Whether two results are equal; True and False are the numbers 1 and 0."""
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return type(left) is type(right) and left == right


__all__ = [
    "NAME", "OTHER_NAME", "SAMPLES", "Assignment", "Both", "Choice", "Formula", "Not", "Test", "Value", "X", "Y", "Z",
    "assignments", "concrete", "diagram", "evaluated", "formulas", "holds", "same", "tests", "value_diagram", "values",
]  # fmt: skip
