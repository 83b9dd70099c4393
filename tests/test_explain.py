"""``fia-lint explain FILE:LINE``: which call is meant, where it is looked for, and how the answer looks."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.projects import BUG, CALL_LINE, COLUMN, LINE, commit, fia_lint, write

TWO = """\
import torch_npu


def run(q, ahead):
    a = torch_npu.npu_fused_infer_attention_score(q, q, q, next_tokens=ahead); b = torch_npu.npu_fused_infer_attention_score(
        q, q, q,
        next_tokens=len(
            "\\x1b[31m"
        ),
    )
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": BUG, "pkg/two.py": TWO, "fia-lint.toml": ""}))
    return tmp_path


def called(place: str, *more: str) -> list[tuple[int, int]]:
    """The line and column of the calls that a place means."""
    run = fia_lint("explain", place, *more, "--format", "json")
    assert (run.status, run.err) == (0, "")
    return [(site["line"], site["column"]) for site in run.json["sites"]]


def test_text(project: Path) -> None:
    """Where the call is, the test around it, then each argument: its value by case, and the story of it."""
    run = fia_lint("explain", f"pkg/a.py:{CALL_LINE}")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"pkg/a.py:{CALL_LINE}:20: npu_fused_infer_attention_score (eager)\n")
    assert "pkg/a.py, in Backend.decode:\n      15  only if self.sliding_window is not None\n" in run.out
    assert (
        "\nnext_tokens\n  = 1  when sliding_window is not None\n  pkg/a.py, in Backend.decode:\n      18  next_tokens=1\n"
        in run.out
    )
    assert "6  self.sliding_window = sliding_window" in run.out
    assert max(map(len, run.out.splitlines())) <= 100


def test_json_is_the_audit_with_origins(project: Path) -> None:
    (site,) = fia_lint("explain", f"pkg/a.py:{CALL_LINE}", "--format", "json").json["sites"]
    assert [step["line"] for step in site["reached"]] == [15]
    steps = site["arguments"]["pre_tokens"]["origin"]
    assert [(step["line"], step["message"]) for step in steps][-1] == (17, "pre_tokens=self.sliding_window")
    assert steps[-1]["source"] == "q, q, q, pre_tokens=self.sliding_window,"
    audited = fia_lint("audit", "pkg/a.py", "--format", "json").json["sites"][1]
    for argument in site["arguments"].values():
        assert argument.pop("unknown") == [] and argument.pop("origin")
    site.pop("reached")
    assert site == audited


def test_a_line_inside_a_call_means_the_call(project: Path) -> None:
    assert called(f"pkg/a.py:{LINE}") == [(CALL_LINE, 20)]
    assert called(f"pkg/a.py:{LINE}:{COLUMN}") == [(CALL_LINE, 20)]
    assert called("pkg/two.py:8") == [(5, 84)]


def test_all_calls_of_a_line_or_the_one_at_a_column(project: Path) -> None:
    assert called("pkg/two.py:5") == [(5, 9), (5, 84)]
    assert called("pkg/two.py:5:20") == [(5, 9)]
    assert called("./pkg/two.py:5:100:") == [(5, 84)]


def test_no_call_there(project: Path) -> None:
    """One line that names the nearest calls."""
    run = fia_lint("explain", "pkg/a.py:3")
    assert (run.status, run.out) == (2, "")
    assert run.err == f"fia-lint: error: pkg/a.py:3: no call of the operator here; the nearest begin at line 10, {CALL_LINE}\n"
    assert "there is none in this file" in fia_lint("explain", "pkg/__init__.py:1").err
    assert fia_lint("explain", "pkg/two.py:5:3").status == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pkg/nosuch.py"], ["unknown code 'pkg/nosuch.py'", "FILE:LINE[:COLUMN]", "FIA101"]),
        (["pkg/a.py"], ["'pkg/a.py': a line is missing; expected pkg/a.py:LINE[:COLUMN]"]),
        (["pkg/a.py:10:1"], ["no call of the operator here; the nearest begin at line 10 column 20"]),
        (["pkg/a.py:9"], ["no call of the operator here; the nearest begin at line 10, 16\n"]),
        (["gen/b.py:10"], ["gen/b.py': excluded by `exclude` in ", "fia-lint.toml"]),
        (["gen/b.py:10", "."], ["gen/b.py': excluded by `exclude` in ", "fia-lint.toml"]),
        (["b.py:10", "gen"], ["b.py': excluded by `exclude` in ", "fia-lint.toml"]),
        (["FIA999"], ["FIA999"]),
        (["pkg/none.py:3"], ["pkg/none.py", "no such file"]),
        (["FIA101", "pkg"], ["'pkg'", "FILE:LINE"]),
        (["none.py:3", "pkg"], ["'none.py'", "no such file in pkg"]),
        (["broken.py:3"], ["broken.py:1"]),
    ],
)
def test_wrong_use(arguments: list[str], words: list[str], project: Path) -> None:
    broken = "def npu_fused_infer_attention_score(:\n"
    write(project, {"broken.py": broken, "gen/b.py": BUG, "fia-lint.toml": 'exclude = ["gen/"]'})
    run = fia_lint("explain", *arguments)
    assert (run.status, run.out) == (2, "")
    assert all(word in run.err for word in words), run.err


def test_files_that_lie_nowhere_on_disk(project: Path) -> None:
    """A file of an archive or a revision is named as reports name it; the end of its path will do."""
    with zipfile.ZipFile(project / "x.whl", "w") as archive:
        archive.write(project / "pkg" / "a.py", "pkg/a.py")
    commit(project)
    for target in ("x.whl", ".@HEAD", "pkg"):
        assert called(f"a.py:{CALL_LINE}", target) == [(CALL_LINE, 20)]
    assert called(f"pkg/a.py:{CALL_LINE}", "x.whl") == [(CALL_LINE, 20)]


def test_several_files_of_a_name_are_listed(project: Path) -> None:
    write(project, {"pkg/sub/a.py": BUG, "pkg/more/a.py": BUG})
    run = fia_lint("explain", f"a.py:{CALL_LINE}", ".")
    assert run.status == 2 and "3 files of that name in .; expected one of pkg/a.py, pkg/more/a.py, pkg/sub/a.py" in run.err
    assert called(f"sub/a.py:{CALL_LINE}", ".") == [(CALL_LINE, 20)]


def test_what_the_code_contains_is_escaped(project: Path) -> None:
    write(project, {"pkg/two.py": TWO.replace("\\x1b", "\x1b")})
    run = fia_lint("explain", "pkg/two.py:5")
    assert "\x1b" not in run.out and "\\x1b[31m" in run.out


def test_findings_tell_their_origin(project: Path) -> None:
    """JSON, SARIF and verbose text: the steps before the place of the finding, which SARIF's flow ends at."""
    head = "def decode(self, q, meta):"
    text = BUG.replace("next_tokens=1", "next_tokens=ahead").replace(head, f"{head}\n        ahead = 1")
    write(project, {"pkg/a.py": text})
    finding = fia_lint("check", "pkg/a.py", "--format", "json").json["findings"][0]
    assert finding["origin"] == [{"path": "pkg/a.py", "line": 15, "column": 9, "message": "ahead = 1"}]
    sarif = json.loads(fia_lint("check", "pkg/a.py", "--format", "sarif").out)
    flow = sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] == [15, 19]
    assert "where the value comes from:\n    pkg/a.py, in Backend.decode:\n        15  ahead = 1\n" in (
        fia_lint("check", "pkg/a.py", "--format", "text", "--verbose").out
    )


def test_chinese(project: Path) -> None:
    out = fia_lint("explain", f"pkg/a.py:{CALL_LINE}", "--language", "zh").out
    assert "pkg/a.py，在 Backend.decode 中：\n      15  仅当 self.sliding_window is not None\n" in out
    assert " in Backend" not in out and "only if" not in out
