"""The tree as the linker sees it: modules on demand, and how imports lead from one to another."""

from __future__ import annotations

from posixpath import commonprefix, dirname
from typing import Protocol

from fia_lint.evaluate.definitions import Module
from fia_lint.extract import ir


class FactsSource(Protocol):
    """Where facts come from: asked for by path or by a word that the file's bytes contain."""

    @property
    def paths(self) -> list[str]: ...

    def mentioning(self, word: str) -> list[str]: ...

    def patching(self, word: str) -> list[str]: ...

    def facts(self, path: str) -> ir.Facts | None: ...


class Project:
    """Modules on demand, and the resolution of imports, classes and names between them."""

    def __init__(self, source: FactsSource) -> None:
        self.source = source
        self._paths = list(source.paths)
        self._path_set = set(self._paths)
        self._modules: dict[str, Module | None] = {}
        self._by_tail: dict[str, list[str]] = {}
        for path in self._paths:
            self._by_tail.setdefault(path.rpartition("/")[2], []).append(path)

    @property
    def modules(self) -> list[Module]:
        """The modules that have been loaded, by path."""
        return [m for _, m in sorted(self._modules.items()) if m is not None]

    def module(self, path: str) -> Module | None:
        """A module by path, or None if it is not in the tree or cannot be read."""
        if path not in self._modules:
            facts = self.source.facts(path) if path in self._path_set else None
            self._modules[path] = Module(path, facts, *self.group_of(path)) if facts else None
        return self._modules[path]

    def group_of(self, path: str) -> tuple[str, bool]:
        """The group of a file, and whether it lies in a test tree."""
        parts = path.split("/")
        for index, part in enumerate(parts):
            last = index == len(parts) - 1
            if (not last and part in ("tests", "test")) or (
                last and (part == "conftest.py" or (part.startswith("test_") and part.endswith(".py")))
            ):
                return "/".join(parts[:index]) + "/tests" if index else "tests", True
        for depth in range(len(parts)):
            folder = "/".join(parts[:depth])
            if (f"{folder}/__init__.py" if folder else "__init__.py") in self._path_set:
                return folder or ".", False
        return dirname(path) or ".", False

    def find_module(self, name: str, level: int, importer: Module) -> str | None:
        """The path of an imported module (``a.b`` with ``level`` leading dots), or None if the tree does not hold it."""
        tail = name.replace(".", "/") if name else ""
        if level:
            folder = importer.package
            for _ in range(level - 1):
                folder = dirname(folder)
            base = "/".join(part for part in (folder, tail) if part)
            return self._file(base)
        found = self._file(tail) or self._file("/".join(p for p in (importer.package, tail) if p))
        if found:
            return found
        candidates = []
        for ending in (f"{tail}.py", f"{tail}/__init__.py"):
            for path in self._by_tail.get(ending.rpartition("/")[2], []):
                if path.endswith("/" + ending):
                    candidates.append(path)
        if not candidates and "/" in tail:
            candidates = self._inside_package(tail, importer)
        return min(candidates, key=lambda p: (-len(commonprefix([p, importer.path])), len(p), p), default=None)

    def _inside_package(self, tail: str, importer: Module) -> list[str]:
        """Absolute imports of the package whose inside is the tree: ``pkg.a.b`` is ``a/b.py`` if the tree is ``pkg``."""
        if "__init__.py" not in self._path_set:
            return []
        found = self._file(tail.partition("/")[2])
        return [found] if found else []

    def _file(self, base: str) -> str | None:
        for path in (f"{base}.py" if base else "", f"{base}/__init__.py" if base else "__init__.py"):
            if path in self._path_set:
                return path
        return None
