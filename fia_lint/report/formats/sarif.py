"""SARIF 2.1.0, as GitHub's code scanning reads it: relative addresses, small regions, both sides, fingerprints."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from fia_lint import __version__
from fia_lint.judge.rules import RULES
from fia_lint.report.linehash import line_hashes
from fia_lint.report.render import Style
from fia_lint.report.rules import rule_markdown, rule_page
from fia_lint.report.view import Item, Spot, View

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: One meaning in every format: a finding fails the check.
LEVEL = "error"
#: An upload with more is rejected as a whole.
MOST_RESULTS, MOST_LOCATIONS, MOST_CHARACTERS = 25_000, 1_000, 1_000


def render(view: View, style: Style) -> str:
    items = [*view.items, *view.suppressed]
    hashes = {path: line_hashes(text) for path, text in view.sources.items()}
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
        "invocations": [_invocation(view, len(items))],
        "results": [_result(item, hashes) for item in items[:MOST_RESULTS]],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": code,
            "name": rule.name,
            "shortDescription": {"text": _cut(rule.summary)},
            "fullDescription": {"text": _cut(rule.summary)},
            "help": {"text": rule_page(code), "markdown": rule_markdown(code)},
            "defaultConfiguration": {"enabled": rule.default, "level": LEVEL},
            "properties": {"precision": "very-high", "problem.severity": LEVEL, "tags": ["correctness"]},
        }
        for code, rule in RULES.items()
    ]
    return {"name": "fia-lint", "semanticVersion": __version__, "rules": rules}


def _invocation(view: View, results: int) -> dict[str, Any]:
    notes = [_note(f"{problem.rooted}:{problem.line}: {problem.message}") for problem in view.errors]
    if results > MOST_RESULTS:
        notes.append(_note(f"{results - MOST_RESULTS} results are left out: a report may hold {MOST_RESULTS}"))
    found = {"executionSuccessful": not view.errors}
    return {**found, "toolExecutionNotifications": notes} if notes else found


def _note(text: str) -> dict[str, Any]:
    return {"level": "error", "message": {"text": text}}


def _result(item: Item, hashes: dict[str, list[str]]) -> dict[str, Any]:
    related = [
        {"id": number, **_location(spot), "message": {"text": spot.message or spot.symbol}}
        for number, spot in enumerate(item.related[:MOST_LOCATIONS], 1)
    ]
    links = " ".join(f"[{_link(spot)}]({number})" for number, spot in enumerate(item.related[:MOST_LOCATIONS], 1))
    said = ": ".join(part for part in (item.claim, item.impact) if part)
    text = f"{said}. See {links}" if links else said
    result: dict[str, Any] = {
        "ruleId": item.finding.code,
        "ruleIndex": list(RULES).index(item.finding.code),
        "level": LEVEL,
        "message": {"text": text},
        "locations": [_location(item.spot)],
        "partialFingerprints": {"primaryLocationLineHash": hashes[item.spot.path][item.spot.line - 1]},
        "fingerprints": {"fia-lint/v1": item.fingerprint},
        "properties": {"condition": item.finding.condition, "role": item.finding.site.role},
    }
    if related:
        result["relatedLocations"] = related
    flow = _flow(item)
    if len(flow) > 1:
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if item.suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    return result


def _flow(item: Item) -> list[dict[str, Any]]:
    """The way of the value from its sources to the place of the finding, the steps nearest to that if there are too many."""
    places = [(spot.path, spot.line, spot.column) for spot in item.origin]
    here = (item.spot.path, item.spot.line, item.spot.column)
    flow = [*item.origin, *([] if here in places else [replace(item.spot, message=item.headline)])]
    return [{"location": {**_location(spot), "message": {"text": spot.message}}} for spot in flow[-MOST_LOCATIONS:]]


def _link(spot: Spot) -> str:
    return f"{spot.shown}:{spot.line}".replace("[", "(").replace("]", ")")


def _location(spot: Spot) -> dict[str, Any]:
    region = {"startLine": spot.line, "startColumn": spot.column, "endLine": spot.end_line, "endColumn": spot.end_column}
    uri = quote(spot.rooted.encode("utf-8", "surrogateescape"))
    return {"physicalLocation": {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region}}


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
