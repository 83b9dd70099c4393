"""The fixtures, run through the public command line."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from typing import Any

import pytest

from tests.known_gaps import KNOWN_GAPS

from fixture_runner import Fixture, difference, fixtures, same_value, wrong_findings, wrong_sites

ALL = fixtures()
RULES = [
    *("FIA101", "FIA102", "FIA103", "FIA104", "FIA105", "FIA106"),
    *("FIA201", "FIA202", "FIA203", "FIA204", "FIA205", "FIA206", "FIA207", "FIA208"),
    "FIA901",
]


def each(fixtures: list[Fixture], gaps: dict[str, str]) -> pytest.MarkDecorator:
    """A test that runs for each of these fixtures, and is expected to fail for known gaps."""

    def one(fixture: Fixture) -> Any:
        marks = [pytest.mark.xfail(reason=gaps[fixture.name], strict=True)] if fixture.name in gaps else []
        return pytest.param(fixture, id=fixture.name, marks=marks)

    return pytest.mark.parametrize("fixture", list(map(one, fixtures)))


@functools.cache
def audit(fixture: Fixture) -> tuple[int, dict[str, Any]]:
    """Exit status and output of the audit, which lists the findings of ``check`` below the sites."""
    return fixture.run("audit", fixture.expected.options)


@each(ALL, {})
def test_findings(fixture: Fixture) -> None:
    expected = fixture.expected
    status, output = audit(fixture)
    assert not wrong_findings(expected, output), "\n".join(wrong_findings(expected, output))
    assert output["errors"] == []
    assert status == (1 if expected.findings else 0)


LISTED = [f for f in ALL if f.topic == "sites" or f.expected.sites]


@each(LISTED, KNOWN_GAPS)
def test_sites(fixture: Fixture) -> None:
    expected = fixture.expected
    _, output = audit(fixture)
    assert not wrong_sites(expected, output), "\n".join(wrong_sites(expected, output))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_fires_and_stays_silent(rule: str) -> None:
    """At least three fixtures that fire, and at least as many that must not."""
    fires, silent = [], []
    for fixture in ALL:
        if fixture.topic == rule:
            hit = any(code == rule for _, _, code in fixture.expected.findings)
            (fires if hit else silent).append(fixture.name)
    assert len(fires) >= 3
    assert len(silent) >= len(fires)


def test_every_fixture_says_what_it_is_about() -> None:
    """A silent fixture says why it is silent: the first thing in its first file is a docstring."""
    for fixture in ALL:
        sources = [file for file in fixture.files.values() if file.suffix == ".py"]
        documented = [ast.get_docstring(ast.parse(file.read_bytes())) for file in sources]
        assert any(documented), fixture.name


def test_every_item_of_the_silent_list_has_a_fixture() -> None:
    items = defaultdict(list)
    for fixture in ALL:
        if fixture.topic == "silence":
            items[fixture.path.name[:2]].append(fixture)
            assert not fixture.expected.findings
    assert sorted(items) == [f"{n:02d}" for n in range(1, 10)]


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ([("x is None", "1"), ("x is not None", "2")], [("not x is not None", "1"), ("x is not None", "2")], True),
        ([("x is None", "1"), ("x is not None", "2")], [("x is None", "2"), ("x is not None", "1")], False),
        ([("always", "1")], [("a or not a", "1")], True),
        ([("always", "1")], [("sliding_window is not None", "1")], False),
        ([("sliding_window", "1")], [("sliding_window is not None", "1")], True),
        ([("x == 1", "1")], [("x == 1 and x != 2", "1")], True),
        ([("m.state == State.A", "1")], [("n.state == State.A and n.state != State.B", "1")], True),
    ],
)
def test_comparison_of_cases(left: list[tuple[str, str]], right: list[tuple[str, str]], equal: bool) -> None:
    assert (difference(left, right) is None) == equal


def test_comparison_of_terms() -> None:
    assert same_value("sliding_window + n - 1", "n - 1 + sliding_window")
    assert same_value("min(sliding_window, 4096)", "min(4096, sliding_window)")
    assert not same_value("sliding_window - 1", "sliding_window")
    assert not same_value("unknown", "None")
