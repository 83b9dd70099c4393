"""Which rules are on: codes, prefixes of codes, and the defaults."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fia_lint.settings import Settings

_PREFIX = re.compile(r"FIA\d{0,3}")


def check_code(code: str) -> str:
    """``code`` if it is a rule's or a prefix of one. Raises ``ValueError`` with what was expected."""
    from fia_lint.judge.rules import RULES

    if _PREFIX.fullmatch(code) and any(known.startswith(code) for known in RULES):
        return code
    raise ValueError(f"unknown code {code!r}; expected {', '.join(RULES)}, or a prefix such as FIA1")


def selected(code: str, settings: Settings) -> bool:
    """Whether a rule is on: the longest code or prefix that names it decides, ``ignore`` before ``select`` where they tie."""
    return deciding(code, settings)[0]


def deciding(code: str, settings: Settings) -> tuple[bool, str]:
    """Whether a rule is on, and the words for what decides it."""
    chosen = max(_length(code, settings.select or ()), _length(code, settings.extend_select))
    ignored = _length(code, settings.ignore)
    if ignored >= max(chosen, 0):
        return False, "ignore"
    if chosen >= 0:
        return True, "select" if _length(code, settings.select or ()) >= 0 else "extend-select"
    if settings.select is not None:
        return False, "not in select"
    from fia_lint.judge.rules import RULES

    return RULES[code].default, "default"


def _length(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest prefix that fits; -1 if none does."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)
