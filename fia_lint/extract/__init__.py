"""One file's bytes in, what the source says out. Nothing of a parser's own classes leaves this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fia_lint.extract.ir import Facts

__all__ = ["extract"]


def extract(path: str, data: bytes) -> Facts:
    """The facts of a file. Raises SourceError for one that cannot be read or parsed."""
    # Only here: whoever takes facts from a cache needs no parser.
    from fia_lint.extract.file import facts_of

    return facts_of(path, data)
