"""A target: a tree, and the part of it that a user asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from fia_lint.patterns import Patterns
from fia_lint.targets.tree import Tree


@dataclass(frozen=True)
class Options:
    """How targets are opened. ``exclusions`` cover absolute paths, ``exclude`` paths of trees that lie nowhere on disk."""

    root: Path | None = None
    isolated: bool = False
    exclusions: tuple[Patterns, ...] = ()
    exclude: tuple[str, ...] = ()
    stdin_filename: str | None = None
    stdin: Callable[[], bytes] = lambda: b""


@dataclass(frozen=True)
class Target:
    """``specs`` as the user wrote them, the ``tree`` to analyse, and the paths of it that findings are printed for.

    ``root`` is where the tree lies on disk, if it does. ``folder`` is the folder of the tree that the user named ("" is the
    whole of it), or None where files were named. ``in_tests``: the user named something inside a test tree.
    """

    specs: tuple[str, ...]
    tree: Tree
    shown: frozenset[str]
    root: Path | None = None
    folder: str | None = ""
    in_tests: bool = False


def in_test_tree(path: str) -> bool:
    """Whether a file or folder of a tree belongs to its tests."""
    *folders, name = path.split("/")
    return name.startswith("test_") or name == "conftest.py" or not {"tests", "test"}.isdisjoint([*folders, name])


def whole(spec: str, tree: Tree, options: Options, folder: str = "") -> Target:
    """A target that lies nowhere on disk: all of a tree, or a folder of it, but what the user excludes."""
    left_out = GitIgnoreSpec.from_lines(options.exclude)
    kept = [path for path in tree.paths() if not left_out.match_file(path)]
    shown = frozenset(path for path in kept if path.startswith(f"{folder}/") or not folder)
    return Target((spec,), Tree(kept, tree.read), shown, folder=folder)
