"""Patterns in gitignore syntax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pathspec import GitIgnoreSpec


class Patterns(NamedTuple):
    """Patterns in gitignore syntax, and the folder that they are relative to (an absolute path with forward slashes)."""

    base: str
    spec: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        """Whether they ignore an absolute path (folders end in a slash); None if no pattern speaks of it."""
        prefix = self.base.rstrip("/") + "/"
        if not path.startswith(prefix) or path == prefix:
            return None
        return self.spec.check_file(path[len(prefix) :]).include

    def without(self, path: str) -> Patterns:
        """Only the patterns that do not ignore ``path`` or a folder above it: such a one says nothing about what is below."""
        prefix = self.base.rstrip("/") + "/"
        if not path.startswith(prefix) or path == prefix:
            return self
        inside = path[len(prefix) :]
        kept = [p for p in self.spec.patterns if not (p.include and p.match_file(inside) is not None)]
        return Patterns(self.base, GitIgnoreSpec(kept))


def patterns(base: str, lines: Iterable[str]) -> Patterns:
    """Patterns from the lines of an ignore file. A line that is no pattern is skipped, as git does."""
    try:
        return Patterns(base, GitIgnoreSpec.from_lines(lines))
    except ValueError:
        return Patterns(base, GitIgnoreSpec([p for line in lines for p in _single(line)]))


def _single(line: str) -> Sequence[Any]:
    try:
        return list(GitIgnoreSpec.from_lines([line]).patterns)
    except ValueError:
        return ()


def excluded(path: str, exclusions: Sequence[Patterns]) -> bool:
    """Whether what a user excludes covers an absolute path, be it through a folder above it."""
    return any(item.verdict(path) for item in exclusions)
