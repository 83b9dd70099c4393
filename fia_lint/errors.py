"""What can go wrong with input, as opposed to a fault of the tool itself."""

from __future__ import annotations


class UsageError(Exception):
    """The tool cannot do what it was asked to: one line that names what was wrong and what was expected."""


class SourceError(Exception):
    """A file that cannot be read or parsed: ``path`` in the tree, ``line`` from 1, and what is wrong with it."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class NotSupported(SourceError):
    """Source that is right as it is, but of a kind that this version cannot read."""


class BudgetUsedUp(SourceError):
    """Source that would take more time, memory or depth than one file may take."""


class InternalError(SourceError):
    """Our own fault, with the file that brought it out: it is shown like what is wrong with a file, and the other files go on."""
