"""Which values a hit says are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.rule import Hit
from fia_lint.judge.rules import RULES

#: Any value: what is read from the wrong slot, or sized for another call, is wrong whatever it is.
ANY = "any"

#: The rules that say where a value comes from, not what it is.
_WHATEVER = frozenset({"FIA104", "FIA105"})


def mistakes(hit: Hit) -> Iterator[tuple[str, str]]:
    """``(argument, value)`` of what is wrong and can be repaired, values in their normal form."""
    if not RULES[hit.code].fix:
        return
    if hit.code == "FIA202":
        # The window is right, the mode makes nothing of it.
        yield from (("sparse_mode", mode) for mode in str(hit.facts["mode"]).split(" or "))
        return
    if hit.argument is not None:
        yield hit.argument, ANY if hit.code in _WHATEVER else hit.value
    arguments: object = hit.facts.get("arguments")
    if isinstance(arguments, tuple):
        yield from ((argument, "unbounded") for argument in arguments)
