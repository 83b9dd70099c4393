"""Where the value of a finding was set: the one step of its trace that does not just hand a value on."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from fia_lint.evaluate.windows import WindowNames
from fia_lint.report.naming import Naming
from fia_lint.run import source_text

if TYPE_CHECKING:
    from fia_lint.judge.findings import Finding
    from fia_lint.report.view import Spot
    from fia_lint.run import Result
    from fia_lint.trace import Step

#: What only names a value that comes from elsewhere: a name, an attribute, an item by its key; a call of a function.
_REFERENCE = re.compile(r"""(?!None$|True$|False$)[^\W\d]\w*(?:\.\w+)*(?:\[(?:"\w+"|'\w+'|\d+)\])?""")
_CALL = re.compile(r"(?:\w+\.)*(\w+)\([^()]*\)")
_ITEM = re.compile(r"""\[["']?(\w+)["']?\]$""")
#: Steps that give a name its value or change it, and those after which nobody can say that the trace tells all.
_NAMING = ("assign", "augment", "change", "default", "delete", "hand", "loop", "passed", "walrus", "with")
_INCOMPLETE = ("bound", "case", "many")
#: The window is not looked through: where it is passed as it is, nothing was set.
_WINDOW, _SENTINELS = "sliding_window", ("None", "-1", "0")


def set_at(finding: Finding, result: Result, naming: Naming) -> Spot | None:
    """The place where the value was set, if that is certain and stands on another line than the finding and its other sides."""
    from fia_lint.report.view import spot

    if not _may_stand_elsewhere(finding, result):
        return None
    assert finding.argument is not None
    steps = result.tracer.origin(finding.site, finding.argument).steps
    step = setter(steps, finding.value, WindowNames(result.settings.window_names))
    told = {(place.path, place.span.line) for place in (finding.place, *(other.place for other in finding.related))}
    if step is None or (step.place.path, step.place.span.line) in told:
        return None
    return spot(step.place, result, naming)


def _may_stand_elsewhere(finding: Finding, result: Result) -> bool:
    """Whether a trace is worth it: not for what is written in the call itself, nor where the value is a mask."""
    site, argument = finding.site, finding.argument
    if argument is None or argument not in site.arguments or finding.value == _WINDOW:
        return False
    if any(other.kind == "unpacking" for other in finding.related):  # there it is not the value that is wrong
        return False
    if argument == "sparse_mode" and not finding.value.isdecimal():
        return False
    if finding.place == site.place:
        return not site.arguments[argument].default
    text = source_text(result, finding.place)
    if finding.value in _SENTINELS and text.rpartition(".")[2] in WindowNames(result.settings.window_names):
        return False
    return bool(_REFERENCE.fullmatch(text) or _CALL.fullmatch(text))


def setter(steps: Sequence[Step], value: str, windows: Container[str] = ()) -> Step | None:
    """The step that sets ``value``, found from the end of a trace; None where several might."""
    if not steps or steps[-1].kind not in ("written", "spread") or any(step.kind in _INCOMPLETE for step in steps):
        return None
    here, left = steps[-1], list(steps[:-1])
    while _hands_on(here):
        found = _givers(here, left)
        if len(found) > 1:
            found = [step for step in found if _as_value(step.text, windows) == value]
        if len(found) != 1:
            return here if not _givers(here, left) and here.kind != "spread" else None
        here = found[0]
        left.remove(here)
    return here if not here.text.isdecimal() or here.text == value else None


def _as_value(text: str, windows: Container[str]) -> str:
    """Source text with every window called as values call it."""
    return re.sub(r"(?:\w+\.)*\b(\w+)", lambda name: _WINDOW if name[1] in windows else name[0], text)


def _hands_on(step: Step) -> bool:
    """Whether a step only takes over what another gives."""
    return step.kind == "spread" or _part(step) != "" or bool(_REFERENCE.fullmatch(step.text) or _CALL.fullmatch(step.text))


def _part(step: Step) -> str:
    """Which part of a container a step takes, by index or key; empty if it takes the whole value."""
    return step.index if step.kind in ("assign", "walrus") else ""


def _givers(here: Step, steps: Sequence[Step]) -> list[Step]:
    """The steps that may give what a step takes over; those that change it count, so that it is not certain."""
    if here.kind == "spread":
        items = (f'{here.text}["{here.name}"]', f"{here.text}['{here.name}']")
        return [*_filling(here.name, steps), *(step for step in steps if step.name in items)]
    if _part(here):
        return _filling(here.index, steps)
    if call := _CALL.fullmatch(here.text):
        return [step for step in steps if step.kind == "return" and step.name == call[1]]
    named = [step for step in steps if step.kind in _NAMING and step.name == here.text and _is_seen(step, here)]
    if item := _ITEM.search(here.text):
        container = here.text[: item.start()]
        return named or _filling(item[1], steps) or [s for s in steps if s.name == container and _is_seen(s, here)]
    owner, _, name = here.text.rpartition(".")
    return named or [step for step in steps if owner and step.kind == "assign" and step.name == name and _owns(owner, step, here)]


def _filling(part: str, steps: Sequence[Step]) -> list[Step]:
    """The steps that put something into a container: rather into the container itself than the container into another."""
    inside = [step for step in steps if step.kind in ("key", "slot") and step.index == part]
    return inside or [step for step in steps if step.kind == "store" and step.index == part]


def _is_seen(step: Step, here: Step) -> bool:
    """Whether a name that a step sets is that name where ``here`` stands: in its function, in one around it, in the module."""
    if "." in step.name or step.kind == "passed":
        return True
    inner, outer = here.place.symbol, step.place.symbol
    return outer == "" or inner == outer or inner.startswith(f"{outer}.")


def _owns(owner: str, step: Step, here: Step) -> bool:
    """Whether a name that a step sets may be an attribute of that owner: of a module, of a class by its name or its instance."""
    last, symbol = owner.rpartition(".")[2], step.place.symbol
    return step.place.path != here.place.path if not symbol else last in ("self", "cls", symbol.rpartition(".")[2])


__all__ = ["set_at", "setter"]
