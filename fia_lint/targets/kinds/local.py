"""Files and folders. Those of one project share one tree."""

from __future__ import annotations

import os
from pathlib import Path

from fia_lint.errors import UsageError
from fia_lint.targets.folder import folder_tree
from fia_lint.targets.project import Project, files_of, project_of
from fia_lint.targets.target import Options, Target, in_test_tree

ORDER = 100


def recognises(spec: str) -> bool:
    return True


def open_all(specs: list[str], options: Options) -> list[Target]:
    projects: dict[Project, list[str]] = {}
    for spec in specs:
        path = existing(spec)
        project = Project(path if path.is_dir() else path.parent) if options.isolated else project_of(path, options)
        projects.setdefault(project, []).append(spec)
    return [_open(project, specs, options) for project, specs in projects.items()]


def whole_project(project: Project, options: Options) -> Target:
    """Every file of a project as a target of its own: those in test trees are wanted too."""
    paths = files_of(project, options, [])[project.root]
    return Target((str(project.root),), folder_tree(project.root, paths), frozenset(paths), project.root, "", in_tests=True)


def existing(spec: str) -> Path:
    """The absolute path of a file or folder. Raises ``UsageError`` if there is none."""
    path = Path(os.path.abspath(spec))
    if not spec or not (path.is_dir() or path.is_file()):
        problem = "neither a file nor a folder" if spec and os.path.lexists(spec) else "no such file or folder"
        expected = "a file, a folder, an archive, -, REPO@REV or pypi:NAME==VERSION"
        raise UsageError(f"{spec!r}: {problem}; expected {expected}")
    if not os.access(path, os.R_OK):
        raise UsageError(f"{spec!r}: cannot be read: permission denied")
    return path


def _open(project: Project, specs: list[str], options: Options) -> Target:
    paths = [Path(os.path.abspath(spec)) for spec in specs]
    files = files_of(project, options, paths)
    shown = frozenset(name for path in paths for name in files[path])
    names = ["/".join(path.relative_to(project.root).parts) for path in paths]
    folder = names[0] if len(paths) == 1 and paths[0].is_dir() else None
    tree = folder_tree(project.root, files[project.root])
    return Target(tuple(specs), tree, shown, project.root, folder, any(map(in_test_tree, names)))
