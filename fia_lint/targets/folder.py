"""Python files below a folder of the file system."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from fia_lint.patterns import Patterns, excluded
from fia_lint.targets.ignore import BUILD_FOLDERS, above, ignored, of_folder
from fia_lint.targets.tree import Tree


def folder_tree(root: Path, paths: Sequence[str]) -> Tree:
    """The tree of some files below ``root``."""
    return Tree(paths, lambda path: _read(root / path))


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise OSError("is not a regular file")
    return path.read_bytes()


def python_files(
    root: Path, start: Path, exclusions: Sequence[Patterns] = (), isolated: bool = False, packages_only: bool = False
) -> list[str]:
    """The Python files at or below ``start``, as paths relative to ``root``.

    What git ignores and build folders are skipped below ``start``, never ``start`` itself. With ``isolated`` ignore files
    above it do not count; with ``packages_only`` folders that are no packages are not entered.
    """
    outer = [] if isolated else above(start)
    prefix = root.as_posix().rstrip("/") + "/"
    found = _walk(start, outer, exclusions, packages_only)
    return [path[len(prefix) :] for path in found]


def _walk(start: Path, outer: list[Patterns], exclusions: Sequence[Patterns], packages_only: bool) -> Iterator[str]:
    """Absolute paths with forward slashes. Links to folders are not followed, so there are no circles."""
    pending = [(start, outer)]
    while pending:
        folder, stack = pending.pop()
        stack = [*stack, *of_folder(folder)]
        for entry in _entries(folder):
            path = f"{folder.as_posix().rstrip('/')}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name in BUILD_FOLDERS or ignored(path + "/", stack) or excluded(path + "/", exclusions):
                    continue
                if not packages_only or os.path.exists(f"{path}/__init__.py"):
                    pending.append((Path(path), stack))
            elif entry.name.endswith(".py") and not ignored(path, stack) and not excluded(path, exclusions):
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, in a fixed order; a folder that may not be read holds nothing."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
