"""Source lines with a marker below, cut to the width of the terminal."""

from __future__ import annotations

import re

from fia_lint.report.clean import clean, ending, shorten, width
from fia_lint.report.paint import Paint
from fia_lint.report.view import Spot

#: How many columns of a source line a sentence repeats.
LONGEST = 120
#: What a line may be broken between: words, and characters of scripts without blanks with the punctuation that follows them.
_PIECES = re.compile(r"[^\s\u2e80-\uffef]+\s*[\u3000-\u3002\uff01-\uff1f]*|[\u2e80-\uffef][\u3000-\u3002\uff01-\uff1f]*\s*|\s+")


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
    before = ending(before, room // 2)
    shown = shorten(before + meant + after, room)
    marker = " " * width(before) + "^" * max(1, min(width(meant), width(shown) - width(before)))
    return [paint("blue", number) + shown, paint("blue", "       | ") + paint(color, marker)]


def source_of(spot: Spot) -> str:
    """A place and what stands there, in one line."""
    return f"{spot.shown}:{spot.line}: {shorten(spot.text.strip(), LONGEST)}"


def wrapped(text: str, columns: int, indent: str) -> list[str]:
    """A sentence in lines of at most ``columns``; names and paths stay whole."""
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and width(indent + (lines[-1] + piece).rstrip()) > max(columns, 40):
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [indent + line.rstrip() for line in lines]
