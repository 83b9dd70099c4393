"""Source lines with a marker below, cut to the width of the terminal."""

from __future__ import annotations

import textwrap

from fia_lint.report.clean import clean, shorten, width
from fia_lint.report.paint import Paint
from fia_lint.report.view import Spot


def excerpt(spot: Spot, columns: int, paint: Paint, color: str) -> list[str]:
    """The first line of a place, and a marker under what is meant."""
    line = spot.text.rstrip()
    if not line.strip():
        return []
    stop = spot.end_column - 1 if spot.end_line == spot.line else len(line)
    indent = len(line) - len(line.lstrip())
    before, meant, after = (clean(part) for part in (line[indent : spot.column - 1], line[spot.column - 1 : stop], line[stop:]))
    number = f"{spot.line:>6} | "
    room = max(columns - len(number), 20)
    if width(before) > room // 2:
        before = "…" + before[-(room // 2) :]
    shown = shorten(before + meant + after, room)
    marker = " " * width(before) + "^" * max(1, min(width(meant), width(shown) - width(before)))
    return [paint("blue", number) + shown, paint("blue", "       | ") + paint(color, marker)]


def wrapped(text: str, columns: int, indent: str) -> list[str]:
    """A sentence in lines of at most ``columns``; names and paths stay whole."""
    if not text.isascii():
        return [indent + text]
    return textwrap.wrap(
        text, max(columns, 40), initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
