"""Findings put into words, in English or Chinese."""

from __future__ import annotations

from collections.abc import Callable

from fia_lint.judge.findings import Finding, Related
from fia_lint.judge.rules import RULES

Namer = Callable[[str], str]

_PHRASES: dict[str, tuple[str, str]] = {
    "when": ("when", "条件"),
    "impact": ("impact", "影响"),
    "group": ("group", "分组"),
    "rule": ("rule", "规则"),
    "where": ("where", "位置"),
    "says": ("says", "说明"),
    "other side": ("other side", "对照"),
    "line": ("line", "行"),
    "role": ("role", "角色"),
    "function": ("function", "函数"),
    "mode": ("mode", "模式"),
    "pre": ("pre", "pre"),
    "next": ("next", "next"),
    "mask": ("effective mask", "实际掩码"),
    "legend": (
        "W: sliding_window; inf: unbounded (2147483647 and above); !: the row has a finding, listed below",
        "W：sliding_window；inf：无界（2147483647 及以上）；!：该行有问题，列在下方",
    ),
}


def phrase(name: str, language: str) -> str:
    """A fixed word or sentence."""
    return _PHRASES[name][language == "zh"]


def summary(counts: dict[str, int], language: str) -> str:
    """How much was found, and in how much."""
    if language == "zh":
        return f"{counts['files']} 个文件，{counts['sites']} 个调用点，{counts['findings']} 个问题"
    found, sites, files = (_count(counts[key], noun) for key, noun in _NOUNS.items())
    return f"{found} at {sites} in {files}"


_NOUNS = {"findings": "finding", "sites": "call site", "files": "file"}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def message(finding: Finding, shown: Namer, language: str) -> str:
    """What a finding says, in one line without a final stop."""
    return RULES[finding.code].messages[language]


def impact(finding: Finding, language: str) -> str:
    """What the finding means for a query row; empty if nothing can be said."""
    return ""


def related(other: Related, language: str) -> str:
    """What stands at another side of a finding."""
    return ""
