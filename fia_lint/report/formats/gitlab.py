"""GitLab's code quality report: a JSON array."""

from __future__ import annotations

import json
from typing import Any

from fia_lint.report.render import Style
from fia_lint.report.view import Item, View


def render(view: View, style: Style) -> str:
    return json.dumps([_issue(item) for item in view.items], indent=2) + "\n"


def _issue(item: Item) -> dict[str, Any]:
    spot = item.spot
    return {
        "description": f"{item.finding.code}: {item.said}",
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
