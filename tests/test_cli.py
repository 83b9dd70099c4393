"""The command line: commands, options, exit status, and what goes where."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fia_lint.cli import main
from tests.projects import BUG, CALL_LINE, CLEAN, COLUMN, GOOD, LINE, commit, fia_lint, write

ROOT = Path(__file__).resolve().parents[1]
BOTH = [("a.py", LINE, COLUMN, "FIA102"), ("a.py", LINE, COLUMN, "FIA201")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the bug, as a project of its own."""
    return write(tmp_path / "project", {"a.py": BUG, "fia-lint.toml": ""})


def test_findings_and_status(project: Path) -> None:
    run = fia_lint("check", "--format", "json", project)
    assert (run.status, run.err) == (1, "")
    assert run.found == BOTH
    assert run.json["summary"] == {"files": 1, "files_analysed": 1, "sites": 2, "findings": 2}


def test_nothing_to_report(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": GOOD, "b.py": CLEAN})
    run = fia_lint("check", "--isolated", tmp_path)
    assert (run.status, run.out, run.err) == (0, "", "")


def test_a_target_alone_means_check(project: Path) -> None:
    assert fia_lint(project, "--no-cache").out == fia_lint("check", project).out != ""


def test_concise_is_one_line_per_finding(project: Path) -> None:
    lines = fia_lint("check", project).out.splitlines()
    assert [line.split(" ")[:2] for line in lines] == [[f"a.py:{LINE}:{COLUMN}:", code] for code in ("FIA102", "FIA201")]


def test_text_shows_both_sides(project: Path) -> None:
    out = fia_lint("check", "--format", "text", project).out
    assert f"a.py:{LINE}:{COLUMN}: FIA102 next-tokens-disagree" in out
    assert "    18 | next_tokens=1," in out
    assert "a.py:10:" in out
    assert "sliding_window is not None" in out
    assert "every row but the last sees one future token" in out
    assert "\x1b" not in out
    assert "\x1b[1;31mFIA102" in fia_lint("check", "--format", "text", "--color", "always", project).out


def test_chinese(project: Path) -> None:
    out = fia_lint("check", "--format", "text", "--language", "zh", project).out
    assert "个未来的 token" in out
    assert (
        fia_lint("check", "--format", "json", "--language", "zh", project).json
        == fia_lint("check", "--format", "json", project).json
    )


def test_audit(project: Path) -> None:
    run = fia_lint("audit", "--format", "text", project)
    assert run.status == 1
    rows = [line for line in run.out.splitlines() if " band(W, " in line]
    assert [row.split()[0] for row in rows] == ["10", "!"]
    assert max(len(line) for line in run.out.split("\n\n")[1].splitlines()) <= 100
    sites = fia_lint("audit", "--format", "json", project).json["sites"]
    assert [site["line"] for site in sites] == [10, CALL_LINE]
    assert sites[1]["arguments"]["next_tokens"]["cases"][0]["value"] == "1"


def test_options_of_selection(project: Path) -> None:
    def codes(*options: str) -> list[str]:
        return [f[3] for f in fia_lint("check", "--format", "json", *options, project).found]

    assert codes("--select", "FIA1") == ["FIA102"]
    assert codes("--select", "FIA201,FIA103") == ["FIA201"]
    assert codes("--ignore", "FIA2") == ["FIA102"]
    assert codes("--ignore", "FIA1", "--extend-select", "FIA102") == ["FIA102", "FIA201"]
    assert codes("--select", "FIA1", "--ignore", "FIA102") == []
    assert codes("--ignore", "", "--extend-select", "") == ["FIA102", "FIA201"]


def test_exit_zero_output_and_statistics(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    run = fia_lint("check", "--exit-zero", "--format", "json", "--output", file, project)
    assert (run.status, run.out) == (0, "")
    assert len(json.loads(file.read_text())["findings"]) == 2
    assert "    1 FIA102 next-tokens-disagree" in fia_lint("check", "--statistics", project).out
    run = fia_lint("check", "--statistics", "--format", "json", project)
    assert run.json and run.err == "    1 FIA102 next-tokens-disagree\n    1 FIA201 looks-ahead\n"
    run = fia_lint("check", "--output", tmp_path / "no" / "such" / "folder", project)
    assert run.status == 2 and "cannot be written" in run.err


def test_rules_and_pages() -> None:
    rules = fia_lint("rules")
    assert rules.status == 0 and "FIA102  next-tokens-disagree" in rules.out
    page = fia_lint("explain", "FIA102")
    assert page.status == 0 and page.out.startswith("FIA102 next-tokens-disagree")
    assert fia_lint("explain", "fia102") == fia_lint("explain", "next-tokens-disagree") == page
    assert "next_tokens 与同组的基准不一致" in fia_lint("rules", "--language", "zh").out


def test_a_folder_that_is_called_almost_as_a_command_is_a_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"audits/a.py": BUG, "fia-lint.toml": ""})
    monkeypatch.chdir(tmp_path)
    assert fia_lint("check", "audits").status == 1


def test_the_settings_that_hold_for_a_file(project: Path) -> None:
    """As a person would write them, not as the program keeps them."""
    write(project, {"fia-lint.toml": 'per-file-ignores = { "old/" = ["FIA1"], "a.py" = ["FIA2", "FIA9"] }\n'})
    out = fia_lint("rules", project / "a.py").out
    assert "per-file-ignores: old/: FIA1; a.py: FIA2, FIA9\n" in out and "contract: not set\n" in out
    write(project, {"fia-lint.toml": 'contract = { pre_tokens = "sliding_window", next_tokens = 0 }\n'})
    assert "contract: pre_tokens = sliding_window, next_tokens = 0\n" in fia_lint("rules", project / "a.py").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "no/such/file.py"], ["no/such/file.py", "no such file"]),
        (["check", "--select", "FIA999"], ["FIA999", "FIA101", "--select"]),
        (["check", "--ignore", "E501"], ["E501", "expected"]),
        (["check", "--select", ""], ["--select", "expected codes such as FIA102", "not ''"]),
        (["chekc"], ["'chekc'", "did you mean check?"]),
        (["Audits", "."], ["'Audits'", "did you mean audit?"]),
        (["check", "--wrong"], ["--wrong"]),
        (["check", "--jobs", "none"], ["--jobs", "positive integer"]),
        (["check", "--format", "yaml"], ["yaml", "json"]),
        (["check", "--config", "nowhere.toml"], ["nowhere.toml", "no such"]),
        (["check", "--root", "nowhere"], ["nowhere", "no folder"]),
        (["check", "pypi:name"], ["pypi:NAME==VERSION"]),
        (["explain", "FIA999"], ["FIA999", "FIA101"]),
        (["explain"], ["CODE"]),
    ],
)
def test_bad_usage_is_one_line_and_2(
    arguments: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = fia_lint(*arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.count("\n") == 1 and run.err.startswith("fia-lint: error: ")
    assert all(word in run.err for word in words), run.err


def test_help_and_version() -> None:
    assert fia_lint("--version").out.startswith("fia-lint ")
    for arguments in (["--help"], ["check", "--help"]):
        run = fia_lint(*arguments)
        assert run.status == 0 and "exit status: 0 nothing to report" in run.out


# ------------------------------------------------------------------------------------- one answer for every target


def test_file_folder_project_and_stdin_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/eager.py": GOOD, "pkg/sub/decode.py": BUG, "fia-lint.toml": ""})
    monkeypatch.chdir(tmp_path)
    expected = [(LINE, COLUMN, "FIA102"), (LINE, COLUMN, "FIA201")]
    whole = fia_lint("check", "--format", "json", ".")
    assert whole.found == [("pkg/sub/decode.py", *place) for place in expected]
    folder = fia_lint("check", "--format", "json", "pkg/sub")
    assert folder.found == [("decode.py", *place) for place in expected]
    file = fia_lint("check", "--format", "json", "pkg/sub/decode.py")
    assert file.found == whole.found
    stdin = fia_lint("check", "--format", "json", "-", "--stdin-filename", "pkg/sub/decode.py", stdin=BUG.encode())
    assert stdin.found == whole.found
    prints = [{f["fingerprint"] for f in run.json["findings"]} for run in (whole, folder, file, stdin)]
    assert all(one == prints[0] for one in prints)


def test_what_is_not_in_the_target_is_judged_but_not_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/a.py": BUG, "pkg/b.py": CLEAN, "fia-lint.toml": ""})
    monkeypatch.chdir(tmp_path)
    assert fia_lint("check", "pkg/b.py").status == 0
    assert fia_lint("check", "pkg/a.py", "pkg/b.py").status == 1


def test_test_trees_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"tests/test_a.py": BUG, "fia-lint.toml": "", "b.py": CLEAN})
    monkeypatch.chdir(tmp_path)
    assert fia_lint("check", ".").status == 0
    assert len(fia_lint("audit", "--format", "json", ".").json["sites"]) == 2
    assert fia_lint("check", "tests").status == 1
    assert fia_lint("check", "tests/test_a.py").status == 1
    (tmp_path / "fia-lint.toml").write_text("include-tests = true")
    assert fia_lint("check", ".").status == 1


def test_archives_and_revisions(project: Path, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "p.whl", "w") as archive:
        archive.writestr("a.py", BUG)
    assert fia_lint("check", "--format", "json", tmp_path / "p.whl").found == BOTH
    commit(project)
    write(project, {"a.py": GOOD})
    assert fia_lint("check", "--format", "json", f"{project}@HEAD").found == BOTH
    assert fia_lint("check", project).status == 0


def test_several_targets(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "other", {"a.py": BUG, "fia-lint.toml": 'select = ["FIA102"]'})
    monkeypatch.chdir(tmp_path)
    run = fia_lint("check", "--format", "json", "project", "other")
    assert [f[0] for f in run.found] == ["other/a.py", "other/a.py", "project/a.py", "project/a.py"]
    assert fia_lint("check", "other").out.count("\n") == 1


# ---------------------------------------------------------------------------------------------------- bad input


def test_files_that_cannot_be_parsed_do_not_stop_the_others(tmp_path: Path) -> None:
    name = "npu_fused_infer_attention_score"
    broken: dict[str, str | bytes] = {
        "syntax.py": f"def f(:\n    {name}(q)\n",
        "python2.py": f"print 'x'\n{name}(q)\n",
        "cut.py": BUG[: len(BUG) - 20],
        "binary.py": b"\x00\x01\x02" + name.encode() + b"\xff\xfe",
        "undecodable.py": b"# " + name.encode() + b"\nx = '\xff'\n",
    }
    write(tmp_path, {"a.py": BUG, "empty.py": "", "unrelated.py": "def f(:\n", **broken})
    run = fia_lint("check", "--isolated", "--format", "json", tmp_path)
    assert run.status == 2
    assert run.found == BOTH
    assert {error["path"] for error in run.json["errors"]} == set(broken)
    assert all(error["line"] >= 1 and error["message"] for error in run.json["errors"])
    assert len(run.err.splitlines()) == len(broken)
    assert all(f"{path}:" in run.err for path in broken)


def test_folder_without_python_and_empty_file(tmp_path: Path) -> None:
    write(tmp_path, {"notes.txt": "x", "empty.py": ""})
    (tmp_path / "sub").mkdir()
    assert fia_lint("check", "--isolated", tmp_path / "empty.py").status == 0
    run = fia_lint("check", "--isolated", tmp_path / "sub")
    assert run.status == 0
    assert "no Python files" in run.err


def test_control_characters_never_reach_the_terminal(tmp_path: Path) -> None:
    evil = "e\x1b[31m\x07\u202e.py"
    source = BUG.replace("class Backend", "class Bäckend").replace("meta.mask", 'meta["\u202e\x9b31m"]')
    write(tmp_path, {evil: source, f"sub/{evil}": "npu_fused_infer_attention_score(\n"})
    for style in ("text", "concise", "json", "github", "gitlab", "sarif", "markdown", "html"):
        for command in ("check", "audit"):
            run = fia_lint(command, "--isolated", "--format", style, "--color", "never", tmp_path)
            assert run.status == 2
            for text in (run.out, run.err):
                assert not set(text) & {"\x1b", "\x07", "\u202e", "\x9b", "\r"}, style


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only here can names be bytes")
    (tmp_path / os.fsdecode(b"\xff\xfe.py")).write_text(BUG)
    for style in ("text", "concise", "json", "sarif"):
        assert fia_lint("check", "--isolated", "--format", style, tmp_path).status == 1


def test_a_closed_pipe_is_no_error(project: Path) -> None:
    command = f"{sys.executable} -m fia_lint check --no-cache --format text {project} | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stderr == "" and done.stdout.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_said_in_one_line(project: Path) -> None:
    """A report that cannot be written must not pass for a clean one, nor for a fault of the tool."""
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "fia_lint", "check", "--no-cache", str(project)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr == "fia-lint: error: standard output: cannot be written: No space left on device\n"


def test_a_cache_changes_nothing(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = tmp_path / "cache"
    write(project, {f"more{n}.py": BUG.replace("Backend", f"Backend{n}") for n in range(3)})

    def run() -> tuple[str, str]:
        main(["check", "--format", "json", "--cache-dir", str(cache), "--jobs", "2", str(project)])
        shown = capsys.readouterr()
        return shown.out, shown.err

    first = run()
    assert first == run() and "FIA102" in first[0]
    entries = [file for file in cache.rglob("*") if file.is_file()]
    assert entries
    for file in entries:
        file.write_bytes(b"damaged")
    assert run() == (first[0], "")
