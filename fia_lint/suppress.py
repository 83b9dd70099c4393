"""What the suppression comments of a file suppress, and which of them suppress nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fia_lint.extract.ir import Noqa


@dataclass(frozen=True)
class Suppression:
    """A ``# noqa`` with codes: ``line`` and ``column`` of the comment, from 1; the codes of it that suppress nothing."""

    line: int
    column: int
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Suppressions:
    """The suppression comments of one file."""

    noqa: Sequence[Noqa]

    def suppresses(self, code: str, lines: Iterable[int]) -> bool:
        """Whether a finding that begins on one of these lines is suppressed there, or with its whole file."""
        there = tuple(lines)
        return any(
            one.whole_file or (any(map(one.covers, there)) and (not one.codes or code.startswith(one.codes))) for one in self.noqa
        )

    def unused(self, used: Iterable[tuple[str, tuple[int, ...]]], enabled: Iterable[str]) -> list[Suppression]:
        """Suppressions of our codes that suppress nothing: ``used`` are the codes and lines of the findings without them.

        A code that stands for no rule that is on is left alone, and so is a bare ``# noqa``: it may be another tool's.
        """
        findings, on = list(used), list(enabled)
        found = []
        for one in self.noqa:
            here = [code for code, lines in findings if any(map(one.covers, lines))]
            idle = tuple(
                code
                for code in one.codes
                if any(rule.startswith(code) for rule in on) and not any(other.startswith(code) for other in here)
            )
            if idle and one.is_comment:
                found.append(Suppression(one.span.line, one.span.column, idle))
        return found
