"""Wheels, sdists and zip files, read in memory: nothing of them is written to disk."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from fia_lint.errors import UsageError
from fia_lint.targets.target import Options, Target, whole
from fia_lint.targets.tree import Tree

ORDER = 20

#: Bounds of what is read from an archive, against one that unpacks to more than a disk holds.
MOST_FILES = 100_000
MOST_BYTES = 512 * 1024 * 1024
MOST_IN_FILE = 32 * 1024 * 1024

ZIP_SUFFIXES = (".whl", ".zip")
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
SUFFIXES = ZIP_SUFFIXES + TAR_SUFFIXES


def recognises(spec: str) -> bool:
    return spec.lower().endswith(SUFFIXES) and not Path(spec).is_dir()


def open_all(specs: list[str], options: Options) -> list[Target]:
    return [whole(spec, archive_tree(Path(spec)), options) for spec in specs]


def archive_tree(file: Path) -> Tree:
    """The Python files of an archive. Raises ``UsageError`` if it is none, is damaged, or is too large to be one of source."""
    reader = _zip_members if file.name.lower().endswith(ZIP_SUFFIXES) else _tar_members
    files: dict[str, bytes] = {}
    size = 0
    try:
        for name, data in reader(file):
            path = safe_name(name)
            if path is None:
                continue
            size += len(data)
            if size > MOST_BYTES or len(files) >= MOST_FILES:
                raise UsageError(f"{file}: the archive holds more Python source than is read ({MOST_BYTES >> 20} MiB)")
            files[path] = data
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, RuntimeError, NotImplementedError) as error:
        raise UsageError(f"{file}: not a readable archive: {error or type(error).__name__}") from None
    return Tree.of(_without_top_folder(files) if file.name.lower().endswith(TAR_SUFFIXES) else files)


def safe_name(name: str) -> str | None:
    """A member's name as a path in the tree, or None if it is no Python file or points out of the archive."""
    path = name.replace("\\", "/").removeprefix("./")
    parts = path.split("/")
    if not path.endswith(".py") or path.startswith("/") or ":" in parts[0] or any(p in ("", ".", "..") for p in parts):
        return None
    return path


def _zip_members(file: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not info.is_dir() and safe_name(info.filename):
                with archive.open(info) as stream:
                    yield info.filename, _bounded(stream, info.filename, file)


def _tar_members(file: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(file, "r:*") as archive:
        for info in archive:
            if info.isfile() and safe_name(info.name):
                stream = archive.extractfile(info)
                if stream is not None:
                    yield info.name, _bounded(stream, info.name, file)


def _bounded(stream: IO[bytes], name: str, file: Path) -> bytes:
    data = stream.read(MOST_IN_FILE + 1)
    if len(data) > MOST_IN_FILE:
        raise UsageError(f"{file}: {name} is larger than a source file can be ({MOST_IN_FILE >> 20} MiB)")
    return data


def _without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """An sdist's files lie in one folder ``NAME-VERSION``, which is no part of the project."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) != 1 or any("/" not in path for path in files):
        return files
    top = next(iter(tops)) + "/"
    if top + "__init__.py" in files:
        return files
    return {path.removeprefix(top): data for path, data in files.items()}
