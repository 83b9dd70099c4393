"""Records, sites and groups as the rules see them: confined to the regimes, the four arguments as one value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, ite, negate, simplify
from fia_lint.algebra.terms import Subject
from fia_lint.evaluate.sites import ClassFacts, Place, Record, Site
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import is_windowing
from fia_lint.judge.fixed import Blocks, Fixed, deciding
from fia_lint.judge.joint import joint, made
from fia_lint.judge.regimes import Regimes
from fia_lint.operators import MASK_ARGUMENTS

if TYPE_CHECKING:
    from fia_lint.judge.reference import Reference


class Case(NamedTuple):
    """Calls of one kind, and the condition under which one of them is made."""

    calls: tuple[Arguments, ...]
    condition: Diagram


@dataclass(eq=False)
class RecordView:
    """One way of reaching a site."""

    site: SiteView
    record: Record

    @property
    def regimes(self) -> Regimes:
        return self.site.regimes

    @property
    def operator(self) -> str:
        """The entry point that is called in this way."""
        return self.record.operator or self.site.site.operator

    @cached_property
    def path(self) -> Diagram:
        """The condition under which the call is reached, in any of the regimes."""
        return self.regimes.confine(self.record.path)

    @cached_property
    def calls(self) -> Diagram:
        """The four arguments as one value (leaves are ``Arguments``): what is passed together stays together."""
        return joint(self.path, *(self.record.values[name] for name in MASK_ARGUMENTS))

    def cases(
        self,
        holds: Callable[[Arguments], bool] = lambda call: True,
        key: Callable[[Arguments], Hashable] = lambda call: call,
        within: Diagram = TRUE,
        calls: Diagram | None = None,
    ) -> Iterator[Case]:
        """The calls that satisfy a predicate, by ``key``, each with the condition under which they are made (``within``)."""
        every = self.calls if calls is None else calls
        found: dict[Hashable, Case] = {}
        for call in every.terms:
            if holds(call):
                condition = conj(self.path, within, made(every, call))
                if condition is not FALSE:
                    known = found.get(key(call), Case((), FALSE))
                    found[key(call)] = Case((*known.calls, call), disj(known.condition, condition))
        yield from found.values()

    def windowed_cases(
        self,
        holds: Callable[[Arguments], bool] = lambda call: True,
        key: Callable[[Arguments], Hashable] = lambda call: call,
    ) -> Iterator[Case]:
        """The same in the windowed regime."""
        return self.cases(holds, key, self.regimes.windowed)

    def left_out(self, argument: str) -> Diagram:
        """The condition under which an argument is not written."""
        return conj(self.path, negate(self.record.written[argument]))

    @cached_property
    def fixed(self) -> Fixed:
        """What counts for a rule about this call alone."""
        return Fixed(self.site.blocks)


@dataclass(eq=False)
class SiteView:
    """A call site."""

    site: Site
    regimes: Regimes

    @cached_property
    def records(self) -> list[RecordView]:
        """The ways of reaching it that exist in some regime."""
        views = [RecordView(self, record) for record in self.site.records]
        return [view for view in views if view.path is not FALSE]

    @property
    def role(self) -> str:
        return self.site.role

    @property
    def sizes(self) -> bool:
        """Whether it is a workspace query."""
        return self.site.role == "workspace"

    @cached_property
    def window_aware(self) -> bool:
        """Whether it passes a window, or runs in band mode, in the windowed regime and under some condition."""
        return any(
            next(view.windowed_cases(lambda call: is_windowing(call.pre) or call.number == 4), None) is not None
            for view in self.records
        )

    @cached_property
    def blocks(self) -> Blocks:
        """What decides about the arguments here."""
        return deciding([*(view.calls for view in self.records), *self._choices()])

    def _choices(self) -> Iterator[Diagram]:
        """Which of several callees one call runs, where that makes a difference: by what is passed, or to which operator."""
        for one, other in combinations(self.records, 2):
            if one.record.choice and one.record.choice == other.record.choice and conj(one.path, other.path) is FALSE:
                here, there = (one.calls, other.calls) if one.calls is not other.calls else (TRUE, FALSE)
                if here is not TRUE or one.operator != other.operator:
                    yield simplify(ite(one.path, here, there), disj(one.path, other.path))

    def place(self, argument: str | None) -> Place:
        """Where an argument's value is written in the call, else the call."""
        written = self.site.arguments.get(argument) if argument else None
        if written is None or written.span is None:
            return self.site.place
        return Place(self.site.key.path, written.span, self.site.symbol)


@dataclass(eq=False)
class GroupView:
    """Sites that are compared with each other."""

    name: str
    in_tests: bool
    sites: list[SiteView]
    window: Subject | None
    classes: dict[str, ClassFacts] = field(default_factory=dict)
    contract: tuple[str, str] | None = None
    #: What is wrong in itself (FIA201-206), by record: the condition. This and the reference pair are filled in before the
    #: rules that compare are asked.
    wrong: dict[RecordView, Diagram] = field(default_factory=dict)
    reference: Reference | None = None

    @cached_property
    def calls(self) -> list[SiteView]:
        """The sites that run the operator: all but the workspace queries."""
        return [site for site in self.sites if not site.sizes]

    @cached_property
    def records(self) -> list[RecordView]:
        return [view for site in self.calls for view in site.records]

    @cached_property
    def by_class(self) -> dict[str, list[RecordView]]:
        """The records of each concrete class."""
        found: dict[str, list[RecordView]] = {}
        for view in self.records:
            found.setdefault(view.record.cls, []).append(view)
        return found

    @cached_property
    def aware(self) -> list[SiteView]:
        """The window-aware sites that run the operator."""
        return [site for site in self.calls if site.window_aware]

    @cached_property
    def fixed(self) -> Fixed:
        """What counts where window-aware sites are compared."""
        return Fixed(deciding(view.calls for site in self.aware for view in site.records))

    def own_fault(self, view: RecordView) -> Diagram:
        """The condition under which a record has a finding of its own."""
        return self.wrong.get(view, FALSE)


__all__ = ["Case", "GroupView", "RecordView", "SiteView"]
