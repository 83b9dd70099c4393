"""Markdown: tables for a pull request's comment or a step's summary."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fia_lint.report.clean import clean, shorten
from fia_lint.report.excerpt import LONGEST
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase, summary
from fia_lint.report.table import COLUMNS, by_group, legend, site_rows
from fia_lint.report.view import Item, View


def render(view: View, style: Style) -> str:
    parts = _audit(view, style) if style.command == "audit" else []
    if view.items:
        head = [phrase(name, style.language) for name in ("rule", "where", "says", "other side")]
        parts.append(_table(head, (_row(item, style) for item in view.items)))
    problems = [f"- {code(f'{p.shown}:{p.line}')} {escaped(p.message)}" for p in (*view.errors, *view.unused)]
    if problems:
        parts.append("\n".join(problems))
    parts.append(summary(view.summary, style.language))
    return "\n\n".join(parts) + "\n"


def _row(item: Item, style: Style) -> list[str]:
    says, place = escaped(item.headline), item.set_at
    if place:
        source = code(shorten(place.text.strip(), LONGEST))
        says += f"<br>{phrase('set', style.language)} {code(f'{place.shown}:{place.line}')} {source}"
    if item.finding.condition not in ("", "always"):
        says += f"<br>{code(item.finding.condition)}"
    if item.impact:
        says += f"<br>{escaped(item.impact)}"
    others = "<br>".join(f"{code(f'{o.shown}:{o.line}')} {escaped(o.message)}" for o in item.related)
    return [f"{item.finding.code} {item.rule}", code(f"{item.spot.shown}:{item.spot.line}:{item.spot.column}"), says, others]


def _audit(view: View, style: Style) -> list[str]:
    """One table per group."""
    if not view.sites:
        return []
    head = ["", *(phrase(name, style.language) for name in ("where", *COLUMNS[2:]))]
    blocks = [escaped(legend(style.language))]
    for group, sites in by_group(view):
        rows = []
        for site in sites:
            for row in site_rows(site, view):
                place = code(f"{site.shown}:{row[1]}") if row[1] else ""
                rows.append([row[0], place, *(code(cell) if cell else "" for cell in row[2:])])
        blocks.append(f"### {phrase('group', style.language)} {code(group)}\n\n{_table(head, rows)}")
    return blocks


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def code(text: str) -> str:
    """Text of the analysed code as code in a cell of a table: nothing in it is markup."""
    safe = clean(text).replace("|", "\\|")
    ticks = "`" * (1 + max(map(len, re.findall("`+", safe)), default=0))
    pad = " " if "`" in safe else ""
    return f"{ticks}{pad}{safe}{pad}{ticks}"


def escaped(text: str) -> str:
    """A sentence in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~@-])", r"\\\1", clean(text))
