"""Which files below a folder are left out: those that git ignores, and the usual build folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fia_lint.patterns import Patterns, patterns

#: Folders that hold no source of the project, whatever git says.
BUILD_FOLDERS = frozenset(
    {
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d", ".pyenv",
        ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pycache__", "__pypackages__",
        "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv",
    }
)  # fmt: skip


def ignored(path: str, stack: Sequence[Patterns]) -> bool:
    """Whether an absolute path is ignored by the nearest patterns that speak of it; ``stack`` has the nearest last."""
    for item in reversed(stack):
        verdict = item.verdict(path)
        if verdict is not None:
            return verdict
    return False


def of_folder(folder: Path) -> list[Patterns]:
    """The patterns in a folder's own ignore files."""
    found = []
    for name in (".git/info/exclude", ".gitignore"):
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            continue
        found.append(patterns(folder.as_posix(), text.splitlines()))
    return found


def above(folder: Path) -> list[Patterns]:
    """The patterns of the folders above one, up to the top of its git repository, as far as they do not ignore it."""
    chain = [folder, *folder.parents]
    top = next((i for i, item in enumerate(chain) if (item / ".git").exists()), None)
    if top is None:
        return []
    outer = [p for item in reversed(chain[1 : top + 1]) for p in of_folder(item)]
    return [p.without(folder.as_posix() + "/") for p in outer]
