"""``pypi:NAME==VERSION``: a release as pip downloads it. Nothing is built, installed or run."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fia_lint.errors import UsageError
from fia_lint.targets.kinds.archive import archive_tree
from fia_lint.targets.target import Options, Target, whole
from fia_lint.targets.tree import Tree

ORDER = 10
PREFIX = "pypi:"
_SPEC = re.compile(r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]*)")

#: What a wheel with compiled parts may have been built for, tried in turn: its source is the same everywhere.
_PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_24_x86_64", "manylinux_2_28_x86_64", "manylinux_2_34_x86_64")
_ARM = ("manylinux2014_aarch64", "manylinux_2_24_aarch64", "manylinux_2_28_aarch64", "manylinux_2_34_aarch64")
_PYTHONS = ("3.11", "3.10", "3.9", "3.12", "3.13")


def recognises(spec: str) -> bool:
    return spec.startswith(PREFIX)


def open_all(specs: list[str], options: Options) -> list[Target]:
    return [whole(spec, release_tree(spec), options) for spec in specs]


def release_tree(spec: str) -> Tree:
    """The Python files of the release that ``spec`` (``pypi:NAME==VERSION``) names. Raises ``UsageError``."""
    match = _SPEC.fullmatch(spec.removeprefix(PREFIX))
    if match is None:
        raise UsageError(f"{spec}: expected pypi:NAME==VERSION, for example pypi:vllm-ascend==0.18.0")
    requirement = f"{match['name']}=={match['version']}"
    with tempfile.TemporaryDirectory(prefix="fia-lint-") as folder:
        return archive_tree(download(requirement, Path(folder)))


def download(requirement: str, folder: Path) -> Path:
    """The file of a release, downloaded to ``folder``: a wheel for some platform."""
    said = ""
    for attempt in _attempts():
        done = _pip(["download", *attempt, "--only-binary", ":all:", "--dest", str(folder), requirement])
        files = sorted(item for item in folder.iterdir() if item.suffix == ".whl")
        if done.returncode == 0 and files:
            return files[0]
        said = said or _reason(done.stderr)
        if _hopeless(done.stderr):
            break
    raise UsageError(f"{PREFIX}{requirement}: pip found no wheel to download (an sdist can be given as a file): {said}")


def _attempts() -> Iterator[list[str]]:
    """Options that choose what a wheel is for: this machine, then many platforms at once, one Python after the other."""
    yield []
    for python in _PYTHONS:
        platforms = [option for name in (*_PLATFORMS, *_ARM) for option in ("--platform", name)]
        yield ["--python-version", python, "--implementation", "cp", *platforms]


def _pip(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    quiet = ["--disable-pip-version-check", "--no-input", "--retries", "2", "--no-deps", "-q"]
    command = [sys.executable, "-m", "pip", arguments[0], *quiet, *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def _reason(text: str) -> str:
    """The line of pip's output that says most: its first error."""
    lines = [line.strip() for line in text.splitlines()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return next(iter(errors or lines), "pip gave no reason")


def _hopeless(text: str) -> bool:
    """Whether another platform cannot help: pip is missing, or the index cannot be reached."""
    return "No module named pip" in text or "Failed to establish a new connection" in text
