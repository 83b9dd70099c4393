"""What pre_tokens and next_tokens can be: the unbounded value, terms of the window, and when two of them differ."""

from __future__ import annotations

from enum import Enum

from fia_lint.algebra.terms import Const, Extremum, Kind, Linear, Subject, Term, Unknown, difference, extremum
from fia_lint.operators import UNBOUNDED

#: What every integer at or above 2147483647 is.
NO_BOUND = Const(UNBOUNDED)

#: The largest integer that can be a window; 65535 already means "no restriction".
LARGEST_WINDOW = 65534


class Verdict(Enum):
    """Whether two terms are the same. UNCLEAR is never shown as either of the others."""

    EQUAL = "equal"
    DIFFER = "differ"
    UNCLEAR = "unclear"


def bound(term: Term) -> Term:
    """The normal form of a number of tokens: whatever does not bind is ``NO_BOUND``."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return NO_BOUND if term.value >= UNBOUNDED else Const(int(term.value))
    if isinstance(term, Extremum):
        parts = [bound(part) for part in term.terms]
        if term.name == "max" and NO_BOUND in parts:
            return NO_BOUND
        kept = [part for part in parts if part != NO_BOUND]
        return extremum(term.name, kept) if kept else NO_BOUND
    return term


def is_integer(term: Term) -> bool:
    """Whether a term is one known integer, bounded or not."""
    return isinstance(term, Const) and isinstance(term.value, int)


def is_known(term: Term) -> bool:
    return not isinstance(term, Unknown)


def mentions_window(term: Term) -> bool:
    """Whether the window stands in a term, also inside min, max or an opaque term."""
    return any(subject.kind is Kind.WINDOW for subject in term.subjects)


def is_window(term: Term) -> bool:
    """Whether a term is the window itself."""
    return isinstance(term, Linear) and term.symbol is not None and term.symbol.kind is Kind.WINDOW


def is_windowing(term: Term) -> bool:
    """Whether a pre_tokens of this value makes a window: it mentions the window, or is an integer from 0 to 65534."""
    return mentions_window(term) or (is_integer(term) and 0 <= term.value <= LARGEST_WINDOW)  # type: ignore[attr-defined]


def same_both_ways(pre: Term, following: Term) -> bool:
    """Whether a band reaches as far back as ahead: local attention in both directions."""
    if NO_BOUND in (pre, following) or not (is_known(pre) and is_known(following)):
        return False
    return pre == following or (_is_opaque(pre) and _is_opaque(following) and str(pre) == str(following))


def _is_opaque(term: Term) -> bool:
    return any(subject.kind is Kind.OPAQUE or subject.mentions for subject in term.subjects)


def compare(a: Term, b: Term) -> Verdict:
    """Whether two numbers of tokens are equal, differ, or cannot be compared."""
    if not (is_known(a) and is_known(b)):
        return Verdict.UNCLEAR
    if a == b:
        return Verdict.EQUAL
    if NO_BOUND in (a, b) or is_integer(a) or is_integer(b):
        comparable = all(is_integer(term) or _is_affine_window(term) for term in (a, b))
        return Verdict.DIFFER if comparable else Verdict.UNCLEAR
    return Verdict.DIFFER if difference(a, b) else Verdict.UNCLEAR


def _is_affine_window(term: Term) -> bool:
    return isinstance(term, Linear) and len(term.parts) == 1 and term.parts[0][0].kind is Kind.WINDOW


def shown(term: Term) -> str:
    """The text of a normal form."""
    if term == NO_BOUND:
        return "unbounded"
    return str(term)


def windows_in(term: Term) -> list[Subject]:
    """The window symbols that stand in a term."""
    return sorted((s for s in term.subjects if s.kind is Kind.WINDOW), key=lambda subject: subject.order)


__all__ = [
    "LARGEST_WINDOW", "NO_BOUND", "Verdict", "bound", "compare", "is_integer", "is_known", "is_window", "is_windowing",
    "mentions_window", "same_both_ways", "shown", "windows_in",
]  # fmt: skip
