"""The same comparison against ``audit --format json``: the printed conditions and values, evaluated by name."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.oracle.compare import ARGUMENTS, Problem, normal
from tests.oracle.execute import Received
from tests.oracle.inputs import Environment, NotComparable
from tests.oracle.stub import UNBOUNDED


@dataclass
class Printed:
    """The count of a comparison of printed cases."""

    compared: int = 0
    unknown: int = 0
    not_comparable: int = 0
    overlaps: int = 0
    problems: list[Problem] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)


def audit(files: Mapping[str, str]) -> list[dict[str, Any]]:
    """The sites that the command line prints for a program."""
    from bench.harness import run

    with tempfile.TemporaryDirectory(prefix="fia-lint-oracle-") as folder:
        for path, source in files.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source, encoding="utf-8")
        sites: list[dict[str, Any]] = run("audit", "--isolated", folder).output["sites"]
        return sites


def compare(sites: list[dict[str, Any]], received: Received, environment: Environment) -> Printed:
    """Hold one call of the operator against the printed cases of every site that it went through."""
    printed = Printed()
    for site in sites:
        if received.frame(site["path"], site["line"]) is None:
            continue
        for name in ARGUMENTS:
            _argument(site, name, normal(received.values[name]), environment, printed)
    return printed


def _argument(site: dict[str, Any], name: str, wanted: object, environment: Environment, printed: Printed) -> None:
    cases = site["arguments"][name]["cases"]
    place = (site["path"], site["line"], name)
    try:
        holding = [case["value"] for case in cases if _holds(case["when"], environment)]
    except NotComparable as text:
        printed.not_comparable += 1
        printed.texts[str(text)] += 1
        return
    printed.compared += 1
    if not holding:
        conditions = " | ".join(case["when"] for case in cases)
        printed.problems.append(Problem("no case", *place, f"no case holds among: {conditions}", repr(wanted)))
        return
    printed.overlaps += len(holding) > 1
    if "unknown" in holding:
        printed.unknown += 1
        return
    try:
        agrees = [_agrees(value, wanted, environment) for value in holding]
    except NotComparable as text:
        printed.not_comparable += 1
        printed.texts[str(text)] += 1
        return
    if not any(agrees):
        printed.problems.append(Problem("printed", *place, " or ".join(holding), repr(wanted)))


def _holds(when: str, environment: Environment) -> bool:
    return when == "always" or bool(environment.evaluate(when))


def _agrees(value: str, wanted: object, environment: Environment) -> bool:
    """Whether a printed value is what was received."""
    if value in ("given", "given or None"):
        return isinstance(wanted, str) or (wanted is None and value != "given")
    if value == "unbounded":
        return wanted == UNBOUNDED
    return normal(environment.evaluate(value)) == wanted
