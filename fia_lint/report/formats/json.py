"""JSON: the keys are a promise. Always in English, always ASCII, the same bytes for the same input."""

from __future__ import annotations

import json
from typing import Any

from fia_lint import __version__
from fia_lint.report.render import Style
from fia_lint.report.view import Item, Spot, View


def render(view: View, style: Style) -> str:
    document: dict[str, Any] = {"schema": 1, "tool": {"name": "fia-lint", "version": __version__}}
    if style.command == "audit":
        document["sites"] = [site.data for site in view.sites]
    document["findings"] = [finding(item) for item in view.items]
    document["errors"] = [{"path": p.path, "line": p.line, "message": p.message} for p in view.errors]
    if view.unused:
        document["unused_suppressions"] = [
            {"path": p.path, "line": p.line, "column": p.column, "message": p.message} for p in view.unused
        ]
    document["summary"] = view.summary
    return json.dumps(document, indent=2) + "\n"


def finding(item: Item) -> dict[str, Any]:
    """A finding as plain data."""
    found, spot, site = item.finding, item.spot, item.finding.site
    return {
        "code": found.code,
        "rule": item.rule,
        "path": spot.path,
        "line": spot.line,
        "column": spot.column,
        "end_line": spot.end_line,
        "end_column": spot.end_column,
        "symbol": site.symbol,
        "operator": site.operator,
        "overload": site.overload,
        "role": site.role,
        "call": {"line": item.call.line, "column": item.call.column},
        "argument": found.argument,
        "value": found.value,
        "reference": found.reference,
        "condition": found.condition,
        "message": item.message,
        "impact": item.impact,
        "related": [{**_place(each), "symbol": each.symbol, "message": each.message} for each in item.related],
        "origin": [{**_place(each), "message": each.message} for each in item.origin],
        "fingerprint": item.fingerprint,
    }


def _place(spot: Spot) -> dict[str, Any]:
    return {"path": spot.path, "line": spot.line, "column": spot.column}
