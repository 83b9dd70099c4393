"""Steps of a trace as lines: a heading wherever the file or the function changes, then line numbers and words."""

from __future__ import annotations

from collections.abc import Sequence

from fia_lint.report.clean import clean, shorten
from fia_lint.report.paint import Paint
from fia_lint.report.view import Spot


def steps(spots: Sequence[Spot], columns: int, paint: Paint, indent: str) -> list[str]:
    """The steps in their order, each on one line."""
    lines: list[str] = []
    where: tuple[str, str] | None = None
    for spot in spots:
        here = (spot.shown, spot.symbol)
        if here != where:
            inside = f"in {spot.symbol}" if spot.symbol else "at module level"
            same = where is not None and where[0] == spot.shown
            lines.append(indent + paint("dim", clean(inside if same else f"{spot.shown}, {inside}") + ":"))
            where = here
        number = f"{spot.line:>6}  "
        room = max(columns - len(indent) - len(number), 20)
        lines.append(indent + paint("blue", number) + shorten(clean(spot.message), room))
    return lines
