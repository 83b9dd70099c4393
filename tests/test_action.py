"""The GitHub action: its metadata, and its shell steps run for real as a runner would run them.

If this failed, a pull request check would break on somebody else's repository, where nobody can debug it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.projects import BUG, GOOD, commit, git, write
from tests.uploads import sarif_run

yaml = pytest.importorskip("yaml")
testing = pytest.importorskip("click.testing", reason="comes with check-jsonschema")
ROOT = Path(__file__).resolve().parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-actions", ["action.yml"]),
        ("github-workflows", ["docs/examples/github-workflow.yml", "docs/examples/github-fork.yml"]),
        ("gitlab-ci", ["docs/examples/gitlab-ci.yml"]),
    ],
)
def test_schema(schema: str, files: list[str]) -> None:
    checker = pytest.importorskip("check_jsonschema")
    arguments = ["--builtin-schema", f"vendor.{schema}", *(str(ROOT / file) for file in files)]
    done = testing.CliRunner().invoke(checker.main, arguments)
    assert done.exit_code == 0, done.output
    assert "ok -- validation done" in done.output


def test_nothing_is_pasted_into_a_script() -> None:
    """A branch name or an input with shell syntax in it must stay data."""
    for step in STEPS.values():
        assert "${{" not in step["run"] and step["shell"] == "bash"


@pytest.mark.parametrize("example", ["github-workflow.yml", "github-fork.yml"])
def test_examples_name_only_inputs_that_there_are(example: str) -> None:
    workflow = yaml.safe_load((ROOT / "docs/examples" / example).read_text(encoding="utf-8"))
    (ours,) = (step for step in workflow["jobs"]["fia-lint"]["steps"] if "fia-lint@" in step.get("uses", ""))
    assert set(ours["with"]) <= set(ACTION["inputs"])


# ------------------------------------------------------------------------------------------------- as a runner would


@dataclass(frozen=True)
class Step:
    """What a step left behind."""

    status: int
    log: str
    outputs: str
    summary: str

    @property
    def annotated(self) -> list[str]:
        return re.findall(r"^::error file=([^,]+),line=\d+.*title=(FIA\d+)", self.log, re.M)


class Runner:
    """Runs steps of the action in a repository; the tool is that of this checkout, until another is installed."""

    def __init__(self, scratch: Path, repository: Path) -> None:
        self.scratch, self.repository = scratch, repository
        self.tool = scratch / "fia-lint"
        program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from fia_lint.cli import main; sys.exit(main())"
        self.tool.write_text(f"#!/bin/sh\nexec '{sys.executable}' -I -c '{program}' '{ROOT}' \"$@\"\n")
        self.tool.chmod(0o755)

    def run(self, name: str, base: str = "", **inputs: str) -> Step:
        values = {f"inputs.{key}": str(item.get("default", "")) for key, item in ACTION["inputs"].items()}
        values |= {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}
        values |= {"github.action_path": str(ROOT), "github.event.pull_request.base.sha": base}
        values |= {"steps.python.outputs.python-path": sys.executable, "steps.install.outputs.tool": str(self.tool)}
        step = STEPS[name]
        script = self.scratch / "step.sh"
        script.write_text(step["run"])
        files = {key: self.scratch / key.lower() for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        env = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "RUNNER_TEMP": str(self.scratch / "temp")}
        env |= {key: os.environ[key] for key in os.environ if key.startswith(("PIP_", "UV_")) or "proxy" in key.lower()}
        env |= {"PIP_CACHE_DIR": os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))}
        env |= {key: str(file) for key, file in files.items()}
        env |= {key: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], text) for key, text in step["env"].items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        done = subprocess.run(command, cwd=self.repository, env=env, capture_output=True, text=True, check=False, timeout=240)
        texts = (files["GITHUB_OUTPUT"].read_text(), files["GITHUB_STEP_SUMMARY"].read_text())
        return Step(done.returncode, done.stdout + done.stderr, *texts)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A known finding on the base; then one is added, and the file of the old one is renamed."""
    root = write(tmp_path / "project", {"pkg/__init__.py": "", "pkg/old.py": BUG, "fia-lint.toml": ""})
    git_id = commit(root)
    (root / ".git" / "base").write_text(git_id)
    shutil.move(root / "pkg/old.py", root / "pkg/moved.py")
    write(root, {"pkg/new.py": BUG.replace("Backend", "Added").replace("next_tokens=1", "next_tokens=2")})
    commit(root)
    return root


def base_of(repository: Path) -> str:
    return (repository / ".git" / "base").read_text()


def test_a_pull_request_shows_what_it_brings_in(tmp_path: Path, repository: Path) -> None:
    step = Runner(tmp_path, repository).run("Run fia-lint", base_of(repository), sarif="out/é report.sarif")
    assert (step.status, step.outputs) == (1, "status=1\n")
    assert step.annotated == [("pkg/new.py", "FIA102"), ("pkg/new.py", "FIA201")]
    assert step.summary.count("| FIA") == 2 and "pkg/new.py" in step.summary
    report = (repository / "out/é report.sarif").read_text()
    assert {result["ruleId"] for result in sarif_run(report)["results"]} == {"FIA102", "FIA201"}


def test_elsewhere_everything_is_shown(tmp_path: Path, repository: Path) -> None:
    runner = Runner(tmp_path, repository)
    assert len(runner.run("Run fia-lint").annotated) == 4
    assert len(runner.run("Run fia-lint", base_of(repository), since="none").annotated) == 4
    lenient = runner.run("Run fia-lint", fail="false", targets="  pkg/moved.py \t\n \n\n")
    assert (lenient.status, lenient.outputs, len(lenient.annotated)) == (0, "status=1\n", 2)


def test_nothing_to_report_and_bad_input(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"pkg/good.py": GOOD, "fia-lint.toml": ""})
    commit(root)
    runner = Runner(tmp_path, root)
    step = runner.run("Run fia-lint")
    assert (step.status, step.annotated) == (0, [])
    step = runner.run("Run fia-lint", targets="$(touch pwned)\n--exit-zero")
    assert step.status == 2 and "no such file" in step.log.lower()
    assert not (root / "pwned").exists()


def test_a_revision_that_does_not_exist_is_called_that(tmp_path: Path, repository: Path) -> None:
    """Advice to fetch the history would send whoever mistyped a name the wrong way."""
    step = Runner(tmp_path, repository).run("Run fia-lint", since="mian")
    assert step.status == 2 and "mian: no such revision" in step.log and "fetch-depth" not in step.log


def test_a_shallow_checkout_is_deepened(tmp_path: Path, repository: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    step = Runner(tmp_path, tmp_path / "shallow").run("Run fia-lint", base_of(repository))
    assert step.status == 1 and {path for path, _ in step.annotated} == {"pkg/new.py"}


@pytest.mark.slow
def test_the_install_step(tmp_path: Path) -> None:
    """The package of the action's own checkout goes into an environment of its own, away from what is analysed."""
    repository = write(tmp_path / "project", {"libcst.py": "raise SystemExit('imported')\n", "a.py": BUG, "fia-lint.toml": ""})
    commit(repository)
    runner = Runner(tmp_path, repository)
    step = runner.run("Install fia-lint")
    assert step.status == 0, step.log
    runner.tool = Path(step.outputs.removeprefix("tool=").strip())
    assert [code for _, code in runner.run("Run fia-lint").annotated] == ["FIA102", "FIA201"]
