"""What a tree says before and after a change, in plain words: the values at every call, and what is found there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fia_lint.evaluate.sites import SiteKey
from fia_lint.fix.conditions import narrower
from fia_lint.fix.mistakes import ANY, mistakes
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
    """``values`` that each column can have, the ``group`` of each call, and how often something is ``found`` at it."""

    values: dict[Column, frozenset[str]]
    group: dict[Call, str]
    found: Counter[Found]
    details: Counter[Goal]
    number: dict[SiteKey, Call]
    #: What holds at a call, reported or not: one finding may hide another one.
    holding: frozenset[Found]
    #: The values by concrete class; in the column ``mask`` the effective masks.
    by_class: dict[ClassColumn, frozenset[str]]
    #: What is wrong about an argument of a call: the values, by concrete class. ANY stands for all values.
    wrong: dict[tuple[Call, str], dict[str, set[str]]]
    sizing: frozenset[Call]

    @property
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

    def goal(self, finding: Finding) -> Goal:
        """A finding as something to be got rid of."""
        return self.what(finding), finding.value, finding.condition


def state_of(result: Result) -> State:
    """The state of the whole tree, whatever part of it the target is. Rules that are off do not count."""
    if result.evaluation is None:
        return State({}, {}, Counter(), Counter(), {}, frozenset(), {}, {}, frozenset())
    values: dict[Column, frozenset[str]] = {}
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
            values |= {(call, argument, windowed): texts for argument, windowed, texts in _columns(site)}
            by_class |= {(cls, call, *column): texts for cls, *column, texts in _columns_by_class(site)}
        every = every_hit(view, settings)
        for hit in every:
            for argument, value in mistakes(hit):
                of_call = wrong.setdefault((number[hit.view.site.site.key], argument), {})
                of_call.setdefault(hit.view.record.cls, set()).add(value)
        holding |= {(hit.code, number[hit.view.site.site.key], hit.argument or "") for hit in every}
        for finding in findings(reported(every)):
            if RULES[finding.code].default or selected(finding.code, settings):
                what = finding.code, number[finding.site.key], finding.argument or ""
                found[what] += 1
                details[what, finding.value, finding.condition] += 1
    sizing = frozenset(number[site.key] for site in result.evaluation.sites if site.role == "workspace")
    return State(values, group, found, details, number, frozenset(holding), by_class, wrong, sizing)


def _numbers(keys: list[SiteKey]) -> dict[SiteKey, Call]:
    seen: Counter[str] = Counter()
    numbers = {}
    for key in sorted(keys):
        numbers[key] = (key.path, seen[key.path])
        seen[key.path] += 1
    return numbers


def _columns(site: SiteView) -> list[tuple[str, bool, frozenset[str]]]:
    """The values of each argument, with a window and without."""
    found = []
    for windowed in (True, False):
        regime = site.regimes.windowed if windowed else site.regimes.unwindowed
        calls = [call for view in site.records for case in view.cases(within=regime) for call in case.calls]
        found += [(name, windowed, frozenset(call.text(name) for call in calls)) for name in MASK_ARGUMENTS]
        # A band in both directions is compared with no other kind: no change may end there and so be silent.
        found.append(("mask", windowed, frozenset("symmetric" if call.symmetric else "usual" for call in calls)))
    return found


def _columns_by_class(site: SiteView) -> Iterator[tuple[str, str, bool, frozenset[str]]]:
    """The values of each argument and the effective masks in each concrete class, with a window and without."""
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


@dataclass(frozen=True)
class Objection:
    """Why a change is not what was meant to be made. ``new`` is what would be found anew, if that is all."""

    why: str
    new: frozenset[Found] = frozenset()


def objection(before: State, after: State, wanted: list[Goal]) -> Objection | None:
    """What is to be said against a change; None if nothing is.

    Every wanted finding must be gone, or left under a narrower condition. None may be new (what gave way to a wanted one at
    its call is not). A value that was not at a call before must be one that another call of its group passes in the same
    regime, or the one that lets no row see a later token.
    """
    if before.group.keys() != after.group.keys():
        return Objection("the calls would not be the same any more")
    for found, value, condition in wanted:
        more = [goal for goal in after.details - before.details if goal[0] == found]
        left = all(goal[1] == value and narrower(goal[2], condition) for goal in more)
        if after.details[found, value, condition] or not left:
            return Objection(f"{found[0]} would still be found")
    stray = _stray(before, after) or _lost(before, after)
    if stray:
        return Objection(stray)
    new = {found for found in after.found - before.found if found not in before.holding or before.found[found]}
    if new:
        codes = ", ".join(sorted({code for code, _, _ in new}))
        places = ", ".join(sorted({after.place(call) for _, call, _ in new}))
        return Objection(f"it would bring {codes} at {places}", frozenset(new))
    return None


def _stray(before: State, after: State) -> str | None:
    """What is to be said against a value that nobody passed before."""
    known: dict[tuple[str, str, bool], set[str]] = {}
    unblamed: dict[tuple[str, str, bool], set[str]] = {}
    for (call, argument, windowed), texts in before.values.items():
        key = (before.group[call], argument, windowed)
        known.setdefault(key, set()).update(texts)
        if (call, argument) not in before.wrong:
            unblamed.setdefault(key, set()).update(texts)
    for (call, argument, windowed), texts in after.values.items():
        key = (before.group[call], argument, windowed)
        earlier = before.values[call, argument, windowed]
        # No later token is right with a window; without one, only where no call that is right says something else.
        right = {"0"} if argument == "next_tokens" and (windowed or not unblamed.get(key)) else set()
        strange = sorted(texts - earlier - (known[key] - {"unknown"}) - right)
        if strange or (earlier and not texts):
            what = strange[0] if strange else "passed no more"
            return f"{argument} would be {what} at {after.place(call)}, as at no other call"
    return None


def _lost(before: State, after: State) -> str | None:
    """What is to be said against a value that was passed in other cases, or other classes, and is not any more.

    Where the effective masks stay the same, nothing is lost.
    """
    anywhere = {(a, value) for (_, a), of in before.wrong.items() for values in of.values() for value in values}
    for (cls, call, argument, windowed), earlier in before.by_class.items():
        texts = after.by_class.get((cls, call, argument, windowed), frozenset())
        lost, gained = earlier - texts, texts - earlier
        if argument == "mask" or not lost | gained:
            continue
        wrong = before.wrong.get((call, argument), {}).get(cls, set())
        if call in before.sizing:
            wrong = wrong | {value for name, value in anywhere if name == argument}
        same = before.by_class[cls, call, "mask", windowed] == after.by_class.get((cls, call, "mask", windowed))
        meant = {value for value in lost if value in wrong or ANY in wrong or (not windowed and _is_window(value))}
        if not wrong or (lost - meant and not same):
            return f"{argument} would change at {after.place(call)} in cases in which it is right"
        if not windowed and any(map(_is_window, gained)) and not any(map(_is_window, lost)) and not same:
            return f"{argument} would be the window at {after.place(call)} where there is none"
    return None


def _is_window(value: str) -> bool:
    return "sliding_window" in value
