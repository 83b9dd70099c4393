"""Graph calls against the eager calls of the class that runs them: what FIA103 is made of.

Conditions here are abstract (``Regimes.abstract``): sites that have different sentinels can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fia_lint.algebra.diagram import FALSE, Diagram, conj, disj, exists, negate, test
from fia_lint.algebra.terms import Kind, Subject, Unknown
from fia_lint.evaluate.sites import ClassFacts
from fia_lint.evaluate.values import PARAMETER
from fia_lint.judge.bounds import is_windowing
from fia_lint.judge.findings import Related
from fia_lint.judge.fixed import Fixed, deciding
from fia_lint.judge.masks import Mask, UnknownMask
from fia_lint.judge.regimes import WINDOWED
from fia_lint.judge.views import GroupView, RecordView, SiteView

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Running:
    """A call that runs a mask under a condition (over the fixed conditions). ``involved``: the arguments that make it."""

    view: RecordView
    mask: Mask
    condition: Diagram
    involved: frozenset[str]


@dataclass(frozen=True, eq=False)
class Disagreement:
    """A graph call whose kind of mask no eager call has; ``others`` are the masks that eager calls have instead."""

    view: RecordView
    mask: Mask
    condition: Diagram
    others: tuple[Mask, ...]
    involved: frozenset[str]


class ClassView:
    """The calls of one concrete class."""

    def __init__(self, group: GroupView, cls: str) -> None:
        self._group = group
        self._name = cls
        self.members = group.by_class[cls]
        self.fixed = Fixed(deciding(view.calls for view in self.members), layers=True)

    # -------------------------------------------------------------------------------------------- what runs when

    def running(self, view: RecordView) -> Iterator[Running]:
        """The masks of a call, in the windowed regime and under each sentinel."""
        regimes = view.regimes
        ways = [(regimes.windowed, view.calls)]
        ways += [(regimes.having(value), regimes.under(view.calls, value)) for value in regimes.sentinels]
        for within, calls in ways:
            for case in view.cases(key=lambda call: call.mask, within=within, calls=calls):
                condition = self.fixed.project(regimes.abstract(case.condition))
                involved = frozenset().union(*(call.matter for call in case.calls))
                yield Running(view, case.calls[0].mask, condition, involved)

    @cached_property
    def _eager(self) -> list[tuple[Running, Diagram]]:
        """What the eager calls run, each with the condition under which the call has a finding of its own."""
        return [
            (each, self.fixed.project(view.regimes.abstract(self._group.own_fault(view))))
            for view in self.members
            if view.site.role == "eager"
            for each in self.running(view)
            if each.mask.known or not _is_open(view)
        ]

    @cached_property
    def witnesses(self) -> list[Running]:
        """What the eager calls run, where they have no finding of their own."""
        return [
            Running(each.view, each.mask, condition, each.involved)
            for each, fault in self._eager
            if (condition := conj(each.condition, negate(fault))) is not FALSE
        ]

    @cached_property
    def _any(self) -> Diagram:
        """The conditions under which there is a witness."""
        return disj(*dict.fromkeys(each.condition for each in self.witnesses))

    @cached_property
    def _by_kind(self) -> dict[str, Diagram]:
        """The conditions under which some eager call runs a mask of one kind. One with a finding of its own accuses nobody,
        but may have the kind that a graph call has: then what is wrong is that finding's business."""
        found: dict[str, Diagram] = {}
        for each, _ in self._eager:
            found[each.mask.kind] = disj(found.get(each.mask.kind, FALSE), each.condition)
        return found

    @cached_property
    def _by_mask(self) -> dict[Mask, Diagram]:
        """The conditions under which some witness runs a mask."""
        found: dict[Mask, Diagram] = {}
        for each in self.witnesses:
            found[each.mask] = disj(found.get(each.mask, FALSE), each.condition)
        return found

    # -------------------------------------------------------------------------------------------- who disagrees

    def disagreements(self, view: RecordView) -> Iterator[Disagreement]:
        """The conditions under which a graph call runs a kind of mask that no witness runs."""
        for own in self.running(view):
            if own.mask.known:
                alike = disj(*(self._by_kind.get(kind, FALSE) for kind in (own.mask.kind, UnknownMask.__name__)))
                condition = conj(own.condition, self._any, negate(alike))
                if condition is not FALSE:
                    yield from self._by_witness(own, self._counted(condition))

    def _counted(self, condition: Diagram) -> Diagram:
        """Without a window a difference counts only where the class applies one, and without flags that only subclasses set."""
        window = self._group.window
        if window is None:
            return condition
        there = conj(condition, test(window, WINDOWED))
        if not self._applies_window:
            return there
        absent = conj(condition, test(window, ~WINDOWED))
        for flag in sorted(absent.support, key=lambda subject: subject.order):
            if self._is_foreign(flag):
                absent = negate(exists(negate(absent), {flag}.__contains__))
                absent = conj(absent, condition, test(window, ~WINDOWED))
        return disj(there, absent)

    @cached_property
    def _applies_window(self) -> bool:
        def applies(view: RecordView) -> bool:
            return next(view.windowed_cases(lambda c: is_windowing(c.pre) and not c.ignores_bounds), None) is not None

        return any(applies(view) for view in self.members)

    def _is_foreign(self, subject: Subject) -> bool:
        """Whether a subject is an attribute of self that only subclasses of this class set."""
        facts = self._group.classes.get(self._name)
        name = subject.text.removeprefix("self.")
        if facts is None or subject.kind not in (Kind.LAYER, Kind.SELF) or name == subject.text or name in facts.sets:
            return False
        return any(name in below.sets for below in self._below(facts))

    def _below(self, facts: ClassFacts) -> Iterator[ClassFacts]:
        """All subclasses of a class."""
        for name in facts.subclasses:
            below = self._group.classes.get(name)
            if below is not None:
                yield below
                yield from self._below(below)

    def _by_witness(self, own: Running, condition: Diagram) -> Iterator[Disagreement]:
        """A disagreement split by what the witnesses run instead."""
        parts: list[tuple[Diagram, tuple[Mask, ...]]] = [(condition, ())]
        for mask, there in self._by_mask.items():
            parts = [
                (rest, found)
                for known, masks in parts
                for rest, found in ((conj(known, there), (*masks, mask)), (conj(known, negate(there)), masks))
                if rest is not FALSE
            ]
        for rest, masks in parts:
            if masks:
                yield Disagreement(own.view, own.mask, rest, masks, own.involved)

    # -------------------------------------------------------------------------------------------- the other sides

    def witnesses_of(self, found: Disagreement) -> tuple[Related, ...]:
        """The eager calls that run something else where the graph call disagrees."""
        related: dict[SiteView, Related] = {}
        for each in self.witnesses:
            site = each.view.site
            if len(related) < _MOST_NAMED and site not in related and conj(each.condition, found.condition) is not FALSE:
                related[site] = Related("reference", site.site.place, "eager", "sparse_mode", str(each.mask))
        return tuple(related.values())

    def feeding(self, found: Disagreement) -> tuple[Related, ...]:
        """The capture calls that feed an update call and run the same kind of mask there."""
        homes = {(place.path, place.symbol) for place in found.view.record.captures}
        related = {}
        for view in self.members:
            place = view.site.site.place
            if view.site.role == "capture" and (place.path, place.symbol) in homes:
                for each in self.running(view):
                    if each.mask.kind == found.mask.kind and conj(each.condition, found.condition) is not FALSE:
                        related[place] = Related("capture", place, "capture", "sparse_mode", str(each.mask))
        return tuple(related.values())


def _is_open(view: RecordView) -> bool:
    """Whether the call stands inside a wrapper and gets an argument from its parameters: the wrapper's calls say more."""
    return any(
        isinstance(term, Unknown) and term.reason == PARAMETER for value in view.record.values.values() for term in value.terms
    )


__all__ = ["ClassView", "Disagreement"]
