"""Where something stands in a file."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a file: 1-based lines, 1-based columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span(1, 1, 1, 1)
