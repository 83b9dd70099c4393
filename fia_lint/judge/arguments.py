"""The four mask arguments of a call, and what the mode makes of the other three.

=====  =========================================================================================
mode   attended
=====  =========================================================================================
0      without a tensor everything; with one what it leaves, within pre and next
1, 9   what the tensor leaves
2      causal, row 0 aligned with column 0 (left-up)
3      causal, the last row aligned with the last column (right-down)
4      the band from ``pre`` before to ``next`` after the row's own column, right-down
=====  =========================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from fia_lint.algebra.terms import Subject, Term
from fia_lint.judge.bounds import is_integer, same_both_ways, shown
from fia_lint.judge.masks import Causal, Full, Given, LeftUpCausal, Mask, UnknownMask, band


class Tensor(Enum):
    """What is known of ``atten_mask``. EITHER: the source does not say whether it is None."""

    NONE = "None"
    GIVEN = "given"
    EITHER = "given or None"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Arguments(Term):
    """The four mask arguments of a call under one condition, as one term: they stay correlated."""

    pre: Term
    next: Term
    mode: Term
    tensor: Tensor

    @property
    def subjects(self) -> frozenset[Subject]:
        return self.pre.subjects | self.next.subjects | self.mode.subjects

    def bind(self, subject: Subject, value: object) -> Arguments:
        pre, following, mode = (term.bind(subject, value) for term in (self.pre, self.next, self.mode))
        return Arguments(pre, following, mode, self.tensor)

    @property
    def order(self) -> tuple[object, ...]:
        return ("Arguments", self.mode.order, self.pre.order, self.next.order, self.tensor.value)

    def __str__(self) -> str:
        return f"mode {self.mode}, pre {shown(self.pre)}, next {shown(self.next)}, mask {self.tensor.value}"

    @property
    def number(self) -> int | None:
        """The mode as a number, None if it is not known or no number."""
        return self.mode.value if is_integer(self.mode) else None  # type: ignore[attr-defined]

    @property
    def ignores_bounds(self) -> bool:
        """Whether it is known that the mode makes nothing of pre_tokens and next_tokens."""
        return self.number in (1, 2, 3, 9) or (self.number == 0 and self.tensor is Tensor.NONE)

    @property
    def uses_bounds(self) -> bool:
        """Whether it is known that the mode makes something of pre_tokens and next_tokens."""
        return self.number == 4 or (self.number == 0 and self.tensor is Tensor.GIVEN)

    @property
    def symmetric(self) -> bool:
        return same_both_ways(self.pre, self.next)

    @property
    def matter(self) -> frozenset[str]:
        """The arguments that make the effective mask what it is."""
        if self.number == 4:
            return frozenset({"sparse_mode", "pre_tokens", "next_tokens"})
        return frozenset({"sparse_mode", "atten_mask"} if self.number == 0 else {"sparse_mode"})

    def text(self, argument: str) -> str:
        """One of the arguments in words."""
        if argument == "atten_mask":
            return self.tensor.value
        return shown(self.mode if argument == "sparse_mode" else self.bound(argument))

    def bound(self, argument: str) -> Term:
        """``pre_tokens`` or ``next_tokens``."""
        return self.pre if argument == "pre_tokens" else self.next

    def having(self, argument: str, term: Term) -> Arguments:
        """The same call with another bound."""
        return replace(self, pre=term) if argument == "pre_tokens" else replace(self, next=term)

    @cached_property
    def mask(self) -> Mask:
        """The effective mask."""
        return _effective(self)


def _effective(call: Arguments) -> Mask:
    mode, tensor = call.number, call.tensor
    if mode is None:
        return UnknownMask("the mode is not known")
    if mode == 0:
        if tensor is Tensor.NONE:
            return Full()
        if tensor is Tensor.GIVEN:
            return Given(call.pre, call.next)
        return UnknownMask("whether there is a mask is not known")
    if mode in (1, 9):
        return UnknownMask("there is no mask") if tensor is Tensor.NONE else Given()
    if mode == 2:
        return LeftUpCausal()
    if mode == 3:
        return Causal()
    if mode == 4:
        return band(call.pre, call.next)
    return UnknownMask("the mode does not exist")


__all__ = ["Arguments", "Tensor"]
