"""How the files of a tree are called in a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fia_lint.targets.target import Target


@dataclass(frozen=True)
class Naming:
    """``prefix`` leads from the root of everything to the tree; names are relative to ``base``, for people to ``near``,
    for what works on a repository to its ``top``."""

    prefix: str
    base: str
    near: str
    top: str

    def name(self, path: str) -> str:
        """The name of a file relative to the target, with forward slashes."""
        return self._relative(path, self.base)

    def shown(self, path: str) -> str:
        """The name of a file as a person in the current folder would write it."""
        return self._relative(path, self.near)

    def rooted(self, path: str) -> str:
        """The name of a file relative to the top of its repository."""
        return self._relative(path, self.top)

    def _relative(self, path: str, base: str) -> str:
        return relative(f"{self.prefix}/{path}" if self.prefix else path, base)


def relative(path: str, base: str) -> str:
    """``path`` as seen from the folder ``base``; both absolute, or both relative to one thing."""
    parts, start = PurePosixPath(path).parts, PurePosixPath(base).parts if base else ()
    common = 0
    while common < min(len(parts), len(start)) and parts[common] == start[common]:
        common += 1
    return "/".join([*[".."] * (len(start) - common), *parts[common:]])


def namings(targets: Sequence[Target]) -> list[Naming]:
    """One naming per target: relative to a folder that is the only target, else to the current folder if all lie below it."""
    here = Path(os.getcwd()).as_posix()
    roots = [_place(target) for target in targets if target.root is not None]
    near = here if all(_is_below(root, here) for root in roots) else os.path.commonpath(roots).replace(os.sep, "/")
    found = []
    for target in targets:
        if target.root is None:
            prefix = target.specs[0] if len(targets) > 1 else ""
            base = target.folder or ""
            found.append(Naming(prefix, "" if prefix else base, "" if prefix else base, ""))
        else:
            only = len(targets) == 1 and target.folder is not None
            base = _place(target) if only else near
            found.append(Naming(target.root.as_posix().rstrip("/"), base, near, top_of(target.root) or near))
    return found


def _place(target: Target) -> str:
    """The folder that holds all that a target on disk shows."""
    root = target.root.as_posix().rstrip("/") if target.root else ""
    if target.folder is not None:
        return f"{root}/{target.folder}".rstrip("/")
    folders = [f"{root}/{path}".rpartition("/")[0] for path in target.shown]
    return os.path.commonpath(folders).replace(os.sep, "/") if folders else root


def top_of(root: Path) -> str | None:
    """The top of the git repository that a tree lies in."""
    return next((folder.as_posix() for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
