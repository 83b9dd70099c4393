"""Real code to run on: five releases of vllm-ascend, fetched from PyPI with pip.

``python -m tests.corpora`` downloads the wheels into ``.corpora/`` at the top of the project and unpacks their Python
files, one folder per release. Nothing is installed, nothing of it is committed (the folder ignores itself). What is there
already is left alone. ``FIA_LINT_CORPORA`` names another folder.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

RELEASES = ("0.9.1", "0.11.0", "0.13.0", "0.18.0", "0.23.0")
PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_24_x86_64", "manylinux_2_34_x86_64")
PYTHONS = ("3.11", "3.10", "3.9")
DONE = ".complete"


def folder() -> Path:
    """Where the releases are kept."""
    return Path(os.environ.get("FIA_LINT_CORPORA") or Path(__file__).resolve().parents[1] / ".corpora")


def fetch(releases: Iterable[str] = RELEASES) -> dict[str, Path]:
    """Release → folder with its Python files, downloaded where it is not there yet."""
    return {release: unpacked(release) for release in releases}


def unpacked(release: str) -> Path:
    """The folder of a release. One that is missing is downloaded; if that fails it is an error, never a reason to skip."""
    target = folder() / release
    if (target / DONE).exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    (target.parent / ".gitignore").write_text("*\n")
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        wheel = _download(release, Path(scratch))
        fresh = Path(scratch) / "unpacked"
        _unpack(wheel, fresh)
        (fresh / DONE).write_text(f"{wheel.name}\n")
        _put(fresh, target)
    return target


def _put(fresh: Path, target: Path) -> None:
    """Move the finished folder to its place, unless another process was faster."""
    if target.exists() and not (target / DONE).exists():
        shutil.rmtree(target)
    try:
        fresh.rename(target)
    except OSError:
        if not (target / DONE).exists():
            raise


def _download(release: str, into: Path) -> Path:
    """The wheel of a release, for whichever platform and Python there is one."""
    tried = []
    for platform, python in itertools.product(PLATFORMS, PYTHONS):
        options = ["--no-deps", "--only-binary", ":all:", "--platform", platform, "--python-version", python]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *options]
        result = subprocess.run([*command, "--dest", str(into), f"vllm-ascend=={release}"], capture_output=True, text=True)
        if result.returncode == 0:
            return next(into.glob("*.whl"))
        tried.append(f"{platform}, Python {python}: {result.stderr.strip().splitlines()[-1:]}")
    raise RuntimeError(f"no wheel of vllm-ascend {release}:\n" + "\n".join(tried))


def _unpack(wheel: Path, into: Path) -> None:
    """The Python files of a wheel; member names that would lead out of the folder are refused."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            if member.filename.endswith(".py"):
                target = (into / member.filename).resolve()
                if not target.is_relative_to(into.resolve()):
                    raise RuntimeError(f"{wheel.name}: {member.filename} leads out of the archive")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))


if __name__ == "__main__":
    for name, path in fetch(sys.argv[1:] or RELEASES).items():
        print(f"vllm-ascend {name}: {path} ({(path / DONE).read_text().strip()})")
