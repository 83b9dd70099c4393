"""Programs written to make the tool wrong: at every call it must say what the operator receives, or that it does not know."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.known_gaps import WRONG_VALUES
from tests.oracle.adversarial import Case, cases

CASES = cases()
NAMES = [case.name for case in CASES]


def _with_gap(case: Case, name: str) -> Any:
    """The program, marked as expected to fail if the tool is known to be wrong in it."""
    mark = pytest.mark.xfail(reason="a wrong value is known", strict=False)
    return pytest.param(case, marks=[mark] if name in WRONG_VALUES else [])


@pytest.mark.parametrize("case", [_with_gap(case, name) for case, name in zip(CASES, NAMES)], ids=NAMES)
def test_nothing_wrong(case: Case) -> None:
    wrong = case.wrong()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_programs_run(case: Case) -> None:
    """Every run reaches the operator, every call that must be known is reached, and the file says what it is about."""
    received = case.received()
    reached = {(frame.path, frame.line) for item in received for frame in item.stack}
    assert case.runs
    assert received
    assert case.must_know.keys() <= reached
    assert ast.get_docstring(ast.parse(case.files[case.main]))


def test_there_are_enough() -> None:
    assert len(CASES) >= 70
