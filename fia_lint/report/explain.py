"""How the mask arguments of some calls got their values, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fia_lint import __version__
from fia_lint.judge import AuditSite
from fia_lint.operators import MASK_ARGUMENTS
from fia_lint.report.clean import clean, pad, width
from fia_lint.report.excerpt import excerpt, wrapped
from fia_lint.report.naming import Naming
from fia_lint.report.origins import spots
from fia_lint.report.paint import Paint
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase
from fia_lint.report.story import steps
from fia_lint.report.view import Spot, spot
from fia_lint.run import Result
from fia_lint.trace import Origin


@dataclass(frozen=True)
class Explained:
    """A call with the origins of its arguments and the tests that stand around it."""

    audited: AuditSite
    call: Spot
    reached: tuple[Spot, ...]
    origins: dict[str, Origin]
    told: dict[str, tuple[Spot, ...]]
    data: dict[str, Any]


def explained(site: AuditSite, result: Result, naming: Naming, language: str) -> Explained:
    """Trace the four arguments of a call."""
    origins = {argument: result.tracer.origin(site.site, argument) for argument in MASK_ARGUMENTS}
    reached = spots(Origin(result.tracer.reached(site.site)), result, naming, language)
    told = {argument: spots(origin, result, naming, language) for argument, origin in origins.items()}
    return Explained(site, spot(site.site.place, result, naming), reached, origins, told, site.as_json(naming.name))


def as_json(calls: Sequence[Explained]) -> str:
    """The object of the audit for each call, with ``origin`` and ``unknown`` in every argument, and ``reached``."""
    document = {"schema": 1, "tool": {"name": "fia-lint", "version": __version__}, "sites": [_data(call) for call in calls]}
    return json.dumps(document, indent=2) + "\n"


def _data(call: Explained) -> dict[str, Any]:
    for argument, origin in call.origins.items():
        call.data["arguments"][argument]["origin"] = [_step(each) for each in call.told[argument]]
        call.data["arguments"][argument]["unknown"] = [
            {"reason": u.reason, "path": u.path, "line": u.line} for u in origin.unknown
        ]
    return {**call.data, "reached": [_step(each) for each in call.reached]}


def _step(step: Spot) -> dict[str, Any]:
    return {
        "path": step.path,
        "line": step.line,
        "column": step.column,
        "symbol": step.symbol,
        "message": step.message,
        "source": step.text.strip(),
    }


def as_text(calls: Sequence[Explained], style: Style) -> str:
    """One block per call: where it is, the tests around it, then each argument with its cases and its story."""
    paint = Paint(style.color)
    return "\n\n".join("\n".join(_call(call, style, paint)) for call in calls) + "\n"


def _call(call: Explained, style: Style, paint: Paint) -> list[str]:
    site = call.audited.site
    place = clean(f"{call.call.shown}:{call.call.line}:{call.call.column}:")
    overload = ".out" if site.overload == "out" else ""
    lines = [f"{paint('bold', place)} {site.operator}{overload} ({site.role}{' via' if site.via else ''})"]
    lines += excerpt(call.call, style.width, paint, "blue")
    if call.reached:
        lines.append(f"  {phrase('reached', style.language)}{phrase('colon', style.language)}")
        lines += steps(call.reached, style.width, paint, "  ", style.language)
    if site.unreached:
        lines.append(f"  {phrase('unreached', style.language)}")
    for argument in MASK_ARGUMENTS:
        lines += ["", *_argument(call, argument, style, paint)]
    return lines


def _argument(call: Explained, argument: str, style: Style, paint: Paint) -> list[str]:
    """The cases of an argument, why it is unknown where it is, and the steps."""
    cases = call.audited.cases[argument]
    room = max((width(clean(case.value)) for case in cases), default=0)
    lines = [paint("bold", argument)]
    for case in cases:
        when = "" if case.when == "always" else f"  {phrase('when', style.language)} {clean(case.when)}"
        said = wrapped(pad(clean(case.value), room if when else 0) + when, style.width, "    ")
        lines += ["  = " + said[0][4:], *said[1:]]
    for term in call.origins[argument].unknown:
        if not term.path:
            lines += wrapped(clean(f"{phrase('unknown', style.language)}: {term.reason}"), style.width, "  ")
    return lines + steps(call.told[argument], style.width, paint, "  ", style.language)
