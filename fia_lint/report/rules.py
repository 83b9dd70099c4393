"""The table of rules, the page of one, and what holds for a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from fia_lint.config.load import Configuration
from fia_lint.judge.rule import Rule
from fia_lint.judge.rules import RULES
from fia_lint.report.clean import clean, pad, width
from fia_lint.selection import deciding
from fia_lint.settings import Settings


def rules_table(language: str = "en") -> str:
    """Every rule with its code, name, default and summary."""
    chinese = language == "zh"
    on, off, fix = ("开", "关", "可修复") if chinese else ("on", "off", "fix")
    rows = [("代码", "名称", "默认", "修复", "说明") if chinese else ("code", "name", "default", "fix", "says")]
    for code, rule in RULES.items():
        summary = rule.summary_zh if chinese else rule.summary
        rows.append((code, rule.name, on if rule.default else off, fix if rule.fix else "", summary))
    return _table(rows)


def rule_page(code: str) -> str:
    """What a rule says about itself."""
    rule = RULES[code]
    default = "on" if rule.default else f"off, switch it on with --extend-select {code}"
    return f"{code} {rule.name} (by default {default})\n\n{_body(rule)}"


def rule_markdown(code: str) -> str:
    """The same as a page in Markdown, for programs that show it and for the documentation."""
    rule = RULES[code]
    default = "On by default." if rule.default else f"Off by default: switch it on with `--extend-select {code}`."
    return f"# {code} {rule.name}\n\n{_sentence(rule.summary)} {default}\n\n{_body(rule)}"


def _body(rule: Rule) -> str:
    fix = "repairs it as far as that is no guess" if rule.fix else f"leaves it alone: {rule.no_fix}"
    return f"{rule.documentation}\n\n`--fix` {fix}.\n"


def _sentence(summary: str) -> str:
    """A summary as a sentence; a name that it begins with stays as it is."""
    first = summary.split()[0]
    return f"{summary if '_' in first else summary[0].upper() + summary[1:]}."


def in_force(configuration: Configuration, settings: Settings, off: Callable[[str], bool]) -> str:
    """The settings that hold for a file, and why each rule is on or off there."""
    lines = [f"configuration: {configuration.file or 'none'}"]
    for item in fields(settings):
        words = _IN_WORDS.get(item.name, _value)
        lines.append(f"{item.name.replace('_', '-')}: {words(getattr(settings, item.name))}")
    rows = [("code", "name", "is", "because of")]
    for code, rule in RULES.items():
        on, reason = deciding(code, settings)
        if on and off(code):
            on, reason = False, "per-file-ignores"
        rows.append((code, rule.name, "on" if on else "off", reason))
    return "".join(f"{clean(line)}\n" for line in lines) + "\n" + _table(rows)


#: Settings that are more than a list of words.
_IN_WORDS: dict[str, Callable[[Any], str]] = {
    "per_file_ignores": lambda table: "; ".join(f"{pattern}: {', '.join(codes)}" for pattern, codes in table) or "not set",
    "contract": lambda pair: f"pre_tokens = {pair[0]}, next_tokens = {pair[1]}" if pair else "not set",
}


def _value(value: object) -> str:
    if value is None or value == ():
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return "".join("  ".join([*(pad(row[i], w) for i, w in enumerate(widths)), row[-1]]) + "\n" for row in rows)
