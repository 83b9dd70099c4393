"""How many findings there are of each rule."""

from __future__ import annotations

from collections import Counter

from fia_lint.report.view import View


def statistics(view: View) -> list[str]:
    """One line per rule that found something."""
    counts = Counter((item.finding.code, item.rule) for item in view.items)
    return [f"{count:>5} {code} {rule}" for (code, rule), count in sorted(counts.items())]
