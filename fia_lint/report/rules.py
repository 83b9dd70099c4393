"""The table of rules, and the page of one."""

from __future__ import annotations

import inspect

from fia_lint.judge.rules import RULES
from fia_lint.report.clean import pad


def rules_table() -> str:
    """Every rule with its code, name, default and summary."""
    rows = [("code", "name", "default", "says")]
    rows += [(code, rule.name, "on" if rule.default else "off", rule.summary) for code, rule in RULES.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = ["  ".join([*(pad(row[i], widths[i]) for i in range(3)), row[3]]) for row in rows]
    return "".join(f"{line}\n" for line in lines)


def rule_page(code: str) -> str:
    """What a rule says about itself."""
    rule = RULES[code]
    default = "on" if rule.default else f"off, switch it on with --extend-select {code}"
    return f"{code} {rule.name} (by default {default})\n\n{inspect.cleandoc(rule.documentation)}\n"


