"""Findings put into words, in English or Chinese."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fia_lint.report import impact as impacts

if TYPE_CHECKING:
    from fia_lint.judge.findings import Finding, Related

Namer = Callable[[str], str]

_PHRASES: dict[str, tuple[str, str]] = {
    "when": ("when", "条件"),
    "impact": ("impact", "影响"),
    "origin": ("where the value comes from", "该值的来源"),
    "reached": ("in its function the call is reached as follows", "在其函数内，到达该调用的条件"),
    "within": ("in {}", "在 {} 中"),
    "module": ("at module level", "在模块层"),
    "comma": (", ", "，"),
    "colon": (":", "："),
    "hint": (
        "fia-lint explain FILE:LINE tells where the values of a call come from, fia-lint check --diff what can be repaired",
        "fia-lint explain FILE:LINE 说明调用中的值从何而来，fia-lint check --diff 显示可以修复的地方",
    ),
    "idle": ("unused suppression of {}", "没有屏蔽任何问题的注释：{}"),
    "set": ("set at", "设于"),
    "unreached": ("no known path reaches this call", "没有已知路径到达该调用"),
    "unknown": ("unknown", "未知"),
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
        "W: sliding_window; inf: unbounded (2147483647 and above); ?: unknown; via: a call of a wrapper;\n"
        "!: the row has a finding, listed below",
        "W：sliding_window；inf：无界（2147483647 及以上）；?：未知；via：调用包装函数；\n!：该行有问题，列在下方",
    ),
}
_NOUNS = {"findings": "finding", "sites": "call site", "files": "file"}

#: What stands at another side of a finding: what the place is, and what is passed there.
_SIDES: dict[str, tuple[str, str]] = {
    "reference": ("", ""),
    "call": ("the call that the workspace is for: ", "工作区所服务的调用："),
    "query": ("the workspace is sized here: ", "在此处确定工作区大小："),
    "capture": ("captured here: ", "在此处捕获："),
    "unpacking": ("unpacked here", "在此处解包"),
    "end": ("here knowledge of {argument} ends", "对 {argument} 的了解到此为止"),
}
_PASSED = {
    "mask": ("the effective mask is {value} here", "此处的实际掩码为 {value}"),
    "argument": ("{argument} is {value} here", "此处 {argument} 为 {value}"),
    "test": ("the window is tested here: {value}", "此处检验窗口：{value}"),
}


def phrase(name: str, language: str) -> str:
    """A fixed word or sentence."""
    return _PHRASES[name][language == "zh"]


def summary(counts: dict[str, int], language: str) -> str:
    """How much was found, and in how much."""
    if language == "zh":
        return f"{counts['files']} 个文件，{counts['sites']} 个调用点，{counts['findings']} 个问题"
    found, sites, files = (f"{counts[key]} {noun}{'s' * (counts[key] != 1)}" for key, noun in _NOUNS.items())
    return f"{found} at {sites} in {files}"


def message(finding: Finding, named: Namer, language: str, condition: bool = True, effect: bool = True) -> str:
    """What a finding says, in one line without a final stop; with its ``condition``, and with its impact (``effect``)."""
    from fia_lint.judge.rules import RULES

    first = finding.related[0].place if finding.related else None
    fields = {
        "argument": finding.argument or "",
        "value": finding.value,
        "reference": finding.reference or "",
        "condition": finding.condition,
        "when": _when(finding, finding.condition if condition else "always", language),
        "effect": _effect(finding, language) if effect else "",
        "there": f"{named(first.path)}:{first.span.line}" if first else "",
        "operator": finding.site.operator,
        "role": finding.site.role,
        "symbol": finding.site.symbol,
        **finding.facts,
    }
    return " ".join(RULES[finding.code].template(finding, language).format(**fields).split())


def _when(finding: Finding, condition: str, language: str) -> str:
    """Under which condition, and in which other classes, or in which classes only."""
    chinese = language == "zh"
    text = "" if condition in ("", "always") else f"在 {condition} 时" if chinese else f" when {condition}"
    if finding.classes:
        names = ", ".join(finding.classes)
        words = ("仅在 {} 中", "in {} only") if finding.confined else ("在 {} 中亦然", "in {} too")
        text += f"（{words[0].format(names)}）" if chinese else f" ({words[1].format(names)})"
    return f"{text}，" if text and chinese else text


def _effect(finding: Finding, language: str) -> str:
    text = impact(finding, language, example=False)
    return text and (f"：{text}" if language == "zh" else f": {text}")


def impact(finding: Finding, language: str, example: bool = True) -> str:
    """What the finding means for a query row; empty if nothing can be said."""
    if finding.impact is None:
        return ""
    return impacts.sentence(finding.impact.kind, finding.impact.values, language, example)


def related(other: Related, language: str) -> str:
    """What stands at another side of a finding."""
    chinese = language == "zh"
    what = "mask" if other.argument == "sparse_mode" else "argument" if other.argument else "test"
    text = _SIDES[other.kind][chinese] + (_PASSED[what][chinese] if other.value else "")
    names = ", ".join(other.classes)
    where = "" if not names else f"（在 {names} 中）" if chinese else f" (in {names})"
    return text.rstrip(":： ").format(argument=other.argument, value=other.value) + where
