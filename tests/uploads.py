"""What the places that take our reports ask of them beyond being well formed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema

SCHEMAS = Path(__file__).parent / "schemas"


def sarif_run(report: str) -> dict[str, Any]:
    """The run of a SARIF report, which is valid and within what GitHub's code scanning accepts and shows."""
    document = json.loads(report)
    jsonschema.Draft4Validator(_schema("sarif-2.1.0.json")).validate(document)
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024 and 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"] and rule["help"]["markdown"] and len(rule["properties"]["tags"]) <= 10
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["message"]["text"]
        assert result["partialFingerprints"]["primaryLocationLineHash"]
        others = result.get("relatedLocations", [])
        assert [other["id"] for other in others] == list(range(1, len(others) + 1))
        for place in (*result["locations"], *others):
            _check_place(place["physicalLocation"])
    return dict(run)


def _check_place(place: dict[str, Any]) -> None:
    """An address below the top of the repository, and a region that is not empty."""
    address, region = place["artifactLocation"], place["region"]
    assert address["uriBaseId"] == "%SRCROOT%" and not unquote(address["uri"]).startswith(("/", "./", "..", "file:"))
    start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
    assert (1, 1) <= start < end


def gitlab_issues(report: str) -> list[dict[str, Any]]:
    """The issues of a GitLab report, which has the documented shape; one that is equal to another would be dropped."""
    issues = json.loads(report)
    jsonschema.Draft7Validator(_schema("gitlab-code-quality.json")).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return list(issues)


def github_annotations(report: str) -> list[str]:
    """The annotations of a GitHub report: at most as many as a step may have, and a count of the rest."""
    lines = report.splitlines()
    annotations = [line for line in lines if line.startswith("::error ")]
    assert len(annotations) <= 10
    return annotations


def _schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
