"""Effective masks and impact against masks that are built cell by cell from the table of the operator."""

from __future__ import annotations

import itertools
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fia_lint.algebra.terms import Const, Extremum, Kind, Subject, Term, Unknown, extremum, linear, symbol
from fia_lint.evaluate.windows import WINDOW
from fia_lint.judge.arguments import Arguments, Tensor
from fia_lint.judge.bounds import NO_BOUND, Verdict, bound, compare, is_windowing, same_both_ways, shown
from fia_lint.judge.impact import impact, of_calls
from fia_lint.judge.masks import Band, Causal, Full, Given, LeftUpCausal, Mask, UnknownMask, band
from fia_lint.judge.rows import difference, ends, seen

W = symbol(WINDOW)
LONG, MOST_ROWS, MOST_KEYS = 10**6, 7, 15

Matrix = tuple[tuple[bool, ...], ...]


def number(value: int) -> Term:
    return bound(Const(value))


def call(mode: int, pre: Term = NO_BOUND, following: Term = NO_BOUND, tensor: Tensor = Tensor.EITHER) -> Arguments:
    return Arguments(pre, following, Const(mode), tensor)


def cells(mode: int, pre: float, following: float, rows: int, keys: int) -> Matrix:
    """Which cells the operator's table leaves, for the modes that do not depend on the tensor's contents."""
    offset = keys - rows

    def attends(i: int, j: int) -> bool:
        if mode == 2:
            return j <= i
        if mode == 3:
            return j <= i + offset
        if mode == 4:
            return i + offset - pre <= j <= i + offset + following
        return True

    return tuple(tuple(attends(i, j) for j in range(keys)) for i in range(rows))


# ------------------------------------------------------------------------------------------------ one mask


@pytest.mark.parametrize("mode", [0, 2, 3, 4])
def test_every_cell_is_that_of_the_table(mode: int) -> None:
    bounds = [-2, -1, 0, 1, 2, 4, LONG]
    for pre, following in itertools.product(bounds, bounds) if mode == 4 else [(LONG, LONG)]:
        mask = call(mode, _bound(pre), _bound(following), Tensor.NONE if mode == 0 else Tensor.EITHER).mask
        for rows in range(1, 5):
            for keys in range(rows, 8):
                matrix = cells(mode, pre, following, rows, keys)
                for row in range(rows):
                    visible = set(seen(mask, row, rows, keys, {}))
                    assert visible == {j for j in range(keys) if matrix[row][j]}, (mode, pre, following, rows, keys, row)


def _bound(value: int) -> Term:
    return NO_BOUND if value == LONG else number(value)


@pytest.mark.parametrize(
    ("arguments", "mask"),
    [
        (call(0, tensor=Tensor.NONE), "full"),
        (call(0, W, Const(0), Tensor.NONE), "full"),
        (call(0, tensor=Tensor.GIVEN), "given"),
        (call(0, tensor=Tensor.EITHER), "unknown"),
        (call(0, tensor=Tensor.UNKNOWN), "unknown"),
        (call(1), "given"),
        (call(1, tensor=Tensor.NONE), "unknown"),
        (call(2), "left-up causal"),
        (call(3, W, Const(5)), "causal"),
        (call(4, W, Const(0)), "band(sliding_window, 0)"),
        (call(4, linear(-1, ((WINDOW, 1),)), Const(1)), "band(sliding_window - 1, 1)"),
        (call(4, NO_BOUND, Const(0)), "causal"),
        (call(4), "full"),
        (call(4, W, NO_BOUND), "band(sliding_window, unbounded)"),
        (call(4, Const(-1), Const(0)), "band(-1, 0)"),
        (call(4, Const(None), Const(0)), "unknown"),
        (call(4, Unknown("a loop"), Const(0)), "unknown"),
        (call(5), "unknown"),
        (call(9), "given"),
        (Arguments(W, Const(0), Unknown("a loop"), Tensor.GIVEN), "unknown"),
        (Arguments(W, Const(0), symbol(Subject(("m",), "meta.mode", Kind.ATTRIBUTE)), Tensor.GIVEN), "unknown"),
    ],
    ids=str,
)
def test_effective_mask(arguments: Arguments, mask: str) -> None:
    assert str(arguments.mask) == mask


def test_what_a_mode_makes_of_the_bounds() -> None:
    assert all(call(mode).ignores_bounds and not call(mode).uses_bounds for mode in (1, 2, 3))
    assert call(4).uses_bounds and not call(4).ignores_bounds
    assert call(0, tensor=Tensor.NONE).ignores_bounds
    assert call(0, tensor=Tensor.GIVEN).uses_bounds
    either = call(0, tensor=Tensor.EITHER)
    assert not either.uses_bounds and not either.ignores_bounds


# ------------------------------------------------------------------------------------------------ bounds


@pytest.mark.parametrize("value", [2**31 - 1, 2**31, 2**63 - 1, 10**30])
def test_unbounded(value: int) -> None:
    assert number(value) == NO_BOUND
    assert shown(number(value)) == "unbounded"


def test_bounds_in_min_and_max() -> None:
    assert bound(extremum("min", (W, Const(2**31)))) == W
    assert bound(extremum("max", (W, Const(2**31)))) == NO_BOUND
    assert isinstance(bound(extremum("min", (W, Const(4096)))), Extremum)
    assert bound(Const(2**31 - 2)) == Const(2**31 - 2)
    assert bound(Const(None)) == Const(None)


OTHER = Subject(("h",), "meta.history", Kind.ATTRIBUTE)
HALF = Subject(("half", 1), "w // 2", Kind.OPAQUE, mentions=frozenset({WINDOW}))
HALF_AGAIN = Subject(("half", 2), "w // 2", Kind.OPAQUE, mentions=frozenset({WINDOW}))


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (W, W, Verdict.EQUAL),
        (W, linear(-1, ((WINDOW, 1),)), Verdict.DIFFER),
        (W, NO_BOUND, Verdict.DIFFER),
        (Const(0), NO_BOUND, Verdict.DIFFER),
        (Const(0), Const(1), Verdict.DIFFER),
        (W, Const(512), Verdict.DIFFER),
        (W, linear(0, ((WINDOW, 2),)), Verdict.UNCLEAR),
        (W, symbol(OTHER), Verdict.UNCLEAR),
        (symbol(OTHER), Const(3), Verdict.UNCLEAR),
        (symbol(OTHER), NO_BOUND, Verdict.UNCLEAR),
        (symbol(OTHER), linear(1, ((OTHER, 1),)), Verdict.DIFFER),
        (W, extremum("min", (W, Const(4096))), Verdict.UNCLEAR),
        (Unknown("a loop"), W, Verdict.UNCLEAR),
        (Unknown("a loop"), Unknown("a loop"), Verdict.UNCLEAR),
        (Const(None), Const(0), Verdict.UNCLEAR),
    ],
)
def test_when_terms_differ(one: Term, other: Term, verdict: Verdict) -> None:
    assert compare(one, other) is verdict
    assert compare(other, one) is verdict


def test_symmetric_bands() -> None:
    assert same_both_ways(W, W)
    assert same_both_ways(Const(64), Const(64))
    assert same_both_ways(symbol(HALF), symbol(HALF_AGAIN))
    assert not same_both_ways(W, Const(0))
    assert not same_both_ways(NO_BOUND, NO_BOUND)
    assert not same_both_ways(Unknown("a loop"), Unknown("a loop"))


def test_what_makes_a_window() -> None:
    assert is_windowing(W) and is_windowing(symbol(HALF)) and is_windowing(extremum("min", (W, Const(9))))
    assert is_windowing(Const(0)) and is_windowing(Const(65534))
    assert not is_windowing(Const(65535)) and not is_windowing(Const(-1)) and not is_windowing(NO_BOUND)
    assert not is_windowing(symbol(OTHER))


# ------------------------------------------------------------------------------------------------ two masks


def masks(numbers: list[int]) -> list[Mask]:
    bounds = [number(value) for value in numbers] + [NO_BOUND]
    bands = [band(pre, following) for pre, following in itertools.product(bounds, bounds)]
    return [Full(), Causal(), LeftUpCausal(), *(mask for mask in bands if isinstance(mask, Band))]


@lru_cache(maxsize=None)
def visible(mask: Mask, window: int) -> dict[tuple[int, int, int], tuple[int, int]]:
    """What every row of every small size sees."""
    sizes = [(rows, keys) for rows in range(1, MOST_ROWS + 1) for keys in range(rows, MOST_KEYS + rows)]
    return {
        (rows, keys, row): ends(seen(mask, row, rows, keys, {WINDOW: window})) for rows, keys in sizes for row in range(rows)
    }


def first_difference(one: Mask, other: Mask, window: int = 0) -> tuple[int, int, int] | None:
    """The smallest rows, keys and row that differ, by trying all."""
    left, right = visible(one, window), visible(other, window)
    return min((at for at in left if left[at] != right[at]), default=None)


def test_the_first_difference_is_found() -> None:
    every = masks([-2, -1, 0, 1, 3])
    for one, other in itertools.combinations(every, 2):
        found = difference(one, other, {})
        wanted = first_difference(one, other)
        assert (None if found is None else (found.rows, found.keys, found.row)) == wanted, (str(one), str(other))


_WINDOWED = st.one_of(
    st.builds(lambda c: linear(c, ((WINDOW, 1),)), st.integers(-2, 2)), st.integers(-1, 3).map(number), st.just(NO_BOUND)
)
_MASKS = st.one_of(st.sampled_from([Full(), Causal(), LeftUpCausal()]), st.builds(band, _WINDOWED, _WINDOWED))


@given(_MASKS, _MASKS)
def test_impact_holds_for_every_window(own: Mask, other: Mask) -> None:
    found = impact(own, other)
    for window in (3, 4, 6):
        wanted = first_difference(own, other, window)
        if found.kind == "same":
            assert wanted is None
        elif wanted is not None:
            rows, keys, _ = wanted
            bounds = [term for mask in (own, other) if isinstance(mask, Band) for term in (mask.pre, mask.next)]
            small = any(isinstance(term, Const) and term != NO_BOUND for term in bounds)
            text = found.values["rows"], found.values["keys"]
            if None not in text and not small:
                assert [_evaluated(part, window) for part in text] == [rows, keys], (str(own), str(other), window)
                assert found.values["one_row"] == (rows == 1)


def _evaluated(text: object, window: int) -> int:
    return int(eval(str(text), {"min": min, "max": max}, {"sliding_window": window}))  # noqa: S307


def test_one_future_token() -> None:
    found = impact(Band(linear(-1, ((WINDOW, 1),)), Const(1)), Band(linear(-1, ((WINDOW, 1),)), Const(0)))
    assert found.kind == "future"
    assert found.values["rows"] == "2" and found.values["one_row"] is False
    assert found.values["future"] == "1" and found.values["should_future"] == "0" and found.values["future_gap"] == 1
    example = found.values["example"]
    assert isinstance(example, dict)
    assert (example["row"], example["of_rows"], example["sees"], example["should_see"]) == (0, 2, (0, 2), (0, 1))


def test_one_earlier_token() -> None:
    found = impact(Band(linear(-1, ((WINDOW, 1),)), Const(0)), Band(W, Const(0)))
    assert found.kind == "past"
    assert found.values["rows"] == "1" and found.values["one_row"] is True
    assert found.values["keys"] == "sliding_window + 1"  # more keys than the window
    assert found.values["past_gap"] == -1


def test_no_window_at_all() -> None:
    found = impact(Full(), Band(W, Const(0)))
    assert found.kind == "both" and found.values["past"] == "unbounded" and found.values["future"] == "unbounded"
    assert impact(Causal(), Band(W, Const(0))).kind == "past"


def test_a_number_against_the_window() -> None:
    found = impact(Band(Const(4096), Const(0)), Band(W, Const(0)))
    assert found.values["keys"] == "min(4098, sliding_window + 2)"


def test_other_impacts() -> None:
    assert impact(Causal(), LeftUpCausal()).kind == "alignment"
    assert impact(Causal(), Causal()).kind == "same"
    assert impact(Causal(), Given()).kind == "unclear"
    assert impact(Causal(), UnknownMask("a loop")).kind == "unclear"
    calls = [call(3, W, Const(1)), call(4, W, Const(1))]
    assert of_calls(calls, lambda each: each.having("next_tokens", Const(0)).mask).kind == "future"
