"""A sign of life on long work, on a terminal only."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds before anything is shown, and between two updates. What is done by then says nothing.
_PATIENCE, _PERIOD = 0.5, 1.0


@contextmanager
def progress(what: str, on: bool) -> Iterator[None]:
    """Show on standard error what is being done and for how long, and take it away again."""
    if not (on and sys.stderr.isatty()):
        yield
        return
    over = threading.Event()
    ticker = threading.Thread(target=_tick, args=(what, over), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        over.set()
        ticker.join()


def _tick(what: str, over: threading.Event) -> None:
    start, patience = time.monotonic(), _PATIENCE
    while not over.wait(patience):
        print(f"\r{what} … {time.monotonic() - start:.0f} s", end="", file=sys.stderr, flush=True)
        patience = _PERIOD
    if patience == _PERIOD:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
