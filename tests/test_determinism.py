"""The same input gives the same bytes: under every hash seed, with any number of jobs, in any order of files."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.corpora import unpacked

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ("0", "1", "4711")


def audit(target: Path, *options: str, seed: str = "0", cwd: Path | None = None) -> bytes:
    """The bytes that ``audit`` writes for a target, in a process of its own without a cache."""
    command = [sys.executable, "-m", "fia_lint", "audit", "--isolated", "--no-cache", "--extend-select", "FIA", *options]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([*command, str(target)], capture_output=True, env=environment, cwd=cwd, timeout=300)
    assert result.returncode in (0, 1), result.stderr.decode()
    return result.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tree of many fixtures, each a group of its own."""
    target = tmp_path_factory.mktemp("determinism") / "tree"
    for topic in sorted((ROOT / "tests" / "fixtures").iterdir()):
        for item in sorted(topic.iterdir()):
            place = target / topic.name / item.stem
            if item.is_dir() and item.name != "__pycache__":
                shutil.copytree(item, place, ignore=shutil.ignore_patterns("*.json", "*.toml", "__pycache__"))
            elif item.suffix == ".py":
                place.mkdir(parents=True)
                shutil.copyfile(item, place / item.name)
    return target


@pytest.mark.parametrize("style", ["json", "concise", "text"])
def test_hash_seed_and_jobs(tree: Path, style: str) -> None:
    outputs = {audit(tree, "--format", style, seed=seed) for seed in SEEDS}
    outputs |= {audit(tree, "--format", style, "--jobs", jobs) for jobs in ("1", "2")}
    assert len(outputs) == 1
    assert b"FIA102" in outputs.pop()


def test_order_of_files(tree: Path, tmp_path: Path) -> None:
    """Copies made in another order, and archives with their members in another order."""
    files = sorted(p for p in tree.rglob("*") if p.is_file())
    orders = [files, files[::-1], random.Random(7).sample(files, len(files))]
    folders, archives = set(), set()
    for number, order in enumerate(orders):
        copy = tmp_path / str(number) / "tree"
        archive = tmp_path / str(number) / "tree.zip"
        archive.parent.mkdir()
        with zipfile.ZipFile(archive, "w") as opened:
            for file in order:
                place = copy / file.relative_to(tree)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, place)
                opened.write(file, file.relative_to(tree).as_posix())
        folders.add(audit(Path("tree"), "--format", "json", cwd=copy.parent))
        archives.add(audit(Path("tree.zip"), "--format", "json", cwd=copy.parent))
    assert len(folders) == 1
    assert len(archives) == 1


@pytest.mark.corpus
def test_a_release(tmp_path: Path) -> None:
    target = unpacked("0.18.0")
    outputs = {audit(target, "--format", "json", seed=seed, cwd=tmp_path) for seed in SEEDS[1:]}
    outputs.add(audit(target, "--format", "json", "--jobs", "2", cwd=tmp_path))
    assert len(outputs) == 1
