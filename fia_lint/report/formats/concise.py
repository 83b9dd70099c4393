"""One line per finding: ``PATH:LINE:COLUMN: CODE message``. For ``audit``, one line per call site before them."""

from __future__ import annotations

from typing import Any

from fia_lint.report.clean import clean
from fia_lint.report.render import Style
from fia_lint.report.statistics import statistics
from fia_lint.report.view import Item, View


def render(view: View, style: Style) -> str:
    sites = [_site(site.data, site.shown) for site in view.sites] if style.command == "audit" else []
    unused = [f"{p.shown}:{p.line}:{p.column}: {p.message}" for p in view.unused]
    lines = [*sites, *map(line, view.items), *unused]
    if style.statistics:
        lines += statistics(view)
    return "".join(f"{clean(text)}\n" for text in lines)


def line(item: Item) -> str:
    """The one line of a finding."""
    return f"{item.spot.shown}:{item.spot.line}:{item.spot.column}: {item.finding.code} {item.said}"


def _site(site: dict[str, Any], shown: str) -> str:
    parts = [f"{name}={_cases(argument['cases'])}" for name, argument in site["arguments"].items()]
    mask = _cases(site["mask"]) if site["mask"] else "not reached"
    return f"{shown}:{site['line']}:{site['column']}: {site['role']} {site['operator']} {' '.join(parts)} mask={mask}"


def _cases(cases: list[dict[str, str]]) -> str:
    if len(cases) == 1:
        return str(cases[0]["value"])
    return "{" + "; ".join(f"{case['value']} when {case['when']}" for case in cases) + "}"
