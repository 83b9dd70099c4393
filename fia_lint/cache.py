"""Facts on disk, by the content of the file they come from: what was parsed once need not be parsed again."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fia_lint import __version__

if TYPE_CHECKING:
    from fia_lint.extract.ir import Facts


def default_folder() -> Path:
    """The user's folder for caches, as the platform has it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "fia-lint" / "cache"
    if sys.platform == "darwin":
        return Path("~/Library/Caches/fia-lint").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "fia-lint"


class Cache:
    """Entries below ``folder``; none is read or written if that is None. A cache that cannot be written is none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, path: str, data: bytes) -> Facts | None:
        """The facts of a file with this content, for this path; None if they are not there or damaged."""
        if self.folder is None:
            return None
        from fia_lint.extract.codec import unpack

        try:
            facts = unpack(self._entry(data).read_bytes())
        except (OSError, ValueError):
            return None
        facts.path = path
        return facts

    def put(self, data: bytes, facts: Facts) -> None:
        """Keep the facts of a file with this content, in one step: a reader sees all of an entry or none."""
        if self.folder is None or (entry := self._entry(data)).exists():
            return
        from fia_lint.extract.codec import pack

        try:
            entry.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=entry.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(pack(facts))
            os.replace(name, entry)
        except OSError:
            self.folder = None

    def _entry(self, data: bytes) -> Path:
        assert self.folder is not None
        digest = hashlib.sha256(data).hexdigest()
        return self.folder / _generation() / digest[:2] / digest[2:]


@lru_cache(maxsize=1)
def _generation() -> str:
    """What else facts depend on: the Python whose grammar decides what can be parsed, and the code that extracts them."""
    digest = hashlib.sha256(f"{__version__} {sys.version_info[:2]}".encode())
    package = Path(__file__).parent
    for file in sorted([*package.glob("extract/*.py"), *package.glob("operators/*.py"), package / "spans.py"]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
