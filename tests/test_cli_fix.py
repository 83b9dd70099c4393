"""``--fix`` and ``--diff`` on the command line: what is written, what is printed where, and the exit status."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.projects import BUG, GOOD, commit, fia_lint, write


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bug, as a project of its own, and the current one."""
    folder = write(tmp_path / "project", {"a.py": BUG, "fia-lint.toml": ""})
    monkeypatch.chdir(folder)
    return folder


def test_fix_writes_and_reports_what_is_left(project: Path) -> None:
    run = fia_lint("check", "--fix", ".")
    assert (run.status, run.out) == (0, "")
    assert run.err == "fia-lint: 2 findings fixed in 1 file\n"
    assert (project / "a.py").read_text() == GOOD
    assert fia_lint("check", ".").status == 0


def test_diff_writes_nothing_and_can_be_applied(project: Path) -> None:
    run = fia_lint("check", "--diff", ".")
    assert run.status == 1 and "2 findings would be fixed in 1 file" in run.err
    assert (project / "a.py").read_text() == BUG
    subprocess.run(["git", "apply", "-"], cwd=project, check=True, input=run.out.encode())
    assert (project / "a.py").read_text() == GOOD
    run = fia_lint("check", "--diff", ".")
    assert (run.status, run.out, run.err) == (0, "", "")


def test_without_a_final_line_end(project: Path) -> None:
    write(project, {"a.py": BUG.rstrip("\n")})
    run = fia_lint("check", "--diff", ".")
    subprocess.run(["git", "apply", "-"], cwd=project, check=True, input=run.out.encode())
    assert (project / "a.py").read_text() == GOOD.rstrip("\n")


def test_no_more_is_promised_than_is_done(project: Path) -> None:
    """An argument that the mode ignores is made what the others pass; that the mask is the wrong one still is not hidden."""
    ignored = BUG.replace("next_tokens=1,\n                sparse_mode=4, atten_mask=meta.mask", "next_tokens=1")
    write(project, {"a.py": ignored})
    run = fia_lint("check", "--diff", ".")
    assert "1 finding would be fixed in 1 file; the call's mask stays what it was: the mode ignores the argument" in run.err
    assert "FIA202 not fixed: band mode needs a mask" in run.err


def test_never_by_default(project: Path) -> None:
    assert fia_lint("check", ".").status == 1
    assert (project / "a.py").read_text() == BUG


def test_only_what_would_be_reported_is_fixed(project: Path) -> None:
    """What is selected away, silenced, or known from a baseline is left as it is."""
    write(project, {"a.py": BUG.replace("next_tokens=1,", "next_tokens=1,  # noqa: FIA")})
    assert fia_lint("check", "--fix", ".").err == ""
    write(project, {"a.py": BUG})
    assert fia_lint("check", "--fix", "--select", "FIA104", ".").err == ""
    assert fia_lint("check", "--baseline", "known.json", "--write-baseline", ".").status == 0
    run = fia_lint("check", "--fix", "--baseline", "known.json", ".")
    assert (run.status, run.err, (project / "a.py").read_text()) == (0, "", BUG)


def test_what_is_silenced_is_not_counted_as_fixed(project: Path) -> None:
    """A count that differs from what check reported a moment ago makes nobody trust the fix."""
    write(project, {"a.py": BUG.replace("next_tokens=1,", "next_tokens=1,  # noqa: FIA201")})
    assert fia_lint("check", ".").out.count("\n") == 1
    assert "1 finding would be fixed in 1 file" in fia_lint("check", "--diff", ".").err
    assert fia_lint("check", "--fix", ".").err == "fia-lint: 1 finding fixed in 1 file\n"


def test_only_the_target_is_fixed(project: Path) -> None:
    write(project, {"b.py": "x = 1\n"})
    assert fia_lint("check", "--fix", "b.py").err == ""
    assert (project / "a.py").read_text() == BUG


def test_standard_input(project: Path) -> None:
    """The fixed source goes to standard output, what is left to standard error; no file is touched."""
    run = fia_lint("check", "--fix", "--stdin-filename", "a.py", "-", stdin=BUG.encode())
    assert (run.status, run.out, run.err) == (0, GOOD, "fia-lint: 2 findings fixed in 1 file\n")
    assert (project / "a.py").read_text() == BUG
    run = fia_lint("check", "--fix", "--isolated", "-", stdin=GOOD.encode())
    assert (run.status, run.out, run.err) == (0, GOOD, "")
    run = fia_lint("check", "--diff", "--isolated", "-", stdin=BUG.encode())
    assert run.status == 1 and "+                next_tokens=0,\n" in run.out


def test_what_is_not_on_disk_is_only_shown(project: Path) -> None:
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("pkg/a.py", BUG)
    commit(project)
    for spec in ("a.zip", f"{project}@HEAD"):
        run = fia_lint("check", "--diff", spec)
        assert run.status == 1 and "+                next_tokens=0,\n" in run.out
        run = fia_lint("check", "--fix", spec)
        assert run.status == 2 and "--fix needs files on disk" in run.err


@pytest.mark.parametrize("options", [["--fix", "--diff"], ["--fix", "--write-baseline"], ["--fix", "-", "a.py"]])
def test_what_does_not_go_together(project: Path, options: list[str]) -> None:
    assert fia_lint("check", *options).status == 2
    assert (project / "a.py").read_text() == BUG


def test_permissions_stay_and_links_are_not_followed_out(project: Path, tmp_path: Path) -> None:
    """Only files of the target are written, whatever they are links to."""
    os.chmod(project / "a.py", 0o640)
    outside = write(tmp_path / "outside", {"b.py": BUG}) / "b.py"
    (project / "b.py").symlink_to(outside)
    run = fia_lint("check", "--fix", ".")
    assert run.status == 2 and "is a link out of" in run.err
    assert outside.read_text() == BUG
    assert (project / "a.py").read_text() == GOOD
    assert (project / "a.py").stat().st_mode & 0o777 == 0o640
    assert sorted(file.name for file in project.iterdir()) == ["a.py", "b.py", "fia-lint.toml"]


def test_the_diff_prints_no_control_codes(project: Path) -> None:
    write(project, {"a.py": BUG.replace("next_tokens=1,", "next_tokens=1,  # \x1b[31m")})
    out = fia_lint("check", "--diff", ".").out
    assert "\x1b" not in out and "\\x1b[31m" in out


def test_other_formats_and_files_that_cannot_be_parsed(project: Path) -> None:
    """An error elsewhere neither stops a fix nor is forgotten."""
    write(project, {"b.py": "def npu_fused_infer_attention_score(:\n"})
    run = fia_lint("check", "--fix", "--format", "json", ".")
    assert run.status == 2 and run.json["findings"] == [] and run.json["errors"][0]["path"] == "b.py"
    assert (project / "a.py").read_text() == GOOD
