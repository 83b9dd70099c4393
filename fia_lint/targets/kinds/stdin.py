"""``-``: standard input, in the place of the file that ``--stdin-filename`` names."""

from __future__ import annotations

import os
from pathlib import Path

from fia_lint.targets.folder import folder_tree
from fia_lint.targets.project import files_of, project_of
from fia_lint.targets.target import Options, Target, in_test_tree, whole
from fia_lint.targets.tree import Tree

ORDER = 0


def recognises(spec: str) -> bool:
    return spec == "-"


def open_all(specs: list[str], options: Options) -> list[Target]:
    data = options.stdin()
    if options.stdin_filename is None:
        return [whole("-", Tree.of({"stdin": data}), options)]
    return [in_place_of(Path(os.path.abspath(options.stdin_filename)), data, options)]


def in_place_of(path: Path, data: bytes, options: Options) -> Target:
    """The project around a file, which need not exist, with ``data`` as its content."""
    project = project_of(path, options)
    name = path.relative_to(project.root).as_posix()
    paths = [] if options.isolated else files_of(project, options, [])[project.root]
    tree = folder_tree(project.root, paths).replaced({name: data})
    return Target((str(path),), tree, frozenset({name}), project.root, None, in_test_tree(name))
