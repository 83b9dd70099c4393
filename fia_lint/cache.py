"""What was computed once, on disk, by the content of what it comes from."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fia_lint import __version__

if TYPE_CHECKING:
    from fia_lint.extract.ir import Facts

#: The code that facts depend on, and the code that findings depend on.
EXTRACTION = ("extract/*.py", "operators/*.py", "spans.py")
EVERYTHING = ("**/*.py",)


def default_folder() -> Path:
    """The user's folder for caches, as the platform has it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or "~").expanduser() / "fia-lint" / "cache"
    if sys.platform == "darwin":
        return Path("~/Library/Caches/fia-lint").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "fia-lint"


class Cache:
    """Entries below ``folder``; none is read or written if that is None. A cache that cannot be written is none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def facts(self, path: str, data: bytes) -> Facts | None:
        """The facts of a file with this content, for this path; None if they are not there or damaged."""
        packed = self.read(_facts_key(data)) if self.folder else None
        if packed is None:
            return None
        from fia_lint.extract.codec import unpack

        try:
            facts = unpack(packed)
        except ValueError:
            return None
        facts.path = path
        return facts

    def keep_facts(self, data: bytes, facts: Facts) -> None:
        """Keep the facts of a file with this content."""
        if self.folder and not self._entry(key := _facts_key(data)).exists():
            from fia_lint.extract.codec import pack

            self.write(key, pack(facts))

    def read(self, key: str) -> bytes | None:
        """An entry, or None."""
        try:
            return self._entry(key).read_bytes() if self.folder else None
        except OSError:
            return None

    def write(self, key: str, data: bytes) -> None:
        """Keep an entry, in one step: a reader sees all of it or none."""
        if self.folder is None:
            return
        import tempfile

        entry = self._entry(key)
        try:
            entry.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=entry.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, entry)
        except OSError:
            self.folder = None

    def _entry(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / key[:2] / key[2:]


def _facts_key(data: bytes) -> str:
    return hashlib.sha256(code_digest(EXTRACTION) + data).hexdigest()


@lru_cache(maxsize=2)
def code_digest(patterns: tuple[str, ...]) -> bytes:
    """What results depend on beside their input: the Python whose grammar decides what can be parsed, and our own code."""
    digest = hashlib.sha256(f"{__version__} {sys.version_info[:2]}".encode())
    package = Path(__file__).parent
    for file in sorted(file for pattern in patterns for file in package.glob(pattern)):
        digest.update(file.read_bytes())
    return digest.digest()
