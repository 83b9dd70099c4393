"""Printed conditions, compared: whether one holds only where another one does."""

from __future__ import annotations


def narrower(one: str, other: str) -> bool:
    """Whether a condition is known to hold only where another one does, and is not the same: every alternative of the one
    has all the tests of an alternative of the other. Conditions are conjunctions joined by ``or``."""
    if one == other:
        return False
    alternatives = [_tests(part) for part in _split(other, " or ")]
    return all(any(known <= _tests(part) for known in alternatives) for part in _split(one, " or "))


def _tests(conjunction: str) -> frozenset[str]:
    return frozenset(_split(conjunction, " and ")) - {"always"}


def _split(text: str, word: str) -> list[str]:
    """The parts between a word, what stands in brackets left whole."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if not depth and text.startswith(word, at):
            parts.append(text[start:at])
            start = at + len(word)
    return [*parts, text[start:]]
