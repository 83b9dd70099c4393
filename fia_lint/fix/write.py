"""Putting changed files back where they were read."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from fia_lint.errors import UsageError


def write(root: Path, path: str, before: bytes, after: bytes) -> None:
    """Replace a file of a tree in one step, its permissions kept. Raises ``UsageError``: nothing is written then.

    A link out of the tree is not followed, and a file that changed since it was analysed is left alone.
    """
    file = root / path
    real = Path(os.path.realpath(file))
    if Path(os.path.realpath(root)) not in real.parents:
        raise UsageError(f"{file}: not fixed: it is a link out of {root}")
    try:
        if real.read_bytes() != before:
            raise UsageError(f"{file}: not fixed: it changed while it was analysed")
        if not os.access(real, os.W_OK):
            raise UsageError(f"{file}: not fixed: it may not be written")
        _replace(real, after)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror or error}") from None


def _replace(file: Path, data: bytes) -> None:
    """All of the new content or all of the old one, whatever happens meanwhile."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(data)
        os.chmod(name, stat.S_IMODE(file.stat().st_mode))
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
