"""The steps of a trace put into words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fia_lint.operators import UNBOUNDED
from fia_lint.report.naming import Naming
from fia_lint.trace.steps import MAX_DEPTH, MAX_VISITS

if TYPE_CHECKING:
    from fia_lint.judge.findings import Finding
    from fia_lint.report.view import Spot
    from fia_lint.run import Result
    from fia_lint.trace import Origin, Step

#: What each kind of step says, in English and Chinese; with a slot where one is taken.
_WORDS: dict[str, tuple[str, str]] = {
    "assign": ("{name} = {text}", "{name} = {text}"),
    "assign of": ("{name} is slot {index} of {text}", "{name} 是 {text} 的第 {index} 项"),
    "augment": ("{text}", "{text}"),
    "bound": (
        f"what lies further back is left out: a trace looks at {MAX_VISITS} expressions, {MAX_DEPTH} deep",
        f"更早的来源从略：追踪最多查看 {MAX_VISITS} 个表达式，深度 {MAX_DEPTH}",
    ),
    "case": ("{name} is taken out of {text}", "{name} 取自 {text}"),
    "case of": ("{name} is taken out of {text}", "{name} 取自 {text}"),
    "change": ("{text}", "{text}"),
    "default": ("{name}={text} is the default of {index}", "{name}={text} 是 {index} 的默认值"),
    "delete": ("{text}", "{text}"),
    "end": ("here knowledge ends: {text}", "了解到此为止：{text}"),
    "hand": ("{text} gets {name} and changes it", "{text} 得到 {name} 并修改它"),
    "import": ("{text}", "{text}"),
    "key": ("{index}: {text}", "{index}: {text}"),
    "loop": ("{name} goes through {text}", "{name} 遍历 {text}"),
    "loop of": ("{name} goes through slot {index} of {text}", "{name} 遍历 {text} 的第 {index} 项"),
    "many": ("{name} is a parameter; {index} more calls of {text} are left out", "{name} 是参数；另有 {index} 处对 {text} 的调用从略"),
    "open": ("{name} is a parameter; nothing that was read calls {text}", "{name} 是参数；所读代码中没有对 {text} 的调用"),
    "passed": ("passed to {index} as {name}: {text}", "作为 {name} 传给 {index}：{text}"),
    "return": ("{name} returns {text}", "{name} 返回 {text}"),
    "slot": ("slot {index}: {text}", "第 {index} 项：{text}"),
    "spread": ("{name} out of **{text}", "{name} 取自 **{text}"),
    "store": ("stored in {name}: {text}", "存入 {name}：{text}"),
    "store of": ("stored in {name} as slot {index}: {text}", "作为第 {index} 项存入 {name}：{text}"),
    "unwritten": ("{name} is not written: the operator's default is {text}", "{name} 未写出：算子的默认值为 {text}"),
    "walrus": ("{name} := {text}", "{name} := {text}"),
    "walrus of": ("{name} is slot {index} of {text}", "{name} 是 {text} 的第 {index} 项"),
    "with of": ("{name} is slot {index} of what {text} gives", "{name} 是 {text} 给出的值的第 {index} 项"),
    "with": ("{name} is what {text} gives", "{name} 是 {text} 给出的值"),
    "written": ("{name}={text}", "{name}={text}"),
}  # fmt: skip
_TESTS: dict[str, tuple[str, str]] = {
    "if": ("only if {text}", "仅当 {text}"),
    "while": ("while {text}", "当 {text} 时循环"),
    "exit": ("goes on only if {text}", "仅当 {text} 才继续"),
    "case": ("only if {name} matches {text}", "仅当 {name} 匹配 {text}"),
}


def words(step: Step, language: str = "en") -> str:
    """What happens at a step, in one line."""
    chinese = language == "zh"
    if step.kind == "test":
        text = _negated(step.text) if step.name == "not" and step.index != "case" else step.text
        return _TESTS[step.index][chinese].format(text=text, name=step.name)
    kind = f"{step.kind} of" if step.index and f"{step.kind} of" in _WORDS else step.kind
    text = f"unbounded ({step.text})" if kind == "unwritten" and step.text == str(UNBOUNDED) else step.text
    return _WORDS[kind][chinese].format(name=step.name, text=text, index=step.index)


def _negated(test: str) -> str:
    if test.startswith("not ") and not {"and", "or", "if"} & set(test.split()):
        return test.removeprefix("not ")
    return f"not {test}" if test.replace(".", "").isidentifier() else f"not ({test})"


def spots(origin: Origin, result: Result, naming: Naming, language: str = "en") -> tuple[Spot, ...]:
    """The steps of an origin as places with words; what could not be determined comes last."""
    from fia_lint.evaluate.sites import Place
    from fia_lint.report.view import spot
    from fia_lint.spans import Span

    found = [spot(step.place, result, naming, words(step, language)) for step in origin.steps]
    for term in origin.unknown:
        if term.path:
            near = [step.place for step in origin.steps if step.place.path == term.path and step.place.span.line == term.line]
            place = near[-1] if near else Place(term.path, Span(term.line, 1, term.line, 1))
            found.append(spot(place, result, naming, _WORDS["end"][language == "zh"].format(text=term.reason)))
    return tuple(found)


def of_finding(finding: Finding, result: Result, naming: Naming, language: str = "en") -> tuple[Spot, ...]:
    """Where the value of a finding's argument came from: the steps before the place of the finding itself."""
    if finding.argument is None or finding.argument not in finding.site.arguments:
        return ()
    origin = result.tracer.origin(finding.site, finding.argument)
    before = tuple(
        step for step in origin.steps if (step.place.path, step.place.span) != (finding.place.path, finding.place.span)
    )
    if before or origin.unknown:
        origin = type(origin)(before, origin.unknown)
    return spots(origin, result, naming, language)


__all__ = ["of_finding", "spots", "words"]
