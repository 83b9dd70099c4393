"""GitLab's code quality report: a JSON array."""

from __future__ import annotations

import json
from typing import Any

from fia_lint.report.excerpt import source_of
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase
from fia_lint.report.view import Item, View


def render(view: View, style: Style) -> str:
    return json.dumps([_issue(item, style.language) for item in view.items], indent=2) + "\n"


def _issue(item: Item, language: str) -> dict[str, Any]:
    spot = item.spot
    where = f"; {phrase('set', language)} {source_of(item.set_at)}" if item.set_at else ""
    return {
        "description": f"{item.finding.code}: {item.said}{where}",
        "check_name": item.rule,
        "fingerprint": item.fingerprint,
        "severity": "major",
        "location": {
            "path": spot.rooted,
            "positions": {
                "begin": {"line": spot.line, "column": spot.column},
                "end": {"line": spot.end_line, "column": spot.end_column},
            },
        },
    }
