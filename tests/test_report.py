"""The formats: what each makes of the same findings."""

from __future__ import annotations

import json
import os
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from fia_lint.report.clean import clean, pad, shorten, width
from fia_lint.report.impact import sentence
from fia_lint.report.linehash import line_hashes
from fia_lint.report.naming import relative
from fia_lint.report.render import names
from tests.projects import BUG, GOOD, Run, commit, fia_lint, write
from tests.uploads import gitlab_issues, sarif_run

FORMATS = names()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write(tmp_path / "project", {"pkg/a.py": BUG, "pkg/good.py": GOOD.replace("Backend", "Other"), "fia-lint.toml": ""})
    monkeypatch.chdir(root)
    return root


def report(style: str, *options: str) -> Run:
    return fia_lint("check", "--format", style, *options)


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("command", ["check", "audit"])
def test_snapshot(command: str, style: str, project: Path, snapshot: Any) -> None:
    assert fia_lint(command, "--format", style).out == snapshot


@pytest.mark.parametrize("command", ["check", "audit"])
def test_snapshot_in_chinese(command: str, project: Path, snapshot: Any) -> None:
    assert fia_lint(command, "--format", "text", "--language", "zh").out == snapshot


def test_several_reports_of_one_run(project: Path) -> None:
    run = report("concise", "--also", "sarif=report.sarif", "--also", "markdown=report.md")
    assert run.out == report("concise").out
    assert (project / "report.sarif").read_text() == report("sarif").out
    assert (project / "report.md").read_text() == report("markdown").out
    wrong = report("concise", "--also", "xml=report.xml")
    assert wrong.status == 2 and "expected FORMAT=FILE with a format of" in wrong.err


# -------------------------------------------------------------------------------------------------------- SARIF


def sarif(*options: str) -> Any:
    return sarif_run(report("sarif", *options).out)


def test_sarif_is_valid_and_complete(project: Path) -> None:
    write(
        project,
        {
            "pkg/broken.py": "npu_fused_infer_attention_score(\n",
            "pkg/ä b.py": BUG,
            "pkg/quiet.py": BUG.replace("=1,", "=1,  # noqa"),
        },
    )
    run = sarif()
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert uris == {"pkg/a.py", "pkg/%C3%A4%20b.py", "pkg/quiet.py"}
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"][0]["executionSuccessful"] is False
    assert [bool(r.get("suppressions")) for r in run["results"]].count(True) == 2
    first = run["results"][0]
    assert "when sliding_window is not None" in first["message"]["text"], "code scanning shows nothing else of it"
    assert first["relatedLocations"][0]["id"] == 1 and "](1)" in first["message"]["text"]


def test_addresses_are_relative_to_the_repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(project)
    monkeypatch.chdir(project / "pkg")
    result = json.loads(fia_lint("check", "--format", "sarif", ".").out)["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "pkg/a.py"
    assert "file=pkg/a.py," in fia_lint("check", "--format", "github", ".").out
    assert json.loads(fia_lint("check", "--format", "gitlab", ".").out)[0]["location"]["path"] == "pkg/a.py"


def test_too_many_results_are_cut_and_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fia_lint.report.formats import sarif as module

    monkeypatch.setattr(module, "MOST_RESULTS", 1)
    run = sarif()
    assert len(run["results"]) == 1
    assert "1 results are left out" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_line_hashes_are_those_of_the_upload_action() -> None:
    assert line_hashes("") == ["c129715d7a2bc9a3:1"]
    assert line_hashes(" a\nb\n  \t\tc\n d") == [
        "271789c17abda88f:1",
        "54703d4cd895b18:1",
        "180aee12dab6264:1",
        "a23a3dc5e078b07b:1",
    ]
    assert line_hashes("a\r\nb\r\n") == line_hashes("a\nb\n") == line_hashes("  a\rb\r")
    repeated = line_hashes("x = 1\n" * 200)
    assert repeated[0].endswith(":1") and repeated[1].endswith(":2")


# -------------------------------------------------------------------------------------------------- GitHub, GitLab


def test_github_shows_ten_and_counts_the_rest(project: Path) -> None:
    write(project, {f"pkg/more{n}.py": BUG.replace("Backend", f"B{n}") for n in range(6)})
    lines = report("github").out.splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert [line for line in lines if line.startswith("::notice")] == [
        "::notice title=fia-lint::4 more findings are not annotated: see the log of this step"
    ]
    assert sum(line.startswith("pkg/") for line in lines) == 14


@pytest.mark.parametrize("style", ["github", "markdown", "html", "sarif"])
def test_a_file_that_cannot_be_read_is_not_passed_over(style: str, project: Path) -> None:
    """Where nobody looks at standard error, a report without it would read as if all was well."""
    write(project, {"pkg/broken.py": "x = 1\nnpu_fused_infer_attention_score(\n", "pkg/idle.py": "x = 1  # noqa: FIA101\n"})
    run = report(style, "--report-unused-noqa")
    assert run.status == 2 and "pkg/broken.py:2: " in run.err
    where = r"pkg/broken.py,line=2,title=fia-lint::\w" if style == "github" else r"pkg/broken.py:2\W"
    assert re.search(where, run.out)
    if style != "sarif":
        assert re.search(r"pkg/idle.py(,line=|:)1\b", run.out)


def test_github_escapes(project: Path) -> None:
    write(project, {"pkg/a%,:b.py": BUG})
    assert "file=pkg/a%25%2C%3Ab.py," in report("github").out


@pytest.mark.parametrize("name", ["::error::pwn.py", " ::warning::sp.py", "\u3000::a::x.py", "##[error]x.py", "a###[group]b.py"])
@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_runner_obeys_nothing_that_the_analysed_code_says(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pull request chooses names of files and conditions: it could mask, fake or stop the annotations of a workflow."""
    code = BUG.replace("next_tokens=1", "next_tokens=1 if meta.m == '##[add-mask]secret' else 0")
    broken = "def npu_fused_infer_attention_score(:\n"
    monkeypatch.chdir(write(tmp_path / "p", {f"p/{name}": code, f"{name}x.py": broken, name: code}))
    run = fia_lint(command, "--isolated", "--format", "github", ".")
    assert "##[" not in run.out + run.err and r"##\x5badd-mask]secret" in run.out
    commands = [line for line in run.out.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == 5 and all(line.startswith("::error file=") for line in commands)
    assert sum(":18:29: FIA102 " in line for line in run.out.splitlines()) == 2, "the log still says it"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
@pytest.mark.parametrize("style", ["concise", "github", "gitlab", "html", "json", "markdown", "sarif", "text"])
def test_a_name_that_is_not_text_is_shown_by_its_bytes(style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, {os.fsdecode(b"\xff.py"): BUG}))
    run = fia_lint("check", "--isolated", "--format", style, ".")
    assert run.status == 1 and ("\\udcff.py" in run.out or "%FF.py" in run.out)


def test_github_step_summary(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    report("github")
    assert file.read_text().count("| FIA") == 2
    report("concise")
    assert file.read_text().count("| FIA") == 2


def test_a_step_summary_that_github_would_refuse_is_cut(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fia_lint.cli import commands

    monkeypatch.setattr(commands, "MOST_OF_A_SUMMARY", 100)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    report("github")
    assert (tmp_path / "summary.md").read_text() == "2 findings at 4 call sites in 2 files\n"


def test_gitlab_fingerprints_are_unique_and_stay(project: Path) -> None:
    call = BUG[BUG.index("            return torch_npu", BUG.index("def decode")) :]
    twice = BUG.replace(call, call.replace("return", "x =") + call)
    write(project, {"pkg/a.py": twice})
    first = [issue["fingerprint"] for issue in gitlab_issues(report("gitlab").out)]
    assert len(set(first)) == len(first) == 4
    write(
        project,
        {"pkg/a.py": "# moved\n\n" + twice.replace("        self.sliding", "        self.more = 1\n        self.sliding")},
    )
    assert [issue["fingerprint"] for issue in gitlab_issues(report("gitlab").out)] == first


def test_a_place_of_which_only_the_line_is_known_is_what_stands_there(project: Path) -> None:
    """An upload with an empty region is refused as a whole."""
    source = "import torch_npu\n\n\ndef f(q, **kwargs):\n    torch_npu.npu_fused_infer_attention_score(q, **kwargs)\n"
    write(project, {"pkg/unknown.py": source})
    ends = [r["relatedLocations"] for r in sarif("--extend-select", "FIA901")["results"] if r["ruleId"] == "FIA901"]
    regions = [place[0]["physicalLocation"]["region"] for place in ends]
    assert regions and all((r["startLine"], r["startColumn"], r["endColumn"]) == (4, 1, 20) for r in regions), regions


# ------------------------------------------------------------------------------------------- Markdown, HTML, text


def test_markup_in_names_is_text(project: Path) -> None:
    write(project, {"pkg/<b>|`x`.py": BUG})
    page = report("html").out
    assert "<b>|" not in page and "<b>|`x`.py" in unescape(page)
    assert "http" not in page and "<script" not in page
    table = [line for line in report("markdown").out.splitlines() if "<b>" in line or "&lt;" in line]
    assert all(re.sub(r"\\\|", "", line).count(" | ") == 3 for line in table)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb\u200f", "a\\u202eb\\u200f"),
        ("名é", "名é"),
        ("\udcff\x9b\n", "\\udcff\\x9b\\n"),
    ],
)
def test_clean(text: str, safe: str) -> None:
    assert clean(text) == safe


def test_widths() -> None:
    assert [width(text) for text in ("abc", "名é", "e\u0301")] == [3, 3, 1]
    assert pad("名", 4) == "名  "
    assert shorten("名名名", 5) == "名名…" and shorten("名名名", 4) == "名…" and shorten("abc", 3) == "abc"


@pytest.mark.parametrize(
    ("path", "base", "expected"),
    [
        ("/a/b/c.py", "/a", "b/c.py"),
        ("/a/c.py", "/a/b", "../c.py"),
        ("a.py", "", "a.py"),
        ("x/a.py", "x", "a.py"),
        ("/a.py", "/", "a.py"),
    ],
)
def test_relative(path: str, base: str, expected: str) -> None:
    assert relative(path, base) == expected


# ------------------------------------------------------------------------------------------------------- impact

FUTURE = {"rows": "2", "keys": "2", "one_row": False, "future": "1", "should_future": "0", "future_gap": 1}
PAST = {"rows": "1", "keys": "w + 1", "one_row": True, "past": "w - 1", "should_past": "w", "past_gap": -1}


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        (
            "future",
            FUTURE,
            ["from 2 query rows on every row but the last sees one future token", "plain decode", "shows nothing"],
        ),
        ("future", {**FUTURE, "future": "unbounded"}, ["sees all future tokens"]),
        ("future", {**FUTURE, "future": "2", "should_future": "1"}, ["2 future tokens instead of 1"]),
        ("future", {**FUTURE, "rows": "1", "one_row": True, "future": "-1"}, ["does not see its own token"]),
        ("past", PAST, ["from 1 query row on", "once there are w + 1 keys", "w - 1 earlier tokens instead of w (1 token less)"]),
        (
            "past",
            {**PAST, "rows": None, "past": "unbounded", "past_gap": None},
            ["for some numbers of", "all earlier tokens instead of w"],
        ),
        (
            "both",
            {**FUTURE, **PAST},
            [
                "w - 1 earlier and 1 later tokens instead of w and 0",
                "from 2 query rows on every row but the last sees one future token",
            ],
        ),
        ("alignment", {"rows": "1", "keys": "2", "one_row": True}, ["opposite corners"]),
        ("same", {}, ["the mode makes nothing of the difference"]),
        ("raises", {"argument": "pre_tokens"}, ["fails because of pre_tokens"]),
    ],
)
def test_impact(kind: str, values: dict[str, Any], words: list[str]) -> None:
    english = sentence(kind, values, "en")
    assert all(word in english for word in words), english
    chinese = sentence(kind, values, "zh")
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    for said, translated in (("1 token less", "少 1 个"), ("draft token", "草稿 token"), ("but the last", "除最后一行外")):
        assert (said in english) == (translated in chinese), "both languages say the same"


def test_example_of_an_impact() -> None:
    example = {"row": 0, "of_rows": 2, "of_keys": 2, "window": 4, "sees": (0, 2), "should_see": (0, 1)}
    text = sentence("future", {**FUTURE, "example": example}, "en")
    assert text.endswith("with a window of 4, 2 rows and 2 keys, row 0 sees keys 0 to 1 instead of key 0 (counted from 0)")
    assert "no key" in sentence("future", {**FUTURE, "example": {**example, "sees": (0, 0), "window": None}}, "en")
