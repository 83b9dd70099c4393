"""Steps of a trace as lines: a heading wherever the file or the function changes, then line numbers and words."""

from __future__ import annotations

from collections.abc import Sequence

from fia_lint.report.clean import clean, shorten
from fia_lint.report.paint import Paint
from fia_lint.report.sentences import phrase
from fia_lint.report.view import Spot


def steps(spots: Sequence[Spot], columns: int, paint: Paint, indent: str, language: str = "en") -> list[str]:
    """The steps in their order, each on one line."""
    within, comma, colon = (phrase(name, language) for name in ("within", "comma", "colon"))
    lines: list[str] = []
    where: tuple[str, str] | None = None
    for spot in spots:
        here = (spot.shown, spot.symbol)
        if here != where:
            inside = within.format(spot.symbol) if spot.symbol else phrase("module", language)
            same = where is not None and where[0] == spot.shown
            lines.append(indent + paint("dim", clean(inside if same else f"{spot.shown}{comma}{inside}") + colon))
            where = here
        number = f"{spot.line:>6}  "
        room = max(columns - len(indent) - len(number), 20)
        lines.append(indent + paint("blue", number) + shorten(clean(spot.message), room))
    return lines
