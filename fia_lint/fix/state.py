"""What a tree says before and after a change, in plain words: the values at every call, and what is found there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fia_lint.evaluate.sites import SiteKey
from fia_lint.fix.mistakes import mistakes
from fia_lint.fix.ties import ties
from fia_lint.judge import every_hit, reported
from fia_lint.judge.findings import Finding
from fia_lint.judge.groups import groups
from fia_lint.judge.merge import findings
from fia_lint.judge.rules import RULES
from fia_lint.judge.views import RecordView, SiteView
from fia_lint.operators import MASK_ARGUMENTS
from fia_lint.run import Result
from fia_lint.selection import selected

#: A call, the same before and after: its file, and the how manieth of it it is.
Call = tuple[str, int]
#: A column of a call: the call, the argument, and whether a window is there.
Column = tuple[Call, str, bool]
#: The same in one concrete class: the class, the call, the argument, and whether a window is there.
ClassColumn = tuple[str, Call, str, bool]
#: What is found: code, call, argument.
Found = tuple[str, Call, str]
#: The same with the value, and the condition under which it is passed: what is to be got rid of.
Goal = tuple[Found, str, str]


@dataclass(frozen=True)
class State:
    """The ``group`` of each call, and how often something is ``found`` at it."""

    group: dict[Call, str]
    found: Counter[Found]
    details: Counter[Goal]
    number: dict[SiteKey, Call]
    #: What holds at a call, reported or not: one finding may hide another one.
    holding: frozenset[Found]
    #: The values that each column can have, by concrete class. Columns are the arguments, ``mask`` and ``band``.
    by_class: dict[ClassColumn, frozenset[str]]
    #: What is wrong about an argument of a call: the values, by concrete class. ANY stands for all values.
    wrong: dict[tuple[Call, str], dict[str, set[str]]]
    sizing: frozenset[Call]
    #: Calls that must pass the same, and why, in words.
    ties: dict[tuple[Call, Call], str]

    @cached_property
    def values(self) -> dict[Column, frozenset[str]]:
        """The values that each column can have in any class."""
        found: dict[Column, frozenset[str]] = {}
        for (_, *column, windowed), texts in self.by_class.items():
            key: Column = (*column, windowed)  # type: ignore[assignment]
            found[key] = found.get(key, frozenset()) | texts
        return found

    @cached_property
    def partly(self) -> set[tuple[Call, str]]:
        """What is wrong in some of the classes that run a call, and not in others."""
        running: dict[Call, set[str]] = {}
        for (cls, call, _, windowed), texts in self.by_class.items():
            if windowed and texts:
                running.setdefault(call, set()).add(cls)
        return {
            (call, argument) for (call, argument), classes in self.wrong.items() if running.get(call, set()) - classes.keys()
        }

    def what(self, finding: Finding) -> Found:
        """A finding as it is counted."""
        return finding.code, self.number[finding.site.key], finding.argument or ""

    def place(self, call: Call) -> str:
        """Where a call stands."""
        key = next(key for key, number in self.number.items() if number == call)
        return f"{key.path}:{key.span.line}"

    def masks(self, call: Call) -> dict[str, frozenset[str]] | None:
        """The effective masks of a call with a window, by concrete class; None if one is not known."""
        wanted = (call, "mask", True)
        found = {cls: texts for (cls, *column), texts in self.by_class.items() if tuple(column) == wanted}
        return None if any("unknown" in text for texts in found.values() for text in texts) else found

    def goal(self, finding: Finding) -> Goal:
        """A finding as something to be got rid of."""
        return self.what(finding), finding.value, finding.condition


def state_of(result: Result) -> State:
    """The state of the whole tree, whatever part of it the target is. Rules that are off do not count."""
    if result.evaluation is None:
        return State({}, Counter(), Counter(), {}, frozenset(), {}, {}, frozenset(), {})
    group: dict[Call, str] = {}
    found: Counter[Found] = Counter()
    details: Counter[Goal] = Counter()
    holding: set[Found] = set()
    by_class: dict[ClassColumn, frozenset[str]] = {}
    wrong: dict[tuple[Call, str], dict[str, set[str]]] = {}
    number = _numbers([site.key for site in result.evaluation.sites])
    settings = result.settings
    for view in groups(result.evaluation, settings):
        for site in view.sites:
            call = number[site.site.key]
            group[call] = f"{view.name} {view.in_tests}"
            by_class |= {(cls, call, name, windowed): texts for cls, name, windowed, texts in _columns(site)}
        every = every_hit(view, settings)
        for hit, (argument, value) in ((hit, mistake) for hit in every for mistake in mistakes(hit)):
            of_call = wrong.setdefault((number[hit.view.site.site.key], argument), {})
            of_call.setdefault(hit.view.record.cls, set()).add(value)
        holding |= {(hit.code, number[hit.view.site.site.key], hit.argument or "") for hit in every}
        for finding in findings(reported(every)):
            if RULES[finding.code].default or selected(finding.code, settings):
                what = finding.code, number[finding.site.key], finding.argument or ""
                found[what] += 1
                details[what, finding.value, finding.condition] += 1
    sizing = frozenset(number[site.key] for site in result.evaluation.sites if site.role == "workspace")
    tied = {(number[tie.one], number[tie.other]): tie.why for tie in ties(result.evaluation.sites)}
    return State(group, found, details, number, frozenset(holding), by_class, wrong, sizing, tied)


def _numbers(keys: list[SiteKey]) -> dict[SiteKey, Call]:
    seen: Counter[str] = Counter()
    numbers = {}
    for key in sorted(keys):
        numbers[key] = (key.path, seen[key.path])
        seen[key.path] += 1
    return numbers


def _columns(site: SiteView) -> Iterator[tuple[str, str, bool, frozenset[str]]]:
    """``(class, column, windowed, values)``: the values of each argument, the effective masks, and the kinds of band."""
    classes: dict[str, list[RecordView]] = {}
    for view in site.records:
        classes.setdefault(view.record.cls, []).append(view)
    for cls, views in classes.items():
        for windowed in (True, False):
            regime = site.regimes.windowed if windowed else site.regimes.unwindowed
            calls = [call for view in views for case in view.cases(within=regime) for call in case.calls]
            for name in MASK_ARGUMENTS:
                yield cls, name, windowed, frozenset(call.text(name) for call in calls)
            yield cls, "mask", windowed, frozenset(str(call.mask) for call in calls)
            # A band in both directions is compared with no other kind: no change may end there and so be silent.
            yield cls, "band", windowed, frozenset("symmetric" if call.symmetric else "usual" for call in calls)
