"""The project around a file or folder: the tree that it is analysed in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fia_lint.config.find import configuration_in
from fia_lint.errors import UsageError
from fia_lint.patterns import excluded
from fia_lint.targets.folder import python_files
from fia_lint.targets.target import Options


@dataclass(frozen=True)
class Project:
    """A root folder. ``loose``: no project was found, and the root is only the folder of a file that is in no package."""

    root: Path
    loose: bool = False


def project_of(path: Path, options: Options) -> Project:
    """The project around an absolute path: the nearest folder above with a configuration file or ``.git``, or ``--root``.

    Without any it is the package that the path lies in, else the path itself, or the file's folder.
    """
    start = path if path.is_dir() else path.parent
    if options.isolated:
        return Project(start)
    if options.root is not None:
        return Project(_above(start, options.root, path))
    for folder in (start, *start.parents):
        if (folder / ".git").exists() or configuration_in(folder) is not None:
            return Project(folder)
    return Project(package_of(start) or start, loose=path != start and package_of(start) is None)


def _above(start: Path, root: Path, path: Path) -> Path:
    """The folder among those above (itself included) that is the root, perhaps by another name: over a symbolic link."""
    above = (start, *start.parents)
    if root in above:
        return root
    real = root.resolve()
    for folder in above:
        if folder.resolve() == real:
            return folder
    raise UsageError(f"{path}: does not lie in the root {root}")


def package_of(folder: Path) -> Path | None:
    """The outermost of the folders above (itself included) that hold an ``__init__.py`` without a gap, if it holds one."""
    package = None
    for item in (folder, *folder.parents):
        if not (item / "__init__.py").is_file():
            break
        package = item
    return package


def files_of(project: Project, options: Options, targets: list[Path]) -> dict[Path, list[str]]:
    """For each target its files, and for the key ``project.root`` all files of the tree; paths relative to the root.

    A target that the project's ignore files leave out is read all the same, with the package around it.
    """
    root = project.root
    if options.isolated:
        everything = set[str]()
    else:
        everything = set(python_files(root, root, options.exclusions, packages_only=project.loose))
    found: dict[Path, list[str]] = {}
    for target in targets:
        found[target] = _below(root, target, everything, options)
        if found[target] and not everything.issuperset(found[target]) and not options.isolated:
            around = package_of(target if target.is_dir() else target.parent)
            if around is not None and root in (around, *around.parents):
                everything.update(python_files(root, around, options.exclusions))
        everything.update(found[target])
    return {**found, root: sorted(everything)}


def _below(root: Path, target: Path, everything: set[str], options: Options) -> list[str]:
    """The files that a target stands for."""
    if target.is_dir():
        if target == root and everything:
            return sorted(everything)
        return python_files(root, target, options.exclusions, isolated=options.isolated)
    if excluded(target.as_posix(), options.exclusions):
        return []
    return [target.relative_to(root).as_posix()]
