"""Facts on demand: which files hold a word is asked of the bytes, and only files that are asked for are extracted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fia_lint.cache import Cache
from fia_lint.errors import SourceError
from fia_lint.targets.tree import Tree

if TYPE_CHECKING:
    from fia_lint.extract.ir import Facts

#: Below this many bytes of source, starting processes costs more than it saves.
_WORTH_PROCESSES = 200_000


class FactsSource:
    """The facts of a tree's files. ``errors`` holds what went wrong with files that were asked for, by path."""

    def __init__(self, tree: Tree, cache: Cache | None = None, jobs: int = 1) -> None:
        self.tree = tree
        self.errors: dict[str, SourceError] = {}
        self._cache = cache or Cache(None)
        self._jobs = jobs
        self._facts: dict[str, Facts | None] = {}
        self._mentioning: dict[str, list[str]] = {}
        self._words: dict[str, frozenset[bytes]] = {}
        self._patched: dict[str, frozenset[bytes]] = {}

    def with_files(self, files: Mapping[str, bytes]) -> FactsSource:
        """The facts of the tree with some files replaced: only those are extracted anew."""
        other = FactsSource(self.tree.replaced(files), self._cache, self._jobs)
        other._facts = {path: facts for path, facts in self._facts.items() if path not in files}
        other.errors = {path: error for path, error in self.errors.items() if path not in files}
        return other

    @property
    def paths(self) -> list[str]:
        return self.tree.paths()

    @property
    def extracted(self) -> list[str]:
        """The paths of the files whose facts have been asked for and could be had."""
        return sorted(path for path, facts in self._facts.items() if facts is not None)

    def mentioning(self, word: str) -> list[str]:
        """The paths of the files whose bytes hold an identifier."""
        if word not in self._mentioning:
            raw = word.encode("utf-8", "surrogatepass")
            self._mentioning[word] = [p for p in self.paths if self._holds(raw, p)]
        return self._mentioning[word]

    def _holds(self, raw: bytes, path: str) -> bool:
        """Whether something stands in a file as a word of its own. The words of a file are only gathered if it may."""
        words = self._words.get(path)
        if words is None or not raw.isascii():
            data = self.data(path)
            if raw not in data:
                return False
            if not raw.isascii():
                return re.search(rb"(?<!\w)" + re.escape(raw) + rb"(?!\w)", data) is not None
            words = self._words[path] = frozenset(re.findall(rb"\w+", data))
        return raw in words

    def patching(self, word: str) -> list[str]:
        """The paths of the files that seem to change something that they import by an identifier: of a module, say."""
        return [path for path in self.mentioning(word) if word.encode("utf-8", "surrogatepass") in self._patched_words(path)]

    def _patched_words(self, path: str) -> frozenset[bytes]:
        from fia_lint.extract.patching import patched_words

        found = self._patched.get(path)
        if found is None:
            found = self._patched[path] = patched_words(self.data(path))
        return found

    def data(self, path: str) -> bytes:
        """The bytes of a file; none if it cannot be read, which is an error of that file."""
        try:
            return self.tree.read(path)
        except SourceError as error:
            self.errors.setdefault(path, error)
            return b""

    def facts(self, path: str) -> Facts | None:
        """The facts of a file, or None if it cannot be read or parsed."""
        if path not in self._facts:
            self._store(path, self._cache.facts(path, self.data(path)) or _extract(path, self.data(path)))
        return self._facts[path]

    def prefetch(self, paths: Sequence[str]) -> None:
        """Extract files that will be needed, several at a time where that is worth it."""
        missing = []
        for path in paths:
            if path not in self._facts:
                known = self._cache.facts(path, self.data(path))
                if known is None:
                    missing.append(path)
                else:
                    self._store(path, known)
        if self._jobs < 2 or len(missing) < 2 or sum(len(self.data(p)) for p in missing) < _WORTH_PROCESSES:
            return
        from concurrent.futures import ProcessPoolExecutor

        missing.sort(key=lambda path: -len(self.data(path)))
        with ProcessPoolExecutor(min(self._jobs, len(missing))) as pool:
            results = pool.map(_extract, missing, [self.data(path) for path in missing])
            for path, result in zip(missing, results, strict=True):
                self._store(path, result)

    def _store(self, path: str, result: Facts | SourceError) -> None:
        if isinstance(result, SourceError):
            self.errors.setdefault(path, result)
            self._facts[path] = None
        else:
            self._facts[path] = result
            self._cache.keep_facts(self.data(path), result)


def _extract(path: str, data: bytes) -> Facts | SourceError:
    """Facts, or the error of the file: one that cannot be parsed must not stop the others."""
    from fia_lint.extract import extract

    try:
        return extract(path, data)
    except SourceError as error:
        return error
    except Exception as error:  # our own fault: loud, with the file's name, and the other files go on
        return SourceError(path, 1, f"internal error while it was read, please report it: {error!r}")
