"""What the tool does not do yet, by fixture: expected to fail, strictly, so that a gap that closes is noticed here."""

from __future__ import annotations

KNOWN_GAPS: dict[str, str] = {}

#: Programs written to make the tool wrong in which it still knows a wrong value. They need not fail on every machine.
WRONG_VALUES: frozenset[str] = frozenset()
