"""The tool on five real releases. They are downloaded if need be (``python -m tests.corpora`` does it beforehand)."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from bench.harness import run
from fia_lint.report.render import Style, render
from fia_lint.report.view import view
from fia_lint.session import Request, answers
from tests.corpora import RELEASES, unpacked
from tests.corpus.compare import found, wrong_values
from tests.corpus.golden import ATTENTION, CALLS, EXTRA, FIA208, FILES, FINDINGS, SITES, Row
from tests.uploads import github_annotations, gitlab_issues, sarif_run

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
LARGEST_FIRST = RELEASES[::-1]
OFF_BY_DEFAULT = ("FIA106", "FIA207", "FIA208", "FIA901")
ROWS = [
    pytest.param(release, place, row, id=f"{release}-{place[0].rsplit('/', 1)[-1]}:{place[1]}")
    for release in LARGEST_FIRST
    for place, row in SITES[release].items()
]
each_release = pytest.mark.parametrize("release", LARGEST_FIRST)


@functools.cache
def reports(release: str) -> dict[str, str]:
    """The audit of a release with all rules in the formats that programs read: analysed once per session."""
    found = answers(Request((str(unpacked(release)),), isolated=True, extend_select=OFF_BY_DEFAULT))
    shown = view(found, audit=True)
    return {style: render(style, shown, Style("audit")) for style in ("json", "sarif", "gitlab", "github")}


@functools.cache
def audit(release: str) -> dict[str, Any]:
    return dict(json.loads(reports(release)["json"]))


def default_findings(release: str) -> list[dict[str, Any]]:
    return [f for f in audit(release)["findings"] if f["code"] not in OFF_BY_DEFAULT]


def site(release: str, place: tuple[str, int]) -> dict[str, Any]:
    there = [s for s in audit(release)["sites"] if (s["path"], s["line"]) == place]
    assert len(there) == 1, f"{len(there)} sites at {place[0]}:{place[1]}"
    return there[0]


@each_release
def test_every_file_is_read(release: str) -> None:
    assert audit(release)["errors"] == []
    assert audit(release)["summary"]["files"] == FILES[release]


@each_release
def test_call_sites_are_those_in_the_source_text(release: str) -> None:
    """Calls of a wrapper come on top, marked ``via``; one in 0.23.0 bears an entry point's name and is counted in the text."""
    direct = Counter((s["path"], s["line"]) for s in audit(release)["sites"] if not s["via"])
    assert direct == Counter(place for place, row in SITES[release].items() if not row.via)
    named_wrappers = sum(row.via for row in SITES[release].values())
    assert direct.total() + named_wrappers == CALLS[release]


@pytest.mark.parametrize(("release", "place", "row"), ROWS)
def test_values(release: str, place: tuple[str, int], row: Row) -> None:
    wrong = wrong_values(row, site(release, place))
    assert not wrong, "\n".join(wrong)


@each_release
def test_only_those_sites_are_window_aware(release: str) -> None:
    aware = {(s["path"], s["line"]) for s in audit(release)["sites"] if s["window_aware"]}
    assert aware == {place for place, row in SITES[release].items() if row.aware}


@each_release
def test_findings_with_the_default_rules(release: str) -> None:
    findings = default_findings(release)
    assert Counter(map(found, findings)) == Counter(FINDINGS[release])
    assert {finding["path"] for finding in findings} <= {ATTENTION}


@pytest.mark.parametrize("release", sorted(EXTRA))
def test_findings_of_rules_that_are_off_by_default(release: str) -> None:
    findings = audit(release)["findings"]
    for code, lines in EXTRA[release].items():
        assert sorted(f["call"]["line"] for f in findings if f["code"] == code) == lines, code
    assert sum(f["code"] == "FIA208" for f in findings) == FIA208[release]


@pytest.mark.parametrize("release", ["0.9.1", "0.18.0"])
def test_check_reports_the_rules_that_are_on_by_default(release: str) -> None:
    output = run("check", "--isolated", str(unpacked(release)))
    assert output.output["findings"] == default_findings(release)
    assert output.status == (1 if FINDINGS[release] else 0)


@each_release
def test_reports_can_be_uploaded(release: str) -> None:
    """SARIF and GitLab's report are valid, and hold every finding; GitHub gets as many annotations as it shows."""
    count = len(audit(release)["findings"])
    assert len(sarif_run(reports(release)["sarif"])["results"]) == count
    assert len(gitlab_issues(reports(release)["gitlab"])) == count
    assert len(github_annotations(reports(release)["github"])) == min(count, 10)


@each_release
def test_every_unknown_argument_has_a_reason(release: str) -> None:
    """Where the audit says unknown, FIA901 says why; and nowhere else. (Queries get FIA104 alone.)"""
    unknown = {
        (s["path"], s["line"], name)
        for s in audit(release)["sites"]
        if s["role"] != "workspace"
        for name, argument in s["arguments"].items()
        if any(case["value"] == "unknown" for case in argument["cases"])
    }
    listed = {
        (f["path"], f["call"]["line"], f["argument"]) for f in audit(release)["findings"] if f["code"] == "FIA901"
    }
    assert listed == unknown


@each_release
def test_flake8_says_the_same(release: str) -> None:
    root = unpacked(release)
    if not (root / ATTENTION).exists():
        pytest.fail(f"no {ATTENTION}")
    options = ["--isolated", "--select", "FIA", "--fia-root", str(root), "--format", "%(path)s:%(row)d:%(col)d: %(code)s"]
    command = [sys.executable, "-m", "flake8", *options, ATTENTION]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120)
    assert result.stderr == ""
    expected = [f"{f['path']}:{f['line']}:{f['column']}: {f['code']}" for f in default_findings(release)]
    assert sorted(result.stdout.splitlines()) == sorted(expected)
    assert result.returncode == (1 if expected else 0), json.dumps(result.stdout)
