"""Regions: sets of Python values that the tests of one subject can tell apart.

A test of one thing (``x is None``, ``x == 3``, ``x < 5``, truth of ``x``) is the set of values for
which it holds. Regions are closed under union, intersection and complement, so contradictions
between tests of one thing (``x is None and x > 0``) are simply empty.

The universe falls into: ``None``, ``True``, ``False``, the integers, other values that count as
false (an empty string or list), and other values that count as true, some of which have a name
(a string constant, an enum member).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import ClassVar

NONE, TRUE, FALSE, EMPTY = 1, 2, 4, 8
_ALL_TAGS = NONE | TRUE | FALSE | EMPTY

Interval = tuple[float, float]  # closed; an end may be infinite


@dataclass(frozen=True, slots=True)
class Named:
    """A constant other than None, a boolean or an integer, by its source spelling (``'nz'``, ``State.DECODE``)."""

    text: str

    def __str__(self) -> str:
        return self.text


class Region:
    """A set of values: tags (bits), disjoint sorted integer intervals, and names (a finite or a cofinite set).

    Two regions with the same values are the same object: they are few, and they are compared all the time.
    """

    __slots__ = ("tags", "ints", "names", "cofinite", "order")
    tags: int
    ints: tuple[Interval, ...]
    names: frozenset[str]
    cofinite: bool
    #: A total order over regions, the same in every run.
    order: tuple[object, ...]

    _all: ClassVar[dict[tuple[object, ...], Region]] = {}

    def __new__(cls, tags: int, ints: tuple[Interval, ...], names: frozenset[str], cofinite: bool) -> Region:
        key = (tags, ints, names, cofinite)
        found = cls._all.get(key)
        if found is None:
            found = super().__new__(cls)
            found.tags, found.ints, found.names, found.cofinite = key
            found.order = (-tags, ints, cofinite, tuple(sorted(names)))
            cls._all[key] = found
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return Region, (self.tags, self.ints, self.names, self.cofinite)

    def __repr__(self) -> str:
        return f"Region({self.tags}, {self.ints}, {set(self.names)}, {self.cofinite})"

    def __and__(self, other: Region) -> Region:
        return intersection(self, other)

    def __or__(self, other: Region) -> Region:
        return _complement(intersection(_complement(self), _complement(other)))

    def __invert__(self) -> Region:
        return _complement(self)

    def __sub__(self, other: Region) -> Region:
        return intersection(self, _complement(other))

    def __le__(self, other: Region) -> bool:
        return not intersection(self, _complement(other))

    def __bool__(self) -> bool:
        """False for the empty region."""
        return bool(self.tags or self.ints or self.names or self.cofinite)

    def __contains__(self, value: object) -> bool:
        if value is None:
            return bool(self.tags & NONE)
        if value is True:
            return bool(self.tags & TRUE)
        if value is False:
            return bool(self.tags & FALSE)
        if isinstance(value, int):
            return any(low <= value <= high for low, high in self.ints)
        if isinstance(value, Named):
            return (value.text in self.names) != self.cofinite
        if not value:
            return bool(self.tags & EMPTY)
        return self.cofinite

    def only(self) -> tuple[object] | None:
        """The one value of this region in a 1-tuple, or None if there are more, or none.

        An integer together with the boolean that equals it counts as that integer.
        """
        if self.cofinite or self.tags & EMPTY:
            return None
        if self.names:
            if len(self.names) == 1 and not self.tags and not self.ints:
                return (Named(next(iter(self.names))),)
            return None
        if not self.ints:
            return {NONE: (None,), TRUE: (True,), FALSE: (False,)}.get(self.tags)
        if len(self.ints) != 1 or self.ints[0][0] != self.ints[0][1]:
            return None
        number = int(self.ints[0][0])
        twin = {0: FALSE, 1: TRUE}.get(number, 0)
        return (number,) if self.tags in (0, twin) else None


@lru_cache(maxsize=65536)
def _complement(region: Region) -> Region:
    gaps: list[Interval] = []
    start = -inf
    for low, high in region.ints:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start < inf:
        gaps.append((start, inf))
    return Region(_ALL_TAGS & ~region.tags, tuple(gaps), region.names, not region.cofinite)


@lru_cache(maxsize=65536)
def intersection(a: Region, b: Region) -> Region:
    """``a & b``, for those who ask all the time."""
    ints = tuple(
        (max(low, other_low), min(high, other_high))
        for low, high in a.ints
        for other_low, other_high in b.ints
        if max(low, other_low) <= min(high, other_high)
    )
    if a.cofinite and b.cofinite:
        names = a.names | b.names
    elif a.cofinite:
        names = b.names - a.names
    elif b.cofinite:
        names = a.names - b.names
    else:
        names = a.names & b.names
    return Region(a.tags & b.tags, ints, names, a.cofinite and b.cofinite)


EVERYTHING = Region(_ALL_TAGS, ((-inf, inf),), frozenset(), True)
NOTHING = ~EVERYTHING
IS_NONE = Region(NONE, (), frozenset(), False)
TRUTHY = Region(TRUE, ((-inf, -1), (1, inf)), frozenset(), True)
NUMBERS = Region(TRUE | FALSE, ((-inf, inf),), frozenset(), False)
BOOLEANS = Region(TRUE | FALSE, (), frozenset(), False)


def identical(value: object) -> Region:
    """Where ``x is value`` (or, for numbers and strings, where it is that very constant)."""
    if value is None:
        return IS_NONE
    if value is True:
        return Region(TRUE, (), frozenset(), False)
    if value is False:
        return Region(FALSE, (), frozenset(), False)
    if isinstance(value, int):
        return Region(0, ((value, value),), frozenset(), False)
    if isinstance(value, Named):
        return Region(0, (), frozenset({value.text}), False)
    raise TypeError(f"no region for {value!r}")


def equal(value: object) -> Region:
    """Where ``x == value``: 1 equals True, 0 equals False."""
    if isinstance(value, int) and value in (0, 1):
        return identical(int(value)) | identical(bool(value))
    return identical(value)


def between(low: float, high: float) -> Region:
    """Where ``low <= x <= high`` holds; booleans count as 0 and 1, whatever is not a number is outside."""
    tags = (FALSE if low <= 0 <= high else 0) | (TRUE if low <= 1 <= high else 0)
    return Region(tags, ((low, high),) if low <= high else (), frozenset(), False)
