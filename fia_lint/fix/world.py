"""What the ways of repairing look at: the analysed target, and the scopes of its calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fia_lint.evaluate.sites import Place, Site, SiteKey
from fia_lint.evaluate.windows import WindowNames
from fia_lint.extract import ir
from fia_lint.facts import FactsSource
from fia_lint.fix.edits import Edit
from fia_lint.fix.parents import Parents
from fia_lint.fix.scope import Scope, scope_of
from fia_lint.fix.state import State, state_of
from fia_lint.fix.ties import Tie, ties
from fia_lint.run import Result
from fia_lint.spans import Span

#: Edits that belong together: all of them, or none.
Candidate = tuple[Edit, ...]


class NoWay(Exception):
    """A finding that is not repaired, and why, in words."""


@dataclass(eq=False)
class World:
    """An analysed target. ``state`` is taken at once: a later analysis makes the diagrams of an earlier one void."""

    result: Result
    state: State = field(init=False)
    _scopes: dict[tuple[str, Span], Scope] = field(default_factory=dict)
    _parents: dict[str, Parents] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = state_of(self.result)

    @cached_property
    def windows(self) -> WindowNames:
        return WindowNames(self.result.settings.window_names)

    @cached_property
    def whole(self) -> FactsSource:
        """All files of the tree, those too that the analysis did not need."""
        return self.result.source.with_files({})

    def parents(self, facts: ir.Facts) -> Parents:
        if facts.path not in self._parents:
            self._parents[facts.path] = Parents(facts)
        return self._parents[facts.path]

    def deviates(self, site: Site, argument: str) -> bool:
        """Whether something is found about an argument of a call, of one that reaches it through wrappers, or, if it is a
        workspace query, of a call in the same function."""
        if (self.state.number[site.key], argument) in self.state.wrong or (site.place, argument) in self._through:
            return True
        return site.role == "workspace" and (site.key.path, site.symbol, argument) in self._around

    @cached_property
    def _deviating(self) -> list[tuple[Site, str]]:
        known = {number: self.sites[key] for key, number in self.state.number.items()}
        return [(known[call], argument) for call, argument in sorted(self.state.wrong)]

    @cached_property
    def _through(self) -> frozenset[tuple[Place, str]]:
        return frozenset((place, argument) for site, argument in self._deviating for place in site.via)

    @cached_property
    def _around(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((site.key.path, site.symbol, argument) for site, argument in self._deviating)

    @cached_property
    def partly(self) -> frozenset[tuple[SiteKey, str]]:
        """The arguments that deviate in some of the classes that run the call, and not in others."""
        numbers = self.state.number
        return frozenset((s.key, name) for s, name in self._deviating if (numbers[s.key], name) in self.state.partly)

    @cached_property
    def ties(self) -> list[Tie]:
        """The calls that must pass the same."""
        return list(ties(self.sites.values()))

    @cached_property
    def sites(self) -> dict[SiteKey, Site]:
        evaluation = self.result.evaluation
        return {site.key: site for site in evaluation.sites} if evaluation else {}

    def scope(self, site: Site) -> Scope:
        """What stands around a call."""
        return self.scope_at(site.key.path, site.key.span)

    def scope_at(self, path: str, span: Span) -> Scope:
        if (path, span) not in self._scopes:
            facts = self.result.source.facts(path)
            if facts is None:
                raise NoWay(f"{path} cannot be read")
            self._scopes[path, span] = scope_of(facts, span)
        return self._scopes[path, span]

    def values(self, site: Site, argument: str, windowed: bool = True) -> frozenset[str]:
        """The values of an argument at a call."""
        return self.state.values.get((self.state.number[site.key], argument, windowed), frozenset())

    def has(self, site: Site, *codes: str) -> bool:
        """Whether one of some rules has something to say about a call."""
        call = self.state.number[site.key]
        return any(code in codes for code, at, _ in self.state.found if at == call)

    def siblings(self, site: Site) -> Iterator[Site]:
        """The other calls of the group, the nearest first: same function, same class, same file, same role."""
        call = self.state.number[site.key]

        def distance(other: Site) -> tuple[object, ...]:
            same_file = other.key.path == site.key.path
            return (
                not (same_file and other.symbol == site.symbol), not (same_file and other.owner == site.owner), not same_file,
                bool(other.via), other.role == "workspace", other.role != site.role, other.key,
            )  # fmt: skip

        others = (s for s in self.sites.values() if s is not site)
        group = self.state.group[call]
        yield from sorted((s for s in others if self.state.group[self.state.number[s.key]] == group), key=distance)
