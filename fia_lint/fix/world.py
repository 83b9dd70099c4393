"""What the ways of repairing look at: the analysed target, and the scopes of its calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fia_lint.evaluate.sites import Site, SiteKey
from fia_lint.evaluate.windows import WindowNames
from fia_lint.fix.edits import Edit
from fia_lint.fix.scope import Scope, scope_of
from fia_lint.fix.state import State, state_of
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

    def __post_init__(self) -> None:
        self.state = state_of(self.result)

    @cached_property
    def windows(self) -> WindowNames:
        return WindowNames(self.result.settings.window_names)

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
