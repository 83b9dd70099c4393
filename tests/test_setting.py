"""A finding names the line where its value was set, if that is another one than its own.

If this failed, somebody would look at a call that nobody touched, and not find what made it wrong; or would be led to a line
that has nothing to do with it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fia_lint.evaluate.sites import Place
from fia_lint.report.setting import setter
from fia_lint.spans import Span
from fia_lint.trace import Step
from tests.projects import BUG, fia_lint, write

HEAD = "    def decode(self, q, meta):\n"
LOCAL = BUG.replace("next_tokens=1,", "next_tokens=ahead,").replace(HEAD, f"{HEAD}        ahead = 1\n")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write(tmp_path, {"pkg/__init__.py": "", "fia-lint.toml": 'select = ["FIA102"]\n'}))
    return tmp_path


def told(folder: Path, files: dict[str, str]) -> list[str]:
    """What the text report says about where values were set."""
    write(folder, {f"pkg/{name}": text for name, text in files.items()})
    run = fia_lint("check", "--format", "text")
    assert run.status == 1, run
    return [line.strip() for line in run.out.splitlines() if line.startswith("  set at ")]


def ahead(*before: str, value: str = "ahead", body: str = "") -> str:
    """The bug with what its wrong call passes, what stands above the class, and what stands above the call."""
    return "".join(before) + BUG.replace("next_tokens=1,", f"next_tokens={value},").replace(HEAD, HEAD + body)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"a.py": LOCAL}, ["a.py:15: ahead = 1"], id="a local variable"),
        pytest.param({"a.py": ahead(value="AHEAD") + "AHEAD = 1\n"}, ["a.py:21: AHEAD = 1"], id="a constant of the module"),
        pytest.param(
            {"a.py": ahead("from pkg.c import AHEAD\n", value="AHEAD"), "c.py": "X = 0\nAHEAD = 1\n"},
            ["c.py:2: AHEAD = 1"],
            id="a constant of another module",
        ),
        pytest.param(
            {"a.py": ahead("from pkg import c\n", value="c.AHEAD"), "c.py": "AHEAD = 1\n"},
            ["c.py:1: AHEAD = 1"],
            id="its attribute",
        ),
        pytest.param(
            {"a.py": ahead(value="self.AHEAD").replace("Backend:\n", "Backend:\n    AHEAD = 1\n")},
            ["a.py:5: AHEAD = 1"],
            id="a class",
        ),
        pytest.param(
            {"a.py": ahead(value="pair[1]", body="        pair = (0, 1)\n")}, ["a.py:15: pair = (0, 1)"], id="an item"
        ),
        pytest.param(
            {"a.py": ahead("def ahead_of(meta):\n    return 1\n", value="ahead_of(meta)")}, ["a.py:2: return 1"], id="a function"
        ),
        pytest.param(
            {"a.py": ahead(value="ahead", body="        ahead = 0\n        if meta.drafts:\n            ahead = 1\n")},
            ["a.py:17: ahead = 1"],
            id="one of two branches",
        ),
        pytest.param({"a.py": ahead(body="        ahead = 0\n        ahead += 1\n")}, [], id="nobody can say in one line"),
        pytest.param({"a.py": BUG}, [], id="in the call itself"),
        pytest.param(
            {"a.py": ahead(value="\n                    ahead", body="        ahead = 1\n")},
            ["a.py:15: ahead = 1"],
            id="next line",
        ),
    ],
)
def test_the_line_that_sets_the_value(files: dict[str, str], expected: list[str], here: Path) -> None:
    assert told(here, files) == [f"set at pkg/{place}" for place in expected]


def test_formats(here: Path) -> None:
    """Annotations and tables say it too; what is one line stays as it is."""
    write(here, {"pkg/a.py": LOCAL})
    assert "%0Aset at pkg/a.py:15: ahead = 1\n" in fia_lint("check", "--format", "github").out
    assert "<br>set at `pkg/a.py:15` `ahead = 1`<br>" in fia_lint("check", "--format", "markdown").out
    assert "<p>set at:</p><pre>pkg/a.py:15:9\n" in fia_lint("check", "--format", "html").out
    (issue,) = json.loads(fia_lint("check", "--format", "gitlab").out)
    assert issue["description"].endswith("; set at pkg/a.py:15: ahead = 1")
    assert "设于 pkg/a.py:15: ahead = 1" in fia_lint("check", "--format", "text", "--language", "zh").out
    assert "set at" not in fia_lint("check", "--format", "concise").out


def test_a_long_line_is_cut(here: Path) -> None:
    (line,) = told(here, {"a.py": LOCAL.replace("ahead = 1\n", f"ahead = 1; x = '{'x' * 200}'\n")}) or ("",)
    assert line.startswith("set at pkg/a.py:15:") and len(line) <= 100


def test_names_of_other_functions_do_not_count() -> None:
    """Two locals of one name are two things; what two lines might have set, no line has set."""

    def step(kind: str, line: int, name: str, text: str, symbol: str = "f") -> Step:
        return Step(kind, Place("a.py", Span(line, 1, line, 2), symbol), name, text)

    written = step("written", 9, "next_tokens", "ahead")
    assert setter([step("assign", 2, "ahead", "1", "g"), written], "1") == written
    assert setter([step("assign", 2, "ahead", "1", ""), written], "1") == step("assign", 2, "ahead", "1", "")
    assert setter([step("assign", 2, "ahead", "f(x)"), step("assign", 3, "ahead", "g(x)"), written], "1") is None
    assert setter([step("assign", 2, "ahead", "0"), written], "1") is None
    assert setter([], "1") is None
