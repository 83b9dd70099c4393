"""The algebra against a brute-force twin and against z3."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fia_lint.algebra import diagram as dd
from fia_lint.algebra.cover import as_condition, cover, words
from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, negate
from fia_lint.algebra.region import EVERYTHING, IS_NONE, NOTHING, TRUTHY, Region, between, equal, identical
from fia_lint.algebra.terms import Const, Extremum, Kind, Linear, Subject, Unknown, add, extremum, linear, scale, symbol
from tests import algebra_twin as twin
from tests.algebra_twin import SAMPLES, X, Y, Z, assignments, concrete, diagram, evaluated, formulas, holds, same


def truth(condition: Diagram, assignment: twin.Assignment) -> bool:
    return dd.value_at(condition, assignment).value


# ------------------------------------------------------------------------------------------------ regions


@given(twin.tests(X), twin.tests(X))
def test_regions_are_sets(one: twin.Test, other: twin.Test) -> None:
    a, b = one.region, other.region
    for value in SAMPLES:
        assert (value in a) == one.holds(value)
        assert (value in a & b) == (value in a and value in b)
        assert (value in a | b) == (value in a or value in b)
        assert (value in ~a) == (value not in a)
        assert (value in a - b) == (value in a and value not in b)
    assert (a <= b) == all(value in b for value in SAMPLES if value in a)
    assert bool(a) == any(value in a for value in SAMPLES)
    assert (a == b) == all((value in a) == (value in b) for value in SAMPLES)


def test_only_value_of_a_region() -> None:
    assert identical(None).only() == (None,)
    assert equal(1).only() == (1,)
    assert identical(True).only() == (True,)
    assert (identical(3) | IS_NONE).only() is None
    assert between(2, 3).only() is None
    assert EVERYTHING.only() is None and NOTHING.only() is None


# ------------------------------------------------------------------------------------------------ conditions


@given(formulas(X, Y))
def test_a_condition_is_its_formula(formula: twin.Formula) -> None:
    condition = diagram(formula)
    results = [(truth(condition, a), holds(formula, a)) for a in assignments(X, Y)]
    assert all(got == wanted for got, wanted in results)
    assert (condition is FALSE) == (not any(wanted for _, wanted in results))
    assert (condition is TRUE) == all(wanted for _, wanted in results)


@given(formulas(X, Y), formulas(X, Y))
def test_equal_conditions_are_one_object(one: twin.Formula, other: twin.Formula) -> None:
    alike = all(holds(one, a) == holds(other, a) for a in assignments(X, Y))
    assert (diagram(one) is diagram(other)) == alike


@given(formulas(X, Y), formulas(Y, X))
def test_joins(one: twin.Formula, other: twin.Formula) -> None:
    a, b = diagram(one), diagram(other)
    both, either, neither = conj(a, b), disj(a, b), negate(disj(a, b))
    for point in assignments(X, Y):
        left, right = holds(one, point), holds(other, point)
        assert truth(both, point) == (left and right)
        assert truth(either, point) == (left or right)
        assert truth(neither, point) == (not left and not right)
    assert dd.implies(a, b) == all(holds(other, p) for p in assignments(X, Y) if holds(one, p))


@given(formulas(X, Y), st.sampled_from([X, Y]))
def test_forgetting_a_subject(formula: twin.Formula, forgotten: Subject) -> None:
    (kept,) = {X, Y} - {forgotten}
    result = dd.exists(diagram(formula), lambda subject: subject == forgotten)
    assert forgotten not in result.support
    for value in SAMPLES:
        wanted = any(holds(formula, {kept: value, forgotten: other}) for other in SAMPLES)
        assert truth(result, {kept: value}) == wanted


@given(formulas(X, Y), twin.tests(Y))
def test_coarsening_a_subject(formula: twin.Formula, kept: twin.Test) -> None:
    block = kept.region
    result = dd.coarsen(diagram(formula), {Y: (block, ~block)})
    for point in assignments(X, Y):
        alike = [value for value in SAMPLES if (value in block) == (point[Y] in block)]
        assert truth(result, point) == any(holds(formula, {**point, Y: value}) for value in alike)


@given(formulas(X, Y), twin.tests(X))
def test_restricting_a_subject(formula: twin.Formula, known: twin.Test) -> None:
    result = dd.restrict(diagram(formula), X, known.region)
    if known.region:
        for point in assignments(X, Y):
            if point[X] in known.region:
                assert truth(result, point) == holds(formula, point)


@given(formulas(X, Y), formulas(X, Y))
def test_simplifying_under_a_condition(formula: twin.Formula, care: twin.Formula) -> None:
    whole, within = diagram(formula), diagram(care)
    result = dd.simplify(whole, within)
    assert result.support <= whole.support
    for point in assignments(X, Y):
        if holds(care, point):
            assert truth(result, point) == holds(formula, point)


@given(formulas(X, Y))
def test_renaming_a_subject(formula: twin.Formula) -> None:
    result = dd.rename(diagram(formula), {X: Z})
    for point in assignments(X, Y):
        assert truth(result, {Z: point[X], Y: point[Y]}) == holds(formula, point)


# ------------------------------------------------------------------------------------------------ values


@given(twin.values(X, Y))
def test_a_value_is_its_expression(value: twin.Value) -> None:
    result = twin.value_diagram(value)
    for point in assignments(X, Y):
        assert same(concrete(dd.value_at(result, point), point), evaluated(value, point))


@given(twin.values(X, Y), twin.values(X, Y))
def test_where_values_differ(one: twin.Value, other: twin.Value) -> None:
    a, b = twin.value_diagram(one), twin.value_diagram(other)
    condition = dd.differ(a, b)
    for point in assignments(X, Y):
        assert truth(condition, point) == (dd.value_at(a, point) != dd.value_at(b, point))
    pairs = dd.combine(lambda x, y: dd.leaf(Const(x == y)), a, b)
    assert pairs is negate(condition)


@given(twin.values(X, Y), formulas(X, Y))
def test_cases_exclude_each_other_and_cover(value: twin.Value, care: twin.Formula) -> None:
    result, within = twin.value_diagram(value), diagram(care)
    found = dd.cases(result, within)
    assert disj(*(condition for condition, _ in found)) is within
    for number, (condition, term) in enumerate(found):
        assert all(conj(condition, other) is FALSE for other, _ in found[:number])
        for point in assignments(X, Y):
            if truth(condition, point):
                assert dd.value_at(result, point) == term


@given(twin.values(X, Y), twin.tests(X))
def test_restricting_a_value(value: twin.Value, known: twin.Test) -> None:
    result = dd.restrict(twin.value_diagram(value), X, known.region)
    if known.region:
        for point in assignments(X, Y):
            if point[X] in known.region:
                assert same(concrete(dd.value_at(result, point), point), evaluated(value, point))


def test_normal_forms_of_values() -> None:
    window = dd.leaf(symbol(X))
    none = dd.leaf(Const(None))
    assert dd.ite(dd.test(X, ~IS_NONE), window, none) is window
    assert dd.ite(dd.test(X, equal(0)), dd.leaf(Const(0)), window) is window
    assert dd.ite(dd.test(X, TRUTHY), window, none) is not window


def test_what_exceeds_a_bound_is_unknown_and_says_which() -> None:
    names = [Subject((f"s{i}",), f"s{i}", Kind.LOCAL) for i in range(32)]
    value = dd.leaf(Const(-1))
    for number, subject in enumerate(names):
        value = dd.ite(dd.test(subject, TRUTHY), dd.leaf(Const(number)), value)
    assert value is dd.TOO_MANY_TERMS
    assert isinstance(value.term, Unknown) and "max-terms" in value.term.reason
    uncapped = dd.combine(lambda *terms: dd.leaf(Const(sum(t.value for t in terms))), *(_bit(i) for i in range(7)), capped=False)
    assert len(uncapped.terms) == 128


def _bit(number: int) -> Diagram:
    return dd.ite(dd.test(Subject((number,), f"b{number}", Kind.LOCAL), TRUTHY), dd.leaf(Const(1 << number)), dd.leaf(Const(0)))


# ------------------------------------------------------------------------------------------------ terms

_LINEAR = st.builds(
    lambda c, a, b: linear(c, ((X, a), (Y, b))), st.integers(-3, 3), st.integers(-2, 2), st.integers(-2, 2)
)


def _number(term: object, x: int, y: int) -> int:
    if isinstance(term, Extremum):
        return (min if term.name == "min" else max)(_number(part, x, y) for part in term.terms)
    if isinstance(term, Linear):
        return term.constant + sum(factor * {X: x, Y: y}[subject] for subject, factor in term.parts)
    assert isinstance(term, Const)
    return term.value  # type: ignore[return-value]


@given(_LINEAR, _LINEAR, st.integers(-3, 3), st.sampled_from(["min", "max"]))
def test_arithmetic_of_terms(a: Linear, b: Linear, factor: int, name: str) -> None:
    points = [(x, y) for x in (-5, 0, 2, 7) for y in (-4, 1, 3)]
    results = {add(a, b): lambda p, q: p + q, add(a, b, -1): lambda p, q: p - q}
    results[scale(a, factor)] = lambda p, q: p * factor
    for term, wanted in results.items():
        assert all(_number(term, *at) == wanted(_number(a, *at), _number(b, *at)) for at in points)
    smallest = extremum(name, (a, b))
    wanted = min if name == "min" else max
    assert all(_number(smallest, *at) == wanted(_number(a, *at), _number(b, *at)) for at in points)
    assert extremum(name, (b, a)) == smallest


@given(_LINEAR, _LINEAR)
def test_equal_sums_are_equal_terms(a: Linear, b: Linear) -> None:
    points = [(x, y) for x in (-5, 0, 2, 7) for y in (-4, 1, 3)]
    assert (a == b) == all(_number(a, *at) == _number(b, *at) for at in points)


def test_the_order_of_terms_does_not_rest_on_their_texts() -> None:
    one, other = (symbol(Subject((name,), "x.size()", Kind.OPAQUE)) for name in ("one", "other"))
    assert str(one) == str(other) and one.order != other.order


# ------------------------------------------------------------------------------------------------ words


@given(formulas(X, Y, Z))
def test_a_cover_is_exact_and_short(formula: twin.Formula) -> None:
    condition = diagram(formula)
    cubes = cover(condition)
    assert disj(FALSE, *map(as_condition, cubes)) is condition
    for cube in cubes:
        rest = [as_condition(other) for other in cubes if other is not cube]
        assert disj(FALSE, *rest) is not condition
        for subject in cube:
            shorter = {s: r for s, r in cube.items() if s != subject}
            assert not dd.implies(as_condition(shorter), condition)


def test_a_cover_of_many_cubes_is_exact() -> None:
    names = [Subject((f"s{i}",), f"s{i}", Kind.LOCAL) for i in range(9)]
    parity = FALSE
    for subject in names:
        bit = dd.test(subject, TRUTHY)
        parity = dd.ite(bit, negate(parity), parity)
    cubes = cover(parity)
    assert len(cubes) == 256
    assert disj(*map(as_condition, cubes)) is parity


def test_words() -> None:
    w = Subject(("w",), "w", Kind.WINDOW)
    state = Subject(("s",), "meta.state", Kind.ATTRIBUTE)
    assert words(TRUE) == "always"
    assert words(FALSE) == "never"
    assert words(conj(dd.test(w, ~IS_NONE), dd.test(state, TRUTHY))) == "w is not None and meta.state"
    assert words(disj(dd.test(w, equal(-1)), conj(dd.test(w, between(1, 9)), dd.test(state, IS_NONE)))) == (
        "w == -1 or (1 <= w <= 9 and meta.state is None)"
    )


_SCRIPT = """
from fia_lint.algebra.cover import words
from fia_lint.algebra.diagram import conj, disj, test, leaf, ite
from fia_lint.algebra.region import IS_NONE, TRUTHY, Named, identical
from fia_lint.algebra.terms import Const, Kind, Subject, symbol
names = [Subject((f"n{i}",), f"n{i}", Kind.LOCAL) for i in range(5)]
tests = [test(s, region) for s in names for region in (IS_NONE, TRUTHY, identical(Named("A")), identical(Named("B")))]
condition = disj(*(conj(a, b) for a, b in zip(tests, tests[5:] + tests[:5])))
twins = [symbol(Subject((f"k{i}",), "f(x)", Kind.OPAQUE)) for i in range(5)]
value = leaf(Const(0))
for t, term in zip(tests, twins):
    value = ite(t, leaf(term), value)
print(words(condition)); print([t.order for t in value.terms])
"""


def test_words_do_not_depend_on_the_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "7"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent.parent)}
        run = subprocess.run([sys.executable, "-c", _SCRIPT], env=environment, capture_output=True, text=True, check=True)
        outputs.add(run.stdout)
    assert len(outputs) == 1


# ------------------------------------------------------------------------------------------------ z3


@given(formulas(X, Y, Z), formulas(X, Y, Z))
def test_z3_agrees(one: twin.Formula, other: twin.Formula) -> None:
    z3 = pytest.importorskip("z3")
    oracle = _Oracle(z3)
    a, b = diagram(one), diagram(other)
    for formula, condition in ((one, a), (other, b), (twin.Both(one, other), conj(a, b))):
        exact = oracle.formula(formula)
        assert oracle.is_valid(exact == oracle.diagram(condition))
        assert oracle.is_valid(z3.Not(exact)) == (condition is FALSE)
    assert oracle.is_valid(oracle.formula(one) == oracle.formula(other)) == (a is b)
    forgotten = dd.exists(a, lambda subject: subject == Y)
    assert oracle.is_valid(z3.Exists([oracle.value(Y)], oracle.formula(one)) == oracle.diagram(forgotten))
    covered = disj(FALSE, *map(as_condition, cover(a)))
    assert oracle.is_valid(oracle.formula(one) == oracle.diagram(covered))


class _Oracle:
    """Formulas and diagrams for z3. A value is none, a boolean, an integer, an empty thing, or a thing with a number."""

    _sort = None

    def __init__(self, z3) -> None:  # type: ignore[no-untyped-def]
        self.z3 = z3
        if _Oracle._sort is None:
            made = z3.Datatype("Value")
            made.declare("none")
            made.declare("boolean", ("truth", z3.BoolSort()))
            made.declare("integer", ("number", z3.IntSort()))
            made.declare("empty")
            made.declare("thing", ("name", z3.IntSort()))
            _Oracle._sort = made.create()
        self.names = {twin.NAME.text: 1, twin.OTHER_NAME.text: 2}

    def value(self, subject: Subject):  # type: ignore[no-untyped-def]
        return self.z3.Const(subject.text, _Oracle._sort)

    def is_valid(self, claim) -> bool:  # type: ignore[no-untyped-def]
        solver = self.z3.Solver()
        solver.set("timeout", 20000)
        solver.add(self.z3.Not(claim))
        result = solver.check()
        assert result != self.z3.unknown
        return bool(result == self.z3.unsat)

    def formula(self, formula: twin.Formula):  # type: ignore[no-untyped-def]
        if isinstance(formula, twin.Not):
            return self.z3.Not(self.formula(formula.inner))
        if isinstance(formula, twin.Both):
            return self.z3.And(self.formula(formula.left), self.formula(formula.right))
        return self._test(self.value(formula.subject), formula)

    def _test(self, value, made: twin.Test):  # type: ignore[no-untyped-def]
        z3, sort = self.z3, _Oracle._sort
        if made.form == "is None":
            return sort.is_none(value)
        if made.form == "truth":
            true = z3.And(sort.is_boolean(value), sort.truth(value))
            return z3.Or(true, z3.And(sort.is_integer(value), sort.number(value) != 0), sort.is_thing(value))
        if made.form == "number":
            return z3.Or(sort.is_boolean(value), sort.is_integer(value))
        if made.form == "bool":
            return sort.is_boolean(value)
        if made.form == "<=":
            small = z3.And(sort.is_integer(value), sort.number(value) <= made.constant)
            return z3.Or(small, z3.And(sort.is_boolean(value), z3.If(sort.truth(value), 1, 0) <= made.constant))
        exact = self._constant(value, made.constant)
        if made.form == "==" and made.constant in (0, 1):
            return z3.Or(self._constant(value, int(made.constant)), self._constant(value, bool(made.constant)))
        return exact

    def _constant(self, value, constant):  # type: ignore[no-untyped-def]
        sort = _Oracle._sort
        if constant is None:
            return sort.is_none(value)
        if isinstance(constant, bool):
            return value == sort.boolean(constant)
        if isinstance(constant, int):
            return value == sort.integer(constant)
        return value == sort.thing(self.names[constant.text])

    def diagram(self, condition: Diagram):  # type: ignore[no-untyped-def]
        if condition.subject is None:
            return self.z3.BoolVal(condition is TRUE)
        value = self.value(condition.subject)
        parts = [self.z3.And(self._region(value, region), self.diagram(child)) for region, child in condition.edges]
        return self.z3.Or(*parts)

    def _region(self, value, region: Region):  # type: ignore[no-untyped-def]
        z3, sort = self.z3, _Oracle._sort
        parts = [self._constant(value, constant) for constant in (None, True, False) if constant in region]
        parts += [sort.is_empty(value)] if "" in region else []
        for low, high in region.ints:
            ends = [sort.is_integer(value)]
            ends += [sort.number(value) >= int(low)] if low != float("-inf") else []
            ends += [sort.number(value) <= int(high)] if high != float("inf") else []
            parts.append(z3.And(*ends))
        named = z3.Or(*(value == sort.thing(self.names[name]) for name in sorted(region.names)), z3.BoolVal(False))
        parts.append(z3.And(sort.is_thing(value), z3.Not(named)) if region.cofinite else named)
        return z3.Or(*parts)
