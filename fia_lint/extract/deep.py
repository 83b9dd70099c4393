"""Room for deep recursion: source may nest deeper than the ordinary stack."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Sizes of the stack to try, in MiB: memory is only taken as it is used, but some systems limit what may be asked for.
_STACKS = (512, 128, 32)

#: Frames per MiB of stack: what the hungriest supported Python needs, with as much again to spare.
_FRAMES = 400


def deep(function: Callable[[], T]) -> T:
    """Run a function with a large stack, hand back what it returns or raise what it raises.

    Raises RecursionError where even that does not suffice. The recursion limit is one for all threads, so nothing
    else should recurse without end meanwhile.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(function())
        except BaseException as error:
            failure.append(error)

    limit = sys.getrecursionlimit()
    try:
        _in_thread(run, limit)
    finally:
        sys.setrecursionlimit(limit)
    if failure:
        raise failure.pop()
    return outcome.pop()


def _in_thread(run: Callable[[], None], limit: int) -> None:
    """Run in a thread with the largest stack that can be had; without one, right here."""
    before = threading.stack_size()
    for size in _STACKS:
        thread = threading.Thread(target=run, name="fia-lint-deep", daemon=True)
        try:
            threading.stack_size(size << 20)
            sys.setrecursionlimit(max(limit, size * _FRAMES))
            thread.start()
        except (RuntimeError, ValueError, MemoryError):
            continue
        finally:
            threading.stack_size(before)
        thread.join()
        return
    sys.setrecursionlimit(limit)
    run()
