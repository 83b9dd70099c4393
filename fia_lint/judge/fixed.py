"""Fixed conditions: which tests count for a rule. Everything else is forgotten before anything is compared or printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from fia_lint.algebra.cover import atoms, words
from fia_lint.algebra.diagram import Diagram, coarsen, exists, walk
from fia_lint.algebra.region import EVERYTHING, Region
from fia_lint.algebra.terms import Kind, Subject
from fia_lint.judge.regimes import Regimes

Blocks = dict[Subject, tuple[Region, ...]]


def deciding(diagrams: Iterable[Diagram]) -> Blocks:
    """What the values of mask arguments ask, apart from the window: by subject, the sets of values that they tell apart."""
    found: Blocks = {}
    for diagram in diagrams:
        for item in walk(diagram):
            if item.subject is not None and item.subject.kind is not Kind.WINDOW:
                blocks = found.get(item.subject, (EVERYTHING,))
                pieces = (block & region for block in blocks for region, _ in item.edges)
                found[item.subject] = tuple(sorted((p for p in pieces if p), key=lambda region: region.order))
    return found


@dataclass(frozen=True)
class Fixed:
    """The tests that count: those of the window, those that decide, and, if ``layers``, those of layer constants."""

    blocks: Blocks = field(hash=False)
    layers: bool = False

    def project(self, condition: Diagram) -> Diagram:
        """The condition with everything else forgotten: it holds where the condition holds for some value of the rest."""
        kept = exists(condition, self._is_forgotten)
        return coarsen(kept, {s: b for s, b in self.blocks.items() if not self._is_layer(s)})

    def _is_forgotten(self, subject: Subject) -> bool:
        return not (subject.kind is Kind.WINDOW or subject in self.blocks or self._is_layer(subject))

    def _is_layer(self, subject: Subject) -> bool:
        return self.layers and subject.kind is Kind.LAYER


@lru_cache(maxsize=4096)
def printed(condition: Diagram, regimes: Regimes) -> str:
    """A condition in words, as short as possible, the regime of the window as one test."""
    return words(regimes.printable(condition), regimes.wording)


def length(condition: Diagram, regimes: Regimes) -> int:
    """How many tests the words of a condition have."""
    return atoms(regimes.printable(condition))


__all__ = ["Blocks", "Fixed", "deciding", "length", "printed"]
