"""Effective masks and impact against masks that are built cell by cell, by the table of the operator's reference.

Query row i, key column j. Right-down: the last row is aligned with the last column; left-up: row 0 with column 0.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import pytest

from fia_lint.algebra.terms import Const, Kind, Subject, Term, linear, symbol
from fia_lint.judge.arguments import Arguments, Tensor
from fia_lint.judge.impact import impact
from fia_lint.judge.masks import Band, Causal, Full, Given, LeftUpCausal, Mask, UnknownMask, band

UNBOUNDED = 2**31 - 1
BOUNDS = (-2, -1, 0, 1, 2, 3, UNBOUNDED)
ROWS, KEYS = 6, 14
LENGTHS = [(queries, keys) for queries in range(1, 5) for keys in range(queries, 8)]
Cell = Callable[[int, int, int, int], bool]
Cells = frozenset[tuple[int, int]]

WINDOW = Subject(("window",), "sliding_window", Kind.WINDOW)


def cells(attends: Cell, queries: int, keys: int) -> Cells:
    """The cells of a mask; ``attends(i, j, queries, keys)``."""
    return frozenset((i, j) for i in range(queries) for j in range(keys) if attends(i, j, queries, keys))


# -------------------------------------------------------------------------------------- the table of the operator


def table(mode: int, pre: int, following: int, tensor: Cell | None) -> Cell:
    """What the operator attends, written down from its reference."""

    def right_down(i: int, j: int, queries: int, keys: int) -> int:
        return j - (i + keys - queries)  # how far the key lies ahead of the row's own

    def attends(i: int, j: int, queries: int, keys: int) -> bool:
        left = tensor is None or tensor(i, j, queries, keys)
        if mode == 0:
            return tensor is None or (left and i - pre <= j <= i + following)
        if mode in (1, 9):
            return left
        if mode == 2:
            return j <= i
        ahead = right_down(i, j, queries, keys)
        return ahead <= 0 if mode == 3 else -pre <= ahead <= following

    return attends


def scattered(seed: int) -> Cell:
    """A mask tensor that follows no rule."""
    rng = random.Random(seed)
    kept = {(i, j) for i in range(8) for j in range(8) if rng.random() < 0.6}
    return lambda i, j, queries, keys: (i, j) in kept


def number(term: Term, window: int | None = None) -> int:
    """A bound as a number."""
    bound = term.bind(WINDOW, window) if window is not None else term
    assert isinstance(bound, Const) and isinstance(bound.value, int)
    return bound.value


def drawn(mask: Mask, tensor: Cell | None = None, window: int | None = None) -> Cell:
    """The cells that an effective mask stands for."""
    if isinstance(mask, Full):
        return lambda i, j, queries, keys: True
    if isinstance(mask, Causal):
        return lambda i, j, queries, keys: j <= i + keys - queries
    if isinstance(mask, LeftUpCausal):
        return lambda i, j, queries, keys: j <= i
    if isinstance(mask, Band):
        pre, following = number(mask.pre, window), number(mask.next, window)
        return lambda i, j, queries, keys: -pre <= j - (i + keys - queries) <= following
    assert isinstance(mask, Given) and tensor is not None
    pre, following = number(mask.pre), number(mask.next)
    return lambda i, j, queries, keys: tensor(i, j, queries, keys) and i - pre <= j <= i + following


@pytest.mark.parametrize(("mode", "given"), [(0, False), *((mode, True) for mode in (0, 1, 2, 3, 4, 9))])
def test_effective_masks(mode: int, given: bool) -> None:
    for count, (pre, following) in enumerate(itertools.product(BOUNDS, BOUNDS)):
        tensor = scattered(count) if given else None
        call = Arguments(Const(pre), Const(following), Const(mode), Tensor.GIVEN if given else Tensor.NONE)
        for queries, keys in LENGTHS:
            wanted = cells(table(mode, pre, following, tensor), queries, keys)
            assert cells(drawn(call.mask, tensor), queries, keys) == wanted, (pre, following, queries, keys, str(call.mask))


def test_mode_0_with_a_mask_that_may_be_none_is_unknown() -> None:
    assert isinstance(Arguments(Const(4), Const(0), Const(0), Tensor.EITHER).mask, UnknownMask)
    assert not Arguments(Const(4), Const(0), Const(0), Tensor.UNKNOWN).mask.known


@pytest.mark.parametrize("window", range(1, 6))
def test_effective_masks_with_a_window(window: int) -> None:
    for before, after in itertools.product((-1, 0, 1), (-1, 0, 1, 2)):
        call = Arguments(linear(before, ((WINDOW, 1),)), Const(after), Const(4), Tensor.GIVEN)
        for queries, keys in LENGTHS:
            wanted = cells(table(4, window + before, after, None), queries, keys)
            assert cells(drawn(call.mask, window=window), queries, keys) == wanted


# ----------------------------------------------------------------------------------------------------- the impact


def first_difference(one: Cell, other: Cell, most: int = 14) -> tuple[int, int] | None:
    """The smallest number of rows, and with it of keys, for which two masks differ."""
    for queries in range(1, most):
        for keys in range(queries, most):
            places = itertools.product(range(queries), range(keys))
            if any(one(i, j, queries, keys) != other(i, j, queries, keys) for i, j in places):
                return queries, keys
    return None


def farthest(attends: Cell, queries: int = ROWS, keys: int = KEYS) -> tuple[int, int]:
    """How far back and how far ahead of its own key some row attends."""
    ahead = [j - (i + keys - queries) for i, j in cells(attends, queries, keys)]
    return -min(ahead), max(ahead)


def text_number(text: str, window: int | None) -> int:
    return int(eval(text, {"__builtins__": {}, "min": min, "max": max}, {"sliding_window": window}))  # noqa: S307


MASKS: list[Mask] = [Full(), Causal(), LeftUpCausal()]
MASKS += [band(Const(pre), Const(after)) for pre, after in itertools.product((-1, 0, 1, 3, UNBOUNDED), (-1, 0, 1, 2, UNBOUNDED))]


def windowed() -> Iterator[Mask]:
    """Masks with a window."""
    for before, after in itertools.product((-1, 0, 1), (0, 1, 3)):
        yield band(linear(before, ((WINDOW, 1),)), Const(after))
    yield band(symbol(WINDOW), symbol(WINDOW))
    yield band(symbol(WINDOW), Const(UNBOUNDED))


def check_impact(own: Mask, other: Mask, window: int | None) -> None:
    one, two = drawn(own, window=window), drawn(other, window=window)
    found, differs = impact(own, other), first_difference(one, two)
    if found.kind in ("same", "unclear"):
        assert differs is None, f"{found.kind}, but from {differs} on they differ"
        return
    if differs is None:
        assert window is not None, "there is no difference"
        return  # a window of just this size makes the two masks one
    rows, keys = differs
    values = found.values
    assert values["one_row"] == (rows == 1)
    if values["rows"] is not None:
        assert text_number(str(values["rows"]), window) == rows
    if values["keys"] is not None:
        assert text_number(str(values["keys"]), window) == keys
    check_sides(values, one, two, window)


def check_sides(values: dict[str, object], one: Cell, two: Cell, window: int | None) -> None:
    for side, place in (("past", 0), ("future", 1)):
        for name, attends in ((side, one), (f"should_{side}", two)):
            text = values.get(name)
            if text is not None and cells(attends, ROWS, KEYS):
                far = farthest(attends)[place]
                limit = (KEYS - 1, ROWS - 1)[place]  # what the last row has before its own key, and the first after it
                assert min(text_number(str(text).replace("unbounded", "2147483647"), window), limit) == far, name


def check_example(own: Mask, other: Mask) -> None:
    """The row that is shown is one that differs, and it sees what is said."""
    found = impact(own, other)
    if found.kind in ("same", "unclear"):
        return
    example = found.values["example"]
    assert isinstance(example, dict)
    row, queries, keys = example["row"], example["of_rows"], example["of_keys"]
    seen = []
    for mask, name in ((own, "sees"), (other, "should_see")):
        attended = {j for i, j in cells(drawn(mask, window=example["window"]), queries, keys) if i == row}
        start, end = example[name]
        assert attended == set(range(start, end)), name
        seen.append(attended)
    assert seen[0] != seen[1]


@pytest.mark.parametrize("own", MASKS, ids=str)
def test_impact_of_numbers(own: Mask) -> None:
    for other in MASKS:
        if own == other:
            assert impact(own, other).kind == "same"
            continue
        check_impact(own, other, None)
        check_example(own, other)


@pytest.mark.parametrize("own", list(windowed()), ids=str)
@pytest.mark.parametrize("window", [1, 2, 3, 5])
def test_impact_with_a_window(own: Mask, window: int) -> None:
    for other in [*windowed(), Full(), Causal(), LeftUpCausal()]:
        if own != other:
            check_impact(own, other, window)


@pytest.mark.parametrize("own", list(windowed()), ids=str)
def test_examples_with_a_window(own: Mask) -> None:
    for other in [*windowed(), Full(), Causal(), LeftUpCausal()]:
        if own != other:
            check_example(own, other)


def test_the_case() -> None:
    """One future token from two rows on; one key less from one row on, once there are more keys than the window."""
    ahead = impact(band(symbol(WINDOW), Const(1)), band(symbol(WINDOW), Const(0)))
    assert (ahead.kind, ahead.values["rows"], ahead.values["one_row"]) == ("future", "2", False)
    short = impact(band(linear(-1, ((WINDOW, 1),)), Const(0)), band(symbol(WINDOW), Const(0)))
    assert (short.kind, short.values["rows"], short.values["one_row"]) == ("past", "1", True)
    assert text_number(str(short.values["keys"]), 512) == 513
