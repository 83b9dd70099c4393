"""What single query rows see under a mask, in numbers.

Rows and keys are counted from 0. With ``rows`` query rows and ``keys`` keys, the last row stands at the last key
(right-down): row ``i`` stands at key ``i + keys - rows``. There are at least as many keys as rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

from fia_lint.algebra.terms import Extremum, Linear, Subject, Term
from fia_lint.judge.bounds import NO_BOUND, is_integer
from fia_lint.judge.masks import Band, Causal, Full, LeftUpCausal, Mask

Numbers = Mapping[Subject, int]


class Difference(NamedTuple):
    """The smallest number of rows, and of keys with so many rows, with which two masks differ; the first row that does."""

    rows: int
    keys: int
    row: int
    one: range
    other: range


def number(term: Term, numbers: Numbers) -> float:
    """A bound as a number; infinite if it does not bind. Raises KeyError for what is not known."""
    if term == NO_BOUND:
        return float("inf")
    if is_integer(term):
        return int(term.value)  # type: ignore[attr-defined]
    if isinstance(term, Linear):
        return term.constant + sum(factor * numbers[subject] for subject, factor in term.parts)
    if isinstance(term, Extremum):
        return (min if term.name == "min" else max)(number(part, numbers) for part in term.terms)
    raise KeyError(term)


def seen(mask: Mask, row: int, rows: int, keys: int, numbers: Numbers) -> range:
    """The keys that a row sees. Raises KeyError where the mask does not say."""
    if isinstance(mask, Full):
        return range(keys)
    if isinstance(mask, LeftUpCausal):
        return range(min(row + 1, keys))
    own = row + keys - rows
    if isinstance(mask, Causal):
        return range(own + 1)
    if isinstance(mask, Band):
        first = max(0, own - number(mask.pre, numbers))
        last = min(keys - 1, own + number(mask.next, numbers))
        return range(int(first), int(max(first, last + 1)))
    raise KeyError(mask)


def difference(one: Mask, other: Mask, numbers: Numbers) -> Difference | None:
    """Where two masks first differ, or None if they are the same for all numbers of rows and keys."""
    steps = sorted({0, 1, 2} | {step for mask in (one, other) for step in _steps(mask, numbers)})
    for rows in (step for step in steps if step >= 1):
        counts = sorted({rows + step for step in steps} | {step for step in steps if step >= rows})
        for keys in counts:
            for row in _rows(rows, steps):
                a, b = (seen(mask, row, rows, keys, numbers) for mask in (one, other))
                if ends(a) != ends(b):
                    return Difference(rows, keys, row, a, b)
    return None


def _steps(mask: Mask, numbers: Numbers) -> set[int]:
    """The numbers around a mask's bounds: only there can something change."""
    if not isinstance(mask, Band):
        return set()
    bounds = [abs(value) for term in (mask.pre, mask.next) if (value := number(term, numbers)) != float("inf")]
    sums = [abs(a + sign * b) for a, b in product(bounds, bounds) for sign in (1, -1)]
    return {int(value) + step for value in (*bounds, *sums) for step in (0, 1, 2)}


def _rows(rows: int, steps: list[int]) -> list[int]:
    """The rows that can be the first to differ."""
    return sorted({row for step in steps for row in (step, rows - 1 - step) if 0 <= row < rows})


def ends(keys: range) -> tuple[int, int]:
    """A range as a value: all empty ones are the same."""
    return (keys.start, keys.stop) if keys else (0, 0)


__all__ = ["Difference", "Numbers", "difference", "ends", "number", "seen"]
