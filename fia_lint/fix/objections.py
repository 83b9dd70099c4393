"""What is to be said against a change, from what a tree says before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from fia_lint.fix.conditions import narrower
from fia_lint.fix.mistakes import ANY
from fia_lint.fix.state import Found, Goal, State

_BOUNDS = ("pre_tokens", "next_tokens", "sparse_mode")


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
    parted = _parted(before, after)
    if stray:
        return Objection(parted or stray)
    new = {found for found in after.found - before.found if found not in before.holding or before.found[found]}
    if new:
        codes = ", ".join(sorted({code for code, _, _ in new}))
        places = ", ".join(sorted({after.place(call) for _, call, _ in new}))
        return Objection(f"it would bring {codes} at {places}", frozenset(new))
    return Objection(parted) if parted else None


def _parted(before: State, after: State) -> str | None:
    """What is to be said against a change after which two calls that belong together, and agreed, do not agree any more."""
    for (one, other), why in before.ties.items():
        for (cls, call, argument, windowed), texts in before.by_class.items():
            there, here = (cls, other, argument, windowed), (cls, one, argument, windowed)
            if call != one or argument not in _BOUNDS or "unknown" in texts or before.by_class.get(there) != texts:
                continue
            if after.by_class.get(here) != after.by_class.get(there):
                places = f"{before.place(one)} and {before.place(other)}"
                return f"{argument} would differ between {places}, {why}: both are to be changed"
    return None


def _stray(before: State, after: State) -> str | None:
    """What is to be said against a value that nobody passed before."""
    known: dict[tuple[str, str, bool], set[str]] = {}
    unblamed: dict[tuple[str, str, bool], set[str]] = {}
    columns = {column: texts for column, texts in before.values.items() if column[1] != "mask"}
    for (call, argument, windowed), texts in columns.items():
        key = (before.group[call], argument, windowed)
        known.setdefault(key, set()).update(texts)
        if (call, argument) not in before.wrong:
            unblamed.setdefault(key, set()).update(texts)
    for (call, argument, windowed), earlier in columns.items():
        texts = after.values.get((call, argument, windowed), frozenset())
        key = (before.group[call], argument, windowed)
        # No later token is right with a window; without one, only where no call that is right says something else.
        right = {"0"} if argument == "next_tokens" and (windowed or not unblamed.get(key)) else set()
        strange = sorted(texts - earlier - (known[key] - {"unknown"}) - right)
        if strange or (earlier and not texts):
            what = strange[0] if strange else "passed no more"
            where = "" if windowed else " that has no window"
            return f"{argument} would be {what} at {after.place(call)}, as at no other call{where}"
    return None


def _lost(before: State, after: State) -> str | None:
    """What is to be said against a value that was passed in other cases, or other classes, and is not any more.

    Where the effective masks stay the same, nothing is lost; nor a mode with which eager and graph code disagreed.
    """
    agreeing = any(code == "FIA103" for code, _, _ in before.found - after.found)
    anywhere = {(a, value) for (_, a), of in before.wrong.items() for values in of.values() for value in values}
    for (cls, call, argument, windowed), earlier in before.by_class.items():
        texts = after.by_class.get((cls, call, argument, windowed), frozenset())
        lost, gained = earlier - texts, texts - earlier
        if argument in ("mask", "band") or not lost | gained or (argument == "sparse_mode" and agreeing):
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
