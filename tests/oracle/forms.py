"""The table of forms: every way of computing or passing a value that the programs mix.

A form has a name, the kinds of value it can give, and a function that writes it. Names with a dot, the first part being
the family. Forms that are counted but not chosen from here (how a function is called, say) stand in the table as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracle.writer import Block

#: What a value can be: any integer; an integer without symbols in it; a boolean; a tensor or None; an integer or None.
KINDS = ("int", "num", "bool", "mask", "opt")
ANY = KINDS
NUMBERS = ("int", "num")

#: How often a form is chosen: those whose value nobody can tell are to be the exception.
USUAL, OFTEN, MOST, DOUBTFUL = 4, 8, 12, 1

Maker = Callable[["Block", str, int], str]


@dataclass(frozen=True)
class Form:
    """``make(block, kind, depth)`` writes statements into the block, if it needs any, and returns an expression."""

    name: str
    kinds: tuple[str, ...]
    make: Maker
    weight: int


FORMS: dict[str, Form] = {}
OTHERS: list[str] = []


def form(name: str, kinds: tuple[str, ...], weight: int = USUAL) -> Callable[[Maker], Maker]:
    """Enter a value form into the table."""

    def enter(make: Maker) -> Maker:
        assert name not in FORMS, name
        FORMS[name] = Form(name, kinds, make, weight)
        return make

    return enter


def counted(*names: str) -> None:
    """Enter forms that are written elsewhere and counted there."""
    OTHERS.extend(names)


def table() -> list[str]:
    """The names of all forms."""
    return sorted([*FORMS, *OTHERS])
