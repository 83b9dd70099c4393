"""The same input gives the same bytes: under every hash seed, with any number of jobs, in any order of files."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.corpora import unpacked

ROOT = Path(__file__).resolve().parents[1]
STYLES = ("json", "concise", "text")


@dataclass(frozen=True)
class Audit:
    """What ``audit`` writes, by format."""

    json: bytes
    concise: bytes
    text: bytes


def audit(target: str | Path, cwd: Path, seed: str, *options: str) -> Audit:
    """The audit of a target in a process of its own, without a cache."""
    also = [word for style in STYLES[1:] for word in ("--also", f"{style}={style}")]
    command = [sys.executable, "-m", "fia_lint", "audit", "--isolated", "--no-cache", "--extend-select", "FIA"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [*command, "--format", "json", *also, *options, str(target)], capture_output=True, env=environment, cwd=cwd, timeout=300
    )
    assert result.returncode in (0, 1), result.stderr.decode()
    return Audit(result.stdout, *((cwd / style).read_bytes() for style in STYLES[1:]))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tree of many fixtures, each a group of its own: every third one, which is enough of every kind."""
    target = tmp_path_factory.mktemp("determinism") / "tree"
    for topic in sorted((ROOT / "tests" / "fixtures").iterdir()):
        for item in sorted(topic.iterdir())[::3]:
            place = target / topic.name / item.stem
            if item.is_dir() and item.name != "__pycache__":
                shutil.copytree(item, place, ignore=shutil.ignore_patterns("*.json", "*.toml", "__pycache__"))
            elif item.suffix == ".py":
                place.mkdir(parents=True)
                shutil.copyfile(item, place / item.name)
    return target


def copied(files: list[Path], tree: Path, into: Path) -> Path:
    """The folder that holds a copy of a tree, made in that order."""
    for file in files:
        place = into / "tree" / file.relative_to(tree)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    return into


def packed(files: list[Path], tree: Path, into: Path) -> Path:
    """The folder that holds an archive of a tree, with its members in that order."""
    into.mkdir()
    with zipfile.ZipFile(into / "tree.zip", "w") as opened:
        for file in files:
            opened.write(file, file.relative_to(tree).as_posix())
    return into


@pytest.mark.slow
def test_fixtures(tree: Path, tmp_path: Path) -> None:
    """Two runs differ in everything that must not matter."""
    files = sorted(p for p in tree.rglob("*") if p.is_file())
    first = audit("tree", copied(files, tree, tmp_path / "sorted"), "0", "--jobs", "1")
    second = audit("tree", copied(files[::-1], tree, tmp_path / "reversed"), "4711", "--jobs", "2")
    assert first == second
    assert all(b"FIA102" in shown for shown in (first.json, first.concise, first.text))


def test_order_in_an_archive(tree: Path, tmp_path: Path) -> None:
    """An archive says what its unpacked files say. (Fixtures of several files, where order could matter.)"""
    part = tree / "containers"
    files = sorted(p for p in part.rglob("*") if p.is_file())
    shuffled = random.Random(7).sample(files, len(files))
    folder = audit("tree", copied(files, part, tmp_path / "sorted"), "0")
    archive = audit("tree.zip", packed(shuffled, part, tmp_path / "archive"), "1")
    assert archive.json == folder.json
    assert b"capture" in folder.json


@pytest.mark.corpus
@pytest.mark.slow
def test_a_release(tmp_path: Path) -> None:
    target = unpacked("0.18.0")
    assert audit(target, tmp_path, "1", "--jobs", "1") == audit(target, tmp_path, "4711", "--jobs", "2")
