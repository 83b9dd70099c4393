"""The table of call sites: who passes what, under which conditions, and what the operator makes of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

from fia_lint.report.clean import clean, pad, shorten, width
from fia_lint.report.excerpt import wrapped
from fia_lint.report.paint import Paint
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase
from fia_lint.report.view import SiteItem, View

Row = list[str]

COLUMNS = ("", "line", "role", "function", "when", "mode", "pre", "next", "mask")
_VALUES = ("sparse_mode", "pre_tokens", "next_tokens", "mask")
_WHEN, _FUNCTION = COLUMNS.index("when"), COLUMNS.index("function")
_GAP = "  "
#: A condition that takes more lines than this in its column is a note below the table. The column is not wider than this.
_MOST_LINES, _WIDEST = 2, 32
_NARROWEST_FUNCTION, _NARROWEST_WHEN = 16, 20


def audit_table(view: View, style: Style) -> list[str]:
    """One block of text per group: its sites, file by file."""
    words = [part for line in phrase("legend", style.language).split("\n") for part in wrapped(line, style.width, "")]
    blocks = ["\n".join(words)] if view.sites else []
    return blocks + [_block(group, sites, view, style) for group, sites in by_group(view)]


def legend(language: str) -> str:
    """What the abbreviations in the table stand for, in one line."""
    return phrase("legend", language).replace("\n", " ")


def by_group(view: View) -> Iterator[tuple[str, list[SiteItem]]]:
    """The groups, and the sites of each in path and line order."""
    ordered = sorted(view.sites, key=lambda site: (site.data["group"], site.place))
    for group, sites in groupby(ordered, key=lambda site: str(site.data["group"])):
        yield group, list(sites)


def site_rows(site: SiteItem, view: View) -> Iterator[Row]:
    """The row of a site, continued with one more per further condition. A mark stands first if it has a finding."""
    data = site.data
    wrong = any((item.call.path, item.call.line, item.call.column) == site.place for item in view.items)
    role = f"{data['role']} via" if data["via"] else data["role"]
    start = ["!" if wrong else "", str(data["line"]), role, clean(data["symbol"].rpartition(".")[2] or "<module>")]
    if data.get("unreached"):
        yield [*start, "never reached", "", "", "", ""]
    for when, values in site.rows:
        yield [*start, *(clean(_short(cell)) for cell in (when, *(values[name] for name in _VALUES)))]
        start = ["", "", "", ""]


def _short(text: str) -> str:
    """A value or condition in the abbreviations of the legend."""
    if text == "unknown":
        return "?"
    return re.sub(r"\bunbounded\b", "inf", re.sub(r"(?<![\w.])sliding_window(?!\w)", "W", text))


def _block(group: str, sites: list[SiteItem], view: View, style: Style) -> str:
    """A heading, for each file of the group its name and the rows of its sites, and the notes."""
    paint = Paint(style.color)
    notes: dict[str, str] = {}
    rows = [[_with_note(row, notes) for row in site_rows(site, view)] for site in sites]
    header = [phrase(name, style.language) if name else "" for name in COLUMNS]
    widths = _widths([header, *(row for of_site in rows for row in of_site)], style.width)
    lines = [paint("bold", f"{phrase('group', style.language)} {clean(group)}"), *_lines(header, widths)]
    path = None
    for site, of_site in zip(sites, rows, strict=True):
        if site.shown != path:
            path = site.shown
            lines.append(paint("blue", clean(path)))
        text = [line for row in of_site for line in _lines(row, widths)]
        lines += [paint("red", line) for line in text] if of_site[0][0] else text
    for condition, name in notes.items():
        lines += _wrap(f"{name} {condition}", style.width, " " * (len(name) + 1))
    return "\n".join(lines)


def _with_note(row: Row, notes: dict[str, str]) -> Row:
    """The row with a condition that is too long for its column replaced by the name of a note."""
    condition = row[_WHEN]
    if len(_wrap(condition, _WIDEST)) <= _MOST_LINES:
        return row
    name = notes.setdefault(condition, f"({len(notes) + 1})")
    return [*row[:_WHEN], name, *row[_WHEN + 1 :]]


def _widths(rows: list[Row], room: int) -> list[int]:
    """The width of each column: what its cells need; functions and conditions give way where there is no room."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(COLUMNS))]
    widths[_WHEN] = max(width(part) for row in rows for part in _wrap(row[_WHEN], _WIDEST) or [""])
    for column, least in ((_FUNCTION, _NARROWEST_FUNCTION), (_WHEN, _NARROWEST_WHEN)):
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - room
        if excess > 0:
            widths[column] = max(min(widths[column], least), widths[column] - excess)
    return widths


def _lines(row: Row, widths: list[int]) -> Iterator[str]:
    """A row as lines of text: conditions are wrapped, everything else stands on the first line."""
    for number, part in enumerate(_wrap(row[_WHEN], widths[_WHEN]) or [""]):
        cells = [cell if number == 0 else "" for cell in row]
        cells[_WHEN], cells[_FUNCTION] = part, shorten(cells[_FUNCTION], widths[_FUNCTION])
        yield _GAP.join(pad(cell, size) for cell, size in zip(cells, widths, strict=True)).rstrip()


def _wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """A condition broken before ``and`` and ``or``, elsewhere only where it is still too long."""
    glued = re.sub(r" (?!(?:and|or) )", "\u00a0", text)
    parts = textwrap.wrap(glued, columns, break_long_words=False, break_on_hyphens=False, subsequent_indent=indent)
    plain = (part.replace("\u00a0", " ") for part in parts)
    return [line for part in plain for line in textwrap.wrap(part, columns, break_on_hyphens=False, subsequent_indent=indent)]
