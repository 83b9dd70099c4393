"""The table of call sites: who passes what, under which conditions, and what the operator makes of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from fia_lint.report.clean import clean, pad, shorten, width
from fia_lint.report.paint import Paint
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase
from fia_lint.report.view import View

Row = list[str]
Site = dict[str, Any]

_VALUES = ("sparse_mode", "pre_tokens", "next_tokens")
_COLUMNS = ("", "line", "role", "function", "when", "mode", "pre", "next", "mask")
_WHEN, _FUNCTION = _COLUMNS.index("when"), _COLUMNS.index("function")
_NARROWEST = {_WHEN: 24, _FUNCTION: 16}
_GAP = "  "


def audit_table(view: View, style: Style) -> list[str]:
    """One block of text per group: its sites, file by file."""
    marked = {(item.call.path, item.call.line, item.call.column) for item in view.items}
    blocks = [phrase("legend", style.language)] if view.sites else []
    ordered = sorted(view.sites, key=lambda site: (site["group"], site["path"], site["line"], site["column"]))
    for group, sites in groupby(ordered, key=lambda site: site["group"]):
        blocks.append(_group(str(group), list(sites), view, marked, style))
    return blocks


def _group(group: str, sites: list[Site], view: View, marked: set[tuple[str, int, int]], style: Style) -> str:
    """A heading, and for each file of the group its name and a row per site."""
    paint = Paint(style.color)
    bodies = {
        path: [(row, _is_marked(site, marked)) for site in of_file for row in _rows(site, _is_marked(site, marked))]
        for path, of_file in groupby(sites, key=lambda site: site["path"])
    }
    header = [phrase(name, style.language) if name else "" for name in _COLUMNS]
    widths = _widths([header, *(row for body in bodies.values() for row, _ in body)], style.width)
    lines = [paint("bold", f"{phrase('group', style.language)} {clean(group)}"), *_lines(header, widths)]
    for path, body in bodies.items():
        lines.append(paint("blue", clean(view.names[path])))
        for row, wrong in body:
            lines += [paint("red", line) if wrong else line for line in _lines(row, widths)]
    return "\n".join(lines)


def _is_marked(site: Site, marked: set[tuple[str, int, int]]) -> bool:
    return (site["path"], site["line"], site["column"]) in marked


def _rows(site: Site, wrong: bool) -> Iterator[Row]:
    """The row of a site, continued with one line per further condition."""
    function = site["symbol"].rpartition(".")[2] or "<module>"
    start = ["!" if wrong else "", str(site["line"]), site["role"], function]
    if site.get("unreached"):
        yield [*start, "never reached", "", "", "", ""]
        return
    columns = [site["arguments"][name]["cases"] for name in _VALUES] + [site["mask"]]
    for when in _conditions(columns):
        values = [next((case["value"] for case in cases if case["when"] == when), "") for cases in columns]
        yield [clean(cell) for cell in (*start, _short(when), *map(_short, values))]
        start = ["", "", "", ""]


def _conditions(columns: list[list[dict[str, str]]]) -> list[str]:
    """Every condition of any column once: what always holds first, then as they come."""
    found = dict.fromkeys(case["when"] for cases in columns for case in cases)
    return sorted(found, key=lambda when: when != "always")


def _short(text: str) -> str:
    """Texts of values and conditions with the window as ``W`` and unbounded as ``inf``: the legend says so."""
    return re.sub(r"\bunbounded\b", "inf", re.sub(r"(?<![\w.])sliding_window(?!\w)", "W", text))


def _widths(rows: list[Row], room: int) -> list[int]:
    """The width of each column: what its cells need; conditions and functions give way where there is no room."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    for column in (_WHEN, _FUNCTION):
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - room
        if excess > 0:
            widths[column] = max(min(widths[column], _NARROWEST[column]), widths[column] - excess)
    return widths


def _lines(row: Row, widths: list[int]) -> Iterator[str]:
    """A row as lines of text: conditions are wrapped, everything else stands on the first line."""
    wrapped = _wrap(row[_WHEN], widths[_WHEN]) or [""]
    for number, part in enumerate(wrapped):
        cells = [cell if number == 0 else "" for cell in row]
        cells[_WHEN], cells[_FUNCTION] = part, shorten(cells[_FUNCTION], widths[_FUNCTION])
        yield _GAP.join(pad(cell, size) for cell, size in zip(cells, widths, strict=True)).rstrip()


def _wrap(text: str, columns: int) -> list[str]:
    """A condition broken before ``and`` and ``or``, elsewhere only where it is still too long."""
    glued = re.sub(r" (?!(?:and|or) )", "\u00a0", text)
    parts = textwrap.wrap(glued, columns, break_long_words=False, break_on_hyphens=False)
    return [line for part in parts for line in textwrap.wrap(part.replace("\u00a0", " "), columns, break_on_hyphens=False)]
