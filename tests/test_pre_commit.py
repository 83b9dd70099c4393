"""The hook, through the real pre-commit: installed from this repository's last commit, run by ``git commit``.

If this failed, the hook would not install, refuse good commits, or let the bug through.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import BUG, CLEAN, GOOD, git, write

pytest.importorskip("pre_commit")
ROOT = Path(__file__).resolve().parents[1]


def run(folder: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A command as someone would run it who is not in the middle of another commit."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    identity = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(
        command, cwd=folder, env=clean | identity | env, capture_output=True, text=True, check=False, timeout=280
    )


def pre_commit(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "pre_commit", *arguments, **env)


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("validate-manifest", ".pre-commit-hooks.yaml"),
        ("validate-config", "docs/examples/pre-commit-config.yaml"),
        ("validate-config", "docs/examples/pre-commit-flake8.yaml"),
    ],
)
def test_metadata_is_valid(command: str, file: str) -> None:
    done = pre_commit(ROOT, command, file)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Where pre-commit keeps the environment of the hook."""
    return {"PRE_COMMIT_HOME": str(tmp_path / "pre-commit")}


@pytest.fixture
def project(tmp_path: Path, home: dict[str, str]) -> Path:
    """A repository whose commits go through the hook of this repository's last commit, which is installed."""
    source = tmp_path / "fia-lint"
    git(tmp_path, "clone", "-q", "--no-hardlinks", str(ROOT), str(source))
    revision = git(source, "rev-parse", "HEAD")
    config = f"repos: [{{repo: '{source}', rev: {revision}, hooks: [{{id: fia-lint}}]}}]\n"
    root = write(tmp_path / "project", {".pre-commit-config.yaml": config, "pkg/a.py": CLEAN, "fia-lint.toml": ""})
    git(root, "init", "-q")
    installed = pre_commit(root, "install", "--install-hooks", **home)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return root


@pytest.mark.slow
def test_commits(project: Path, home: dict[str, str]) -> None:
    def commit() -> subprocess.CompletedProcess[str]:
        git(project, "add", "-A")
        return run(project, "git", "commit", "-q", "-m", "a commit", **home)

    write(project, {"pkg/attention.py": GOOD})
    passed = commit()
    assert passed.returncode == 0, passed.stdout + passed.stderr

    write(project, {"pkg/attention.py": BUG})
    refused = commit()
    assert refused.returncode == 1
    assert "pkg/attention.py:18:29: FIA102 next_tokens is 1 when sliding_window is not None, but 0 at" in refused.stderr
    assert "from 2 query rows on every row but the last sees one future token" in refused.stderr
    assert "Traceback" not in refused.stderr and "\x1b" not in refused.stderr

    many = {f"pkg/more{n}.py": BUG.replace("Backend", f"Backend{n}") for n in range(8)}
    write(project, many)
    told = [line for line in commit().stderr.splitlines() if ": FIA" in line]
    assert len(told) == len(set(told)) == 18

    write(project, {name: text.replace("next_tokens=1", "next_tokens=0") for name, text in many.items()})
    write(project, {"pkg/attention.py": GOOD.replace("Backend", "Renamed")})
    assert commit().returncode == 0


def test_several_processes_say_what_one_says(tmp_path: Path) -> None:
    """A hook that is given names gets them in several processes, each of which judges against the whole project."""
    files = {f"pkg/more{n:02}.py": (BUG if n % 3 else GOOD).replace("Backend", f"Backend{n}") for n in range(12)}
    root = write(tmp_path / "project", {**files, "fia-lint.toml": "", "pkg/__init__.py": ""})
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from fia_lint.cli import main; sys.exit(main())"
    tool = [sys.executable, "-c", program]
    parts = [
        subprocess.Popen([*tool, "check", *names[n::3]], cwd=root, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        for n in range(3)
    ]
    told = sorted(line for part in parts for line in part.communicate()[0].splitlines())
    whole = run(root, *tool, "check", ".")
    assert told == sorted(whole.stdout.splitlines()) and len(told) == 16
    assert [part.returncode for part in parts] == [1, 0, 1], "one process got the files without the bug"
