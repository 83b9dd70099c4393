"""Where reports go."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from fia_lint.errors import UsageError


def write(text: str, output: Path | None) -> None:
    """To a file, or to standard output. Raises UsageError if that cannot be written."""
    try:
        if output is not None:
            output.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
            return
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if output is None:
            abandon()
        raise UsageError(f"{output or 'standard output'}: cannot be written: {error.strerror or error}") from None


def abandon() -> None:
    """Let what is still to be written to standard output go nowhere: nobody reads it, or nothing can hold it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
