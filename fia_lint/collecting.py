"""When Python looks for unreachable cycles: a run makes millions of small objects that stay, and hardly any cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: How many objects more than before bring on a search (some 400 MiB of them); Python's own setting is 700. A search costs as much
#: time as making the objects, whenever it is made: only the one that never comes is saved.
_MANY = 4_000_000


@contextmanager
def no_collections() -> Iterator[None]:
    """No search at all: for work in which nothing can be freed before it is done."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def collect_rarely() -> None:
    """From now on a search only once in a long while; none at all stays none."""
    often, *older = gc.get_threshold()
    gc.set_threshold(max(_MANY, often) if often else 0, *older)


@contextmanager
def rare_collections() -> Iterator[None]:
    """A search only once in a long while. Can be nested."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)
