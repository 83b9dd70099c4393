"""Running the tool in this process, and on changed copies of a tree."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Run:
    """What one run of the command line gave; ``output`` is its JSON."""

    status: int
    output: dict[str, Any]
    errors: str


def run(command: str, *arguments: str) -> Run:
    """``fia-lint COMMAND --format json …`` in this process. Fails if the tool could not do its job."""
    from fia_lint.cli import main

    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    errors = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = main([command, "--format", "json", *arguments])
    text = output.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
    if status not in (0, 1):
        raise RuntimeError(f"fia-lint {command} {' '.join(arguments)}: exit status {status}\n{errors.getvalue()}")
    return Run(status, json.loads(text), errors.getvalue())


@dataclass(frozen=True)
class Workspace:
    """A private copy of a tree, in which files can be changed for one run."""

    root: Path
    options: tuple[str, ...] = ("--isolated",)

    def source(self, path: str) -> str:
        """The text of a file, decoded as it is, line ends kept."""
        return (self.root / path).read_bytes().decode("utf-8")

    def paths(self) -> list[str]:
        """All Python files of the tree, sorted."""
        return sorted(p.relative_to(self.root).as_posix() for p in self.root.rglob("*.py"))

    def audit(self, changes: Mapping[str, str | None] | None = None) -> dict[str, Any]:
        """The audit of the tree with some files changed, new, or away (None); everything is put back afterwards."""
        with self._changed(changes or {}):
            return run("audit", *self.options, str(self.root)).output

    @contextlib.contextmanager
    def _changed(self, changes: Mapping[str, str | None]) -> Iterator[None]:
        before = {path: self._bytes(path) for path in changes}
        try:
            for path, text in changes.items():
                self._put(path, None if text is None else text.encode("utf-8"))
            yield
        finally:
            for path, data in before.items():
                self._put(path, data)

    def _put(self, path: str, data: bytes | None) -> None:
        """Write a file, or take it away."""
        if data is None:
            (self.root / path).unlink(missing_ok=True)
        else:
            (self.root / path).write_bytes(data)

    def _bytes(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.exists() else None


@contextlib.contextmanager
def workspace(tree: Path, options: tuple[str, ...] = ("--isolated",)) -> Iterator[Workspace]:
    """A copy of a tree (of its Python and configuration files) in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="fia-lint-bench-") as scratch:
        root = Path(scratch) / "tree"
        if tree.is_file():
            root.mkdir()
            shutil.copyfile(tree, root / tree.name)
        else:
            shutil.copytree(tree, root, ignore=_other_files)
        yield Workspace(root, options)


def _other_files(folder: str, names: list[str]) -> list[str]:
    kept = (".py", ".toml", ".cfg", ".ini")
    return [name for name in names if (Path(folder) / name).is_file() and not name.endswith(kept)]
