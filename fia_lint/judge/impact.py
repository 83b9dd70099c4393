"""What two effective masks mean for a query row: typed data, put into words by the report.

``Impact.kind`` is

``future``     the rows see another number of later tokens
``past``       the rows see another number of earlier tokens
``both``       both
``alignment``  one of the masks stands left-up, the other right-down
``same``       the two masks are the same: the mode makes nothing of the difference
``unclear``    one of the masks is not known, or is what a tensor says
``raises``     the call fails

and ``Impact.values`` of the first four has

``rows``, ``keys``          texts: from how many query rows per request on, and from how many keys on with so many rows
``one_row``                 whether a single query row shows the difference
``future``, ``past``        texts: how many later, earlier tokens a row may see here ("unbounded": all), where it differs
``should_future``, ``should_past``    the same under the other mask
``future_gap``, ``past_gap``          here minus there, if that is a number
``example``                 one row in numbers: ``row`` of ``of_rows``, ``of_keys``, ``window`` (or None), ``sees`` and
                            ``should_see`` (half-open ranges of keys)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain, combinations

from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, add, difference, extremum, linear
from fia_lint.judge import rows as numeric
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import NO_BOUND, shown
from fia_lint.judge.findings import Impact
from fia_lint.judge.masks import Band, Causal, Full, Given, LeftUpCausal, Mask
from fia_lint.judge.rows import Difference, Numbers

#: Stand-ins for the window and other symbols: larger than any number that is written, and smaller.
_LARGE, _SMALL = 1_000_003, 5


def impact(own: Mask, other: Mask) -> Impact:
    """What differs for a query row between a call's mask and the one that it should have."""
    return _impact(own, other, f"{own} {other}")


@lru_cache(maxsize=1024)
def _impact(own: Mask, other: Mask, texts: str) -> Impact:
    # Another run may have given the same subjects other names: ``texts`` keeps results of the two apart.
    # What is unknown twice, or given by a tensor twice, need not be the same.
    if any(not mask.known or isinstance(mask, Given) for mask in (own, other)):
        return Impact("unclear")
    if own == other:
        return Impact("same")
    try:
        found = numeric.difference(own, other, _numbers(own, other, _example_size(own, other)))
    except KeyError:
        return Impact("unclear")
    if found is None:
        return Impact("same")
    values: dict[str, object] = {
        "rows": _text(own, other, lambda d: d.rows),
        "keys": _text(own, other, lambda d: d.keys),
        "one_row": found.rows == 1,
        "example": _example(own, other, found),
    }
    sides = _sides(own, other)
    values.update(sides)
    if LeftUpCausal() in (own, other):
        return Impact("alignment", values)
    return Impact("both" if len(sides) > 3 else "future" if "future" in sides else "past", values)


def of_calls(calls: Iterable[Arguments], should: Callable[[Arguments], Mask]) -> Impact:
    """The impact for the first of several calls for which something can be said."""
    found = [impact(call.mask, should(call)) for call in calls]
    return next((each for each in found if each.kind not in ("same", "unclear")), found[0])


def raises(argument: str) -> Impact:
    """The call fails because of an argument."""
    return Impact("raises", {"argument": argument})


def _sides(own: Mask, other: Mask) -> dict[str, object]:
    """How many earlier and later tokens a row may see, where that differs."""
    found: dict[str, object] = {}
    one, two = _bounds(own), _bounds(other)
    if one is not None and two is not None:
        for name, here, there in (("past", one[0], two[0]), ("future", one[1], two[1])):
            if here != there:
                gap = None if NO_BOUND in (here, there) else difference(here, there)
                found.update({name: shown(here), f"should_{name}": shown(there), f"{name}_gap": gap})
    return found


def _bounds(mask: Mask) -> tuple[Term, Term] | None:
    """Pre and next of a mask that stands right-down."""
    if isinstance(mask, Band):
        return mask.pre, mask.next
    return {Full(): (NO_BOUND, NO_BOUND), Causal(): (NO_BOUND, Const(0))}.get(mask)


def _symbols(*masks: Mask) -> list[Subject]:
    return sorted(set(chain.from_iterable(mask.subjects for mask in masks)), key=lambda subject: subject.order)


def _numbers(own: Mask, other: Mask, size: int) -> dict[Subject, int]:
    """Every symbol as a number, the window as ``size``."""
    others = [s for s in _symbols(own, other) if s.kind is not Kind.WINDOW]
    windows = [s for s in _symbols(own, other) if s.kind is Kind.WINDOW]
    return {**dict.fromkeys(windows, size), **{s: size + 10 * count for count, s in enumerate(others, 1)}}


def _example_size(own: Mask, other: Mask) -> int:
    """A window that is easy to follow, and larger than what is added to it."""
    added = [abs(t.constant) for mask in (own, other) for t in _bounds(mask) or () if isinstance(t, Linear)]
    return 4 + max(added, default=0)


def _example(own: Mask, other: Mask, found: Difference) -> dict[str, object]:
    windowed = any(s.kind is Kind.WINDOW for s in _symbols(own, other))
    return {
        "row": found.row,
        "of_rows": found.rows,
        "of_keys": found.keys,
        "window": _example_size(own, other) if windowed else None,
        "sees": numeric.ends(found.one),
        "should_see": numeric.ends(found.other),
    }


def _text(own: Mask, other: Mask, of: Callable[[Difference], int]) -> str | None:
    """A number of the difference as a text over the symbols: measured at some numbers, and fitted.

    The text that holds at every size of the window is taken, else the one for windows larger than the numbers beside them.
    """
    usual = _SMALL + _example_size(own, other)
    fits = [fit for size in (_LARGE, usual, 1) if (fit := _fit(own, other, of, size)) is not None]
    found = list(dict.fromkeys(fits))
    found += [extremum(name, pair) for pair in combinations(found, 2) for name in ("min", "max")]
    for sizes in ((*range(1, usual + 1), _LARGE), (usual, _LARGE)):
        measured = [(numbers, _measure(own, other, of, numbers)) for size in sizes for numbers in [_numbers(own, other, size)]]
        for term in found:
            if all(value is None or numeric.number(term, numbers) == value for numbers, value in measured):
                return shown(term)
    return None


def _fit(own: Mask, other: Mask, of: Callable[[Difference], int], size: int) -> Term | None:
    """The linear form that a number of the difference has near some numbers."""
    numbers = _numbers(own, other, size)
    base = _measure(own, other, of, numbers)
    if base is None:
        return None
    total: Term | None = Const(base)
    for subject, value in numbers.items():
        moved = _measure(own, other, of, {**numbers, subject: value + 1})
        if total is None or (moved is None and value > 1):
            return None
        # A window of just that size may make the two masks one: what grows there grows with it.
        slope = 1 if moved is None else moved - base
        total = add(total, linear(-slope * value, ((subject, slope),)))
    return total


def _measure(own: Mask, other: Mask, of: Callable[[Difference], int], numbers: Numbers) -> int | None:
    found = numeric.difference(own, other, numbers)
    return None if found is None else of(found)


__all__ = ["impact", "of_calls", "raises"]
