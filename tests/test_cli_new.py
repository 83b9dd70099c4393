"""What is new: baselines, and findings since a revision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.projects import BUG, COLUMN, GOOD, LINE, commit, fia_lint, git, write

SECOND = BUG.replace("Backend", "Other")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write(tmp_path / "repository", {"pkg/__init__.py": "", "pkg/a.py": BUG}))
    commit(tmp_path / "repository")
    return tmp_path / "repository"


def since(revision: str, *more: str) -> list[tuple[str, int, int, str]]:
    return fia_lint("check", "--format", "json", "--since", revision, *more).found


def test_a_baseline_leaves_out_what_it_holds(repository: Path) -> None:
    run = fia_lint("check", "--write-baseline", "--baseline", "old.json")
    assert (run.status, run.out) == (0, "")
    assert fia_lint("check", "--baseline", "old.json").status == 0
    write(repository, {"pkg/a.py": "import os\n\n\n" + BUG.replace("q, q, q, pre", "q,  q,   q, pre"), "pkg/b.py": SECOND})
    run = fia_lint("check", "--baseline", "old.json", "--format", "json")
    assert run.found == [("pkg/b.py", LINE, COLUMN, "FIA102"), ("pkg/b.py", LINE, COLUMN, "FIA201")]
    assert run.json["summary"]["findings"] == 2


def test_where_a_baseline_goes_and_how_it_is_used_later(repository: Path) -> None:
    run = fia_lint("check", "--write-baseline")
    name = "fia-lint-baseline.json"
    assert run.err == f"fia-lint: 2 findings written to {name}; --baseline {name} leaves them out from now on\n"
    assert (repository / name).is_file()


def test_entries_of_a_baseline_that_nothing_needs_are_counted(repository: Path) -> None:
    """A baseline that nobody cleans would hide the same mistake if it came back."""
    write(repository, {"pkg/b.py": SECOND})
    fia_lint("check", "--write-baseline", "--baseline", "old.json")
    write(repository, {"pkg/a.py": GOOD})
    run = fia_lint("check", "--baseline", "old.json")
    assert (run.status, run.out) == (0, "")
    assert run.err == "fia-lint: note: old.json: 2 entries match no finding any more; --write-baseline leaves them out\n"
    assert "1 entry matches" in fia_lint("check", "--baseline", "old.json", "--select", "FIA2").err
    for asked in (["--quiet"], ["pkg/b.py"], ["--select", "FIA103"]):
        assert fia_lint("check", "--baseline", "old.json", *asked).err == "", "nobody looked for these"


def baseline(repository: Path) -> list[tuple[str, str]]:
    """Path and code of what the baseline holds."""
    return [(e["path"], e["code"]) for e in json.loads((repository / "fia-lint-baseline.json").read_text())["findings"]]


@pytest.mark.parametrize(
    "options", [["--select", "FIA1"], ["pkg/b.py"], ["pkg/sub"], ["--exclude", "a.py"], ["pkg/sub", "--ignore", "FIA2"]]
)
def test_a_baseline_keeps_what_a_run_did_not_look_at(options: list[str], repository: Path) -> None:
    """Whoever adds one file to a baseline must not lose the others: the next check of all would fail."""
    write(repository, {"pkg/b.py": SECOND, "pkg/sub/c.py": BUG.replace("Backend", "Third")})
    everything = fia_lint("check", "--write-baseline", ".").err
    before = sorted(baseline(repository))
    assert everything.startswith("fia-lint: 6 findings") and "kept" not in everything
    run = fia_lint("check", "--write-baseline", *options)
    assert run.status == 0 and " kept of files or rules that this run did not look at\n" in run.err
    assert sorted(baseline(repository)) == before
    assert fia_lint("check", "--baseline", "fia-lint-baseline.json", ".").status == 0


def test_a_baseline_loses_what_is_repaired_or_gone(repository: Path) -> None:
    write(repository, {"pkg/b.py": SECOND, "pkg/c.py": BUG.replace("Backend", "Third")})
    fia_lint("check", "--write-baseline")
    write(repository, {"pkg/b.py": GOOD})
    (repository / "pkg/c.py").unlink()
    assert "kept" not in fia_lint("check", "--write-baseline").err
    assert sorted(baseline(repository)) == [("pkg/a.py", "FIA102"), ("pkg/a.py", "FIA201")]


def test_a_baseline_that_would_lack_something_is_not_written(repository: Path) -> None:
    write(repository, {"pkg/broken.py": "npu_fused_infer_attention_score(\n"})
    run = fia_lint("check", "--write-baseline")
    assert run.status == 2 and "fia-lint-baseline.json: not written: it would lack" in run.err and "pkg/broken.py:1" in run.err
    run = fia_lint("check", "--write-baseline", "--since", "HEAD")
    assert run.status == 2 and "does not go with --since" in run.err
    assert not (repository / "fia-lint-baseline.json").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": [1]}'])
def test_a_file_that_is_no_baseline(text: str, repository: Path) -> None:
    write(repository, {"old.json": text})
    run = fia_lint("check", "--baseline", "old.json")
    assert run.status == 2 and "--write-baseline" in run.err


def test_since_shows_what_was_added_not_what_moved(repository: Path) -> None:
    (repository / "pkg" / "a.py").unlink()
    write(repository, {"pkg/moved/old.py": "\n\n" + BUG, "pkg/b.py": SECOND})
    commit(repository)
    assert since("HEAD~1") == [("pkg/b.py", LINE, COLUMN, "FIA102"), ("pkg/b.py", LINE, COLUMN, "FIA201")]
    assert since("HEAD") == []


def test_since_counts_what_is_not_committed(repository: Path) -> None:
    write(repository, {"pkg/a.py": GOOD})
    commit(repository)
    write(repository, {"pkg/a.py": BUG})
    assert [f[3] for f in since("HEAD")] == ["FIA102", "FIA201"]
    assert since("HEAD~1") == []


def test_since_begins_where_branches_parted(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    write(repository, {"pkg/b.py": SECOND})
    commit(repository)
    git(repository, "checkout", "-q", "-b", "ahead", "HEAD~1")
    write(repository, {"pkg/a.py": GOOD})
    commit(repository)
    git(repository, "checkout", "-q", "work")
    assert {f[0] for f in since("ahead")} == {"pkg/b.py"}


def test_a_second_finding_in_the_same_function_is_new(repository: Path) -> None:
    call = BUG[BUG.index("            return torch_npu", BUG.index("def decode")) :]
    write(repository, {"pkg/a.py": BUG.replace(call, call.replace("return", "x =") + call)})
    assert len(since("HEAD")) == 2


def test_since_needs_a_repository_and_a_revision(repository: Path, tmp_path: Path) -> None:
    run = fia_lint("check", "--since", "nowhere")
    assert run.status == 2 and "no such revision" in run.err
    write(tmp_path / "plain", {"a.py": BUG})
    run = fia_lint("check", "--isolated", "--since", "HEAD", tmp_path / "plain")
    assert run.status == 2 and "not a git repository" in run.err


def test_nothing_in_the_repository_changes(repository: Path) -> None:
    def state() -> list[tuple[str, int]]:
        return sorted((str(p), p.stat().st_mtime_ns) for p in repository.rglob("*"))

    before = state()
    since("HEAD")
    assert state() == before
