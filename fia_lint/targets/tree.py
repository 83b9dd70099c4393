"""A tree: everything the later stages know of where source comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fia_lint.errors import SourceError

#: Bytes are kept after the first read, up to this many in all; what exceeds it is read again.
_KEPT = 256 * 1024 * 1024


class Tree:
    """A read-only mapping of relative paths, with forward slashes, to bytes."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._paths = sorted(set(paths))
        self._read = read
        self._held: dict[str, bytes] = {}
        self._size = 0

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Tree:
        """A tree that is held in memory."""
        return cls(files, files.__getitem__)

    def paths(self) -> list[str]:
        """Every path, sorted."""
        return self._paths

    def read(self, path: str) -> bytes:
        """The bytes of one file. Raises ``SourceError`` if they cannot be had."""
        data = self._held.get(path)
        if data is None:
            try:
                data = self._read(path)
            except OSError as error:
                raise SourceError(path, 1, f"cannot be read: {error.strerror or error}") from None
            if self._size + len(data) <= _KEPT:
                self._held[path] = data
                self._size += len(data)
        return data

    def replaced(self, files: Mapping[str, bytes]) -> Tree:
        """This tree with some files added, or read from memory instead."""
        return Tree([*self._paths, *files], lambda path: files[path] if path in files else self.read(path))
