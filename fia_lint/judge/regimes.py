"""The regimes of the window at a site: a positive integer, or one of the sentinels that say "no window"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf

from fia_lint.algebra.cover import Wording
from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, node, restrict, test, walk
from fia_lint.algebra.region import EVERYTHING, NOTHING, Region, between, identical
from fia_lint.algebra.terms import Kind, Subject
from fia_lint.evaluate.sites import WindowTest
from fia_lint.operators import UNBOUNDED

#: What a window can be in the windowed regime: positive, and below what counts as unbounded.
WINDOWED = between(1, UNBOUNDED - 1)

#: What a window says that is no restriction.
NO_RESTRICTION = between(UNBOUNDED, inf)

#: Which sentinel a form of test speaks of.
_NONE = frozenset({"is None", "truth"})
_MINUS_ONE = frozenset({"== -1", "!= -1", "<= -1", ">= -1", "> -1", "< -1", ">= 0", "< 0"})
_ZERO = frozenset({"== 0", "!= 0", "> 0", "<= 0", "< 1", ">= 1"})

#: The number of tokens in the window, where more is asked of it than whether there is one. Printed behind the regime.
_SIZE = Subject(("window_size",), "sliding_window", Kind.WINDOW)


def sentinels(tests: Iterable[WindowTest]) -> tuple[object, ...]:
    """The sentinels that tests of the window speak of, in a fixed order: None, -1, and 0 if there is no other."""
    forms = {test.form for test in tests}
    found = [value for value, known in ((None, _NONE), (-1, _MINUS_ONE)) if forms & known]
    return tuple(found) or ((0,) if forms & _ZERO else ())


def is_absence_test(test: WindowTest) -> bool:
    """Whether a test of the window asks whether there is one."""
    return test.form in _NONE | _MINUS_ONE | _ZERO


def is_asked_in(test: WindowTest, diagram: Diagram, care: Region) -> bool:
    """Whether a diagram makes a test of the window: its region is a union of edges of a node there, as far as it matters.

    ``care`` is what the window can be.
    """
    for item in walk(diagram):
        if item.subject is not None and item.subject.kind is Kind.WINDOW:
            inside = NOTHING
            for region, _ in item.edges:
                if region & care <= test.region:
                    inside = inside | region
            if inside & care == test.region & care and inside & care and (~inside) & care:
                return True
    return False


def reachable(path: Diagram, window: Subject | None) -> Region:
    """What the window can be where a path condition holds."""
    if window is None or path.subject != window:
        return NOTHING if path is FALSE else EVERYTHING
    found = NOTHING
    for region, child in path.edges:
        if child is not FALSE:
            found = found | region
    return found


@dataclass(frozen=True)
class Regimes:
    """What the window can be at a site. Without a window symbol everything is the windowed regime."""

    window: Subject | None
    sentinels: tuple[object, ...] = ()

    @cached_property
    def windowed(self) -> Diagram:
        return TRUE if self.window is None else test(self.window, WINDOWED)

    @cached_property
    def unwindowed(self) -> Diagram:
        return disj(*(self.having(value) for value in self.sentinels))

    @cached_property
    def universe(self) -> Diagram:
        """Any of the regimes."""
        return disj(self.windowed, self.unwindowed)

    def confine(self, condition: Diagram) -> Diagram:
        """A condition in any of the regimes."""
        return conj(condition, self.universe)

    def having(self, sentinel: object) -> Diagram:
        """The condition that the window is one sentinel."""
        return FALSE if self.window is None else test(self.window, identical(sentinel))

    def under(self, diagram: Diagram, sentinel: object) -> Diagram:
        """A diagram where the window is one sentinel: no test of it and no term with it is left."""
        return diagram if self.window is None else restrict(diagram, self.window, identical(sentinel))

    def with_window(self, diagram: Diagram) -> Diagram:
        """A diagram in the windowed regime."""
        return diagram if self.window is None else restrict(diagram, self.window, WINDOWED)

    def abstract(self, condition: Diagram) -> Diagram:
        """A condition that can be compared with those of other sites, where other sentinels mean the same: no window."""
        if self.window is None:
            return condition
        absent = disj(*(self.under(condition, value) for value in self.sentinels))
        pieces = [(region & WINDOWED, child) for region, child in self._edges(condition)]
        return node(self.window, [(~WINDOWED, absent), *pieces])

    def printable(self, condition: Diagram) -> Diagram:
        """A condition as it is printed: the regime is one test, of the sentinels; what else is asked is another."""
        if self.window is None or condition.subject != self.window:
            return condition
        pieces = [(region & WINDOWED, child) for region, child in condition.edges if region & WINDOWED]
        pieces.sort(key=lambda piece: piece[0].order)
        (region, child), *others = pieces
        there = node(_SIZE, [(region | ~WINDOWED, child), *others])
        absent = [(identical(value), self.under(condition, value)) for value in self.sentinels]
        rest = EVERYTHING
        for known, _ in absent:
            rest = rest - known
        return node(self.window, [*absent, (rest, there)])

    def _edges(self, condition: Diagram) -> tuple[tuple[Region, Diagram], ...]:
        return condition.edges if condition.subject == self.window else ((EVERYTHING, condition),)

    @property
    def wording(self) -> Wording:
        """How tests of the window are spelled."""

        def spelled(subject: Subject, region: Region) -> str:
            if subject == _SIZE:
                return _size(subject.text, region & WINDOWED)
            if subject == self.window and region == ~identical(0):
                return f"{subject.text} > 0"
            return ""

        return spelled


def _size(name: str, region: Region) -> str:
    """A set of positive integers in words."""
    parts = []
    for low, high in region.ints:
        if low == high:
            parts.append(f"{name} == {int(low)}")
        elif high == UNBOUNDED - 1:
            parts.append(f"{name} > {int(low) - 1}")
        elif low == 1:
            parts.append(f"{name} <= {int(high)}")
        else:
            parts.append(f"{int(low)} <= {name} <= {int(high)}")
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


__all__ = ["NO_RESTRICTION", "WINDOWED", "Regimes", "is_absence_test", "is_asked_in", "reachable", "sentinels"]
