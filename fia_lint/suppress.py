"""Suppression comments, read as flake8 reads them: in the text of the line, joined over strings and continued lines."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_INLINE = re.compile(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)


@dataclass(frozen=True)
class Suppression:
    """A ``# noqa`` with codes: ``line`` and ``column`` of the comment, from 1; the codes of it that are ours."""

    line: int
    column: int
    codes: tuple[str, ...]


class Suppressions:
    """What the comments of one file suppress. ``source`` has ``\\n`` line ends."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def any(self) -> bool:
        return "noqa" in self.source.lower()

    @cached_property
    def whole_file(self) -> bool:
        return self.any and any(_FILE.match(line) for line in self._lines)

    def suppresses(self, code: str, lines: Iterable[int]) -> bool:
        """Whether a finding that begins on one of these lines is suppressed there, or with its whole file."""
        return self.any and (self.whole_file or any(self._line_suppresses(code, line) for line in lines))

    def _line_suppresses(self, code: str, line: int) -> bool:
        first, last = self._joined.get(line, (line, line))
        match = _INLINE.search("\n".join(self._lines[first - 1 : last]))
        return match is not None and (match["codes"] is None or code.startswith(tuple(_codes(match))))

    def unused(self, used: Iterable[tuple[str, tuple[int, ...]]], enabled: Iterable[str]) -> list[Suppression]:
        """Suppressions of our codes that suppress nothing: ``used`` are the codes and lines of the findings without them.

        A code that stands for no rule that is on is left alone, and so is a bare ``# noqa``: it may be another tool's.
        """
        findings, on = list(used), list(enabled)
        found = []
        for line, column, match in self._comments():
            idle = tuple(
                code
                for code in _codes(match)
                if any(rule.startswith(code) for rule in on)
                and not any(c.startswith(code) and self._same_line(line, lines) for c, lines in findings)
            )
            if idle:
                found.append(Suppression(line, column, idle))
        return found

    def _same_line(self, line: int, others: Iterable[int]) -> bool:
        return any(self._joined.get(other, (other, other)) == self._joined.get(line, (line, line)) for other in others)

    def _comments(self) -> list[tuple[int, int, re.Match[str]]]:
        found = []
        for token in self._tokens if self.any else ():
            match = _INLINE.search(token.string) if token.type == tokenize.COMMENT else None
            if match is not None:
                found.append((token.start[0], token.start[1] + match.start() + 1, match))
        return found

    @cached_property
    def _lines(self) -> list[str]:
        return self.source.split("\n")

    @cached_property
    def _tokens(self) -> list[tokenize.TokenInfo]:
        try:
            return list(tokenize.generate_tokens(io.StringIO(self.source).readline))
        except (tokenize.TokenError, SyntaxError):
            return []

    @cached_property
    def _joined(self) -> dict[int, tuple[int, int]]:
        """For each line the first and the last of the lines that are searched with it."""
        found: dict[int, tuple[int, int]] = {}
        first = last = 0
        for token in self._tokens:
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first, last = first or token.start[0], max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                found.update(dict.fromkeys(range(first, last + 1), (first, last)))
                first = last = 0
        return found


def _codes(match: re.Match[str]) -> list[str]:
    """The codes of a suppression."""
    return [code for code in re.split(r"[,\s]+", match["codes"] or "") if code]
