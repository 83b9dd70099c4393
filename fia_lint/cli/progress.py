"""A sign of life on long work, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, on: bool) -> Iterator[None]:
    """Show on standard error what is being done, and take it away again."""
    shown = on and sys.stderr.isatty()
    if shown:
        print(f"{what} …", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
