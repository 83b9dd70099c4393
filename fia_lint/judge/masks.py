"""Effective masks: what single query rows may attend."""

from __future__ import annotations

from dataclasses import dataclass, fields

from fia_lint.algebra.terms import Const, Subject, Term
from fia_lint.judge.bounds import NO_BOUND, is_integer, is_known, is_windowing, same_both_ways, shown


@dataclass(frozen=True)
class Mask(Term):
    """An effective mask. ``kind`` is what graph and eager code must agree on."""

    @property
    def kind(self) -> str:
        return type(self).__name__

    @property
    def known(self) -> bool:
        return True

    @property
    def order(self) -> tuple[object, ...]:
        parts = [getattr(self, item.name) for item in fields(self)]
        return (self.kind, tuple(part.order if isinstance(part, Term) else part for part in parts))


@dataclass(frozen=True)
class Full(Mask):
    """Every row attends every key."""

    def __str__(self) -> str:
        return "full"


@dataclass(frozen=True)
class Causal(Mask):
    """Every row attends its own key and all earlier ones, right-down."""

    def __str__(self) -> str:
        return "causal"


@dataclass(frozen=True)
class LeftUpCausal(Mask):
    """Row i attends the keys 0 to i."""

    def __str__(self) -> str:
        return "left-up causal"


@dataclass(frozen=True)
class Band(Mask):
    """Every row attends from ``pre`` keys before its own to ``next`` keys after it, right-down."""

    pre: Term
    next: Term

    @property
    def subjects(self) -> frozenset[Subject]:
        return self.pre.subjects | self.next.subjects

    @property
    def with_window(self) -> bool:
        return is_windowing(self.pre)

    @property
    def symmetric(self) -> bool:
        return same_both_ways(self.pre, self.next)

    def __str__(self) -> str:
        return f"band({shown(self.pre)}, {shown(self.next)})"


@dataclass(frozen=True)
class Given(Mask):
    """What the tensor leaves; ``pre`` and ``next`` restrict it further in mode 0."""

    pre: Term = NO_BOUND
    next: Term = NO_BOUND

    def __str__(self) -> str:
        return "given"


@dataclass(frozen=True)
class UnknownMask(Mask):
    """A mask that cannot be determined, and why."""

    reason: str

    @property
    def known(self) -> bool:
        return False

    def __str__(self) -> str:
        return "unknown"


def band(pre: Term, following: Term) -> Mask:
    """The band between two bounds in normal form: unbounded to one side it is causal, to both sides full."""
    for term, name in ((pre, "pre_tokens"), (following, "next_tokens")):
        if not is_known(term) or (isinstance(term, Const) and not is_integer(term)):
            return UnknownMask(f"{name} is not known" if not is_known(term) else f"{name} is no number")
    if pre == NO_BOUND and following == NO_BOUND:
        return Full()
    if pre == NO_BOUND and following == Const(0):
        return Causal()
    return Band(pre, following)


__all__ = ["Band", "Causal", "Full", "Given", "LeftUpCausal", "Mask", "UnknownMask", "band"]
