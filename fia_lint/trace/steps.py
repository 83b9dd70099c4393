"""What a trace is made of: steps, and the parts of a value that are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fia_lint.evaluate.sites import Place

#: How far a trace goes: expressions that are looked at per argument, definitions and calls on top of each other,
#: callers, callees and stores per place. What lies beyond is left out, and a step says so.
MAX_VISITS, MAX_DEPTH, MAX_BRANCHES = 1500, 80, 16

#: How many definitions of a name there may be at a place before calls that it is handed to are no longer added.
MAX_HANDED = 200

#: How many characters of source a step repeats.
MAX_TEXT = 240


@dataclass(frozen=True)
class Step:
    """Something that a value passes through. ``kind`` chooses the sentence (fia_lint/report/origins.py); ``name``,
    ``text`` and ``index`` are what it says: names, source text, the slot or key. No sentences."""

    kind: str
    place: Place
    name: str = ""
    text: str = ""
    index: str = ""


class Slot(NamedTuple):
    """An item of a sequence by its index; ``count`` is how many items are unpacked, 0 where any number will do."""

    index: int
    count: int = 0


class Key(NamedTuple):
    """The value under a key of a dict."""

    key: object


class Field(NamedTuple):
    """An attribute of an object."""

    name: str


class Some(NamedTuple):
    """An item, nobody knows which."""


Part = Slot | Key | Field | Some
#: What of a value is wanted: the parts to take of it, one after the other; all of it if there are none.
Want = tuple[Part, ...]
WHOLE: Want = ()


def may_be(wanted: Part, stored: Part) -> bool:
    """Whether what is stored as one part may be what is read as another."""
    if isinstance(wanted, Some) or isinstance(stored, Some):
        return not (isinstance(wanted, Field) or isinstance(stored, Field))
    if isinstance(wanted, Field) or isinstance(stored, Field):
        return wanted == stored
    if isinstance(wanted, Slot) and isinstance(stored, Slot):
        return wanted.index == stored.index or (wanted.index < 0) != (stored.index < 0)
    return _index(wanted) == _index(stored)


def _index(part: Slot | Key) -> object:
    return part.index if isinstance(part, Slot) else part.key


def part_of(key: object) -> Part:
    """The part that a constant subscript reads."""
    return Slot(key) if isinstance(key, int) and not isinstance(key, bool) else Key(key)
