"""One finding, one answer: every format and flake8 give the same line, column, code and suppression.

If this failed, an editor would mark another place than the pull request, or a comment would silence a finding in one
front end and leave it in the other.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fia_lint.report.render import names
from tests.front_ends import READERS, Spot, flake8, places, shown
from tests.projects import BUG, COLUMN, GOOD, LINE, fia_lint, write

pytest.importorskip("flake8")
FILE = "pkg/a.py"
CALL = "            return torch_npu.npu_fused_infer_attention_score(\n                q, q, q, pre_tokens=self.sliding_window,\n"
BOTH = [(LINE, COLUMN, "FIA102"), (LINE, COLUMN, "FIA201")]


def before(text: str) -> str:
    """The bug with text before the argument on its line."""
    return BUG.replace("next_tokens=1,", f"{text}next_tokens=1,")


def moved(columns: int) -> list[Spot]:
    return [(line, column + columns, code) for line, column, code in BOTH]


CASES = [
    pytest.param(BUG, BOTH, id="ascii"),
    pytest.param(before("é=2, "), moved(5), id="accent"),
    pytest.param(before("e\u0301=2, "), moved(6), id="combining"),
    pytest.param(before("名前=2, "), moved(6), id="wide"),
    pytest.param(before("x='\U0001f600', "), moved(7), id="beyond_16_bits"),
    pytest.param(before("").replace("                next_tokens", "\t\tnext_tokens"), moved(-14), id="tabs"),
    pytest.param(BUG.replace("\n", "\r\n"), BOTH, id="windows_line_ends"),
    pytest.param("\ufeff" + BUG, BOTH, id="byte_order_mark"),
    pytest.param(BUG.replace("next_tokens=1,", "next_tokens=1,  # noqa"), [], id="noqa"),
    pytest.param(BUG.replace("next_tokens=1,", "next_tokens=1,  # noqa: FIA102"), BOTH[1:], id="noqa_of_one"),
    pytest.param(BUG.replace(CALL, CALL.replace("(\n", "(  # noqa: FIA201\n")), BOTH[:1], id="noqa_on_the_call"),
    pytest.param(before("名=2, ").replace("=1,", "=1,  # noqa: FIA102 理由"), moved(5)[1:], id="noqa_after_wide"),
    pytest.param(f"# flake8: noqa\n{BUG}", [], id="noqa_for_the_file"),
    pytest.param(BUG.replace("mask,\n            )", "mask,\n            )  # noqa"), BOTH, id="noqa_on_the_bracket"),
    pytest.param(GOOD, [], id="nothing"),
]


def test_every_format_is_walked() -> None:
    assert sorted(READERS) == names()


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_the_same_everywhere(source: str, expected: list[Spot], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = write(tmp_path / "project", {FILE: source, "fia-lint.toml": ""})
    monkeypatch.chdir(root)
    reports = {style: tmp_path / style for style in names()}
    fia_lint("check", *(word for style, file in reports.items() for word in ("--also", f"{style}={file}")))
    answers = {style: shown(style, file.read_bytes().decode("utf-8"), FILE) for style, file in reports.items()}
    answers["flake8"] = places(flake8(root, FILE), FILE)
    answers["flake8 from standard input"] = places(flake8(root, "-", "--stdin-display-name", FILE, stdin=source), FILE)
    assert answers == dict.fromkeys(answers, expected)


def test_sarif_keeps_what_is_suppressed_and_marks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, {FILE: BUG.replace("=1,", "=1,  # noqa: FIA102"), "fia-lint.toml": ""}))
    results = json.loads(fia_lint("check", "--format", "sarif").out)["runs"][0]["results"]
    marks = {result["ruleId"]: result.get("suppressions") for result in results}
    assert marks == {"FIA102": [{"kind": "inSource"}], "FIA201": None}
