"""The keys of a configuration: what is expected of each, and how a value is read.

A reader takes a value as TOML gives it, or the ``Text`` of an INI file, and returns what the settings hold. It raises
``ValueError`` with what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fia_lint.config.find import Text
from fia_lint.operators import CATALOGUE
from fia_lint.selection import check_code

_CONTRACT = re.compile(r"-?\s*(?:\d+|sliding_window)(?:\s*[+-]\s*(?:\d+|sliding_window))*")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Key:
    """A key: the field of the settings that it sets, and its reader."""

    field: str
    read: Callable[[Any], Any]


def _list(value: Any) -> list[str]:
    if isinstance(value, str):
        return [part for part in re.split(r"[,\s]+", value) if part]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise ValueError(f"expected a list of strings, not {value!r}")


def codes(value: Any) -> tuple[str, ...]:
    """Codes of rules, or prefixes of them."""
    return tuple(check_code(item) for item in _list(value))


def some_codes(value: Any) -> tuple[str, ...]:
    """Codes, at least one: an empty list would switch everything off, and is most often a shell variable that is not set."""
    found = codes(value)
    if not found:
        raise ValueError(f"expected codes such as FIA102, or a prefix such as FIA1, not {value!r}")
    return found


def patterns(value: Any) -> tuple[str, ...]:
    """Patterns in gitignore syntax; in an INI file one a line, or separated by commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in re.split(r"[,\n]", value) if part.strip())
    return tuple(_list(value))


def _per_file(value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A table of patterns and codes; in an INI file lines of ``PATTERN: CODES``."""
    if isinstance(value, Text):
        lines = [line.rpartition(":") for line in value.splitlines() if line.strip()]
        if not all(pattern.strip() for pattern, _, _ in lines):
            raise ValueError("expected lines of the form PATTERN: CODE, CODE")
        value = {pattern.strip(): names for pattern, _, names in lines}
    if not isinstance(value, dict):
        raise ValueError(f"expected a table of patterns and lists of codes, not {value!r}")
    return tuple((pattern, codes(names)) for pattern, names in value.items())


def _names(value: Any) -> tuple[str, ...]:
    for item in _list(value):
        if not _IDENTIFIER.fullmatch(item):
            raise ValueError(f"expected names such as sliding_window, not {item!r}")
    return tuple(_list(value))


def _operators(value: Any) -> tuple[str, ...]:
    known = [row.name for row in CATALOGUE]
    for item in _list(value):
        if item not in known:
            raise ValueError(f"expected some of {_or(known)}, not {item!r}")
    return tuple(_list(value))


def _group(value: Any) -> str:
    choices = ("package", "module", "class")
    if value not in choices:
        raise ValueError(f"expected {_or(choices)}, not {value!r}")
    return str(value)


def _boolean(value: Any) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if isinstance(value, Text) and value.lower() in words:
        return words[value.lower()]
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def _count(value: Any) -> int:
    number = int(value) if isinstance(value, Text) and value.isdecimal() else value
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError(f"expected a positive integer, not {value!r}")
    return number


def _contract(value: Any) -> tuple[str, str]:
    """The reference pair: a table, or in an INI file ``pre_tokens = …, next_tokens = …``."""
    if isinstance(value, Text):
        parts = [part.partition("=") for part in re.split(r"[,\n]", value) if part.strip()]
        value = {name.strip(): text.strip() for name, _, text in parts}
    if not isinstance(value, dict) or set(value) != {"pre_tokens", "next_tokens"}:
        raise ValueError('expected { pre_tokens = "…", next_tokens = "…" }, both of them')
    for name, item in value.items():
        if isinstance(item, bool) or not _CONTRACT.fullmatch(str(item).strip()):
            raise ValueError(f"expected integers, sliding_window, + and - in {name}, not {item!r}")
    return str(value["pre_tokens"]).strip(), str(value["next_tokens"]).strip()


def _or(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"


KEYS: dict[str, Key] = {
    "select": Key("select", some_codes),
    "extend-select": Key("extend_select", codes),
    "ignore": Key("ignore", codes),
    "per-file-ignores": Key("per_file_ignores", _per_file),
    "exclude": Key("exclude", patterns),
    "window-names": Key("window_names", _names),
    "group-by": Key("group_by", _group),
    "include-tests": Key("include_tests", _boolean),
    "operators": Key("operators", _operators),
    "contract": Key("contract", _contract),
    "max-depth": Key("max_depth", _count),
    "max-terms": Key("max_terms", _count),
    "max-nodes": Key("max_nodes", _count),
}
