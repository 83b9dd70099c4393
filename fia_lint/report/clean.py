"""Text that comes from analysed code, made safe to print."""

from __future__ import annotations

import unicodedata

#: Control, format (bidirectional overrides …), surrogate and unassigned characters, line and paragraph separators.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean(text: str, keep: str = "") -> str:
    """``text`` with every character that a terminal may act on written as an escape, except those in ``keep``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or unicodedata.category(c) not in _UNSAFE else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def width(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """``text`` with blanks up to a width."""
    return text + " " * (columns - width(text))


def shorten(text: str, columns: int) -> str:
    """``text`` cut to a width, with an ellipsis in place of what is missing."""
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept) + _columns(character) > columns - 1:
            break
        kept += character
    return kept + "…"


def ending(text: str, columns: int) -> str:
    """The end of a text, cut to a width, with an ellipsis in place of what is missing."""
    if width(text) <= columns:
        return text
    return shorten(text[::-1], columns)[::-1]
