"""Facts to bytes and back, for a cache: plain data only, so that reading an entry can run no code.

The items of the lowered code are numbered class by class and stored in columns: for each class how many there are, then for each
field its values, with a number in place of an item (0 for None). Nothing recurses, so that no nesting is too deep, and reading
is a few long loops in C, so that it takes a small part of what parsing takes.
"""

from __future__ import annotations

import hashlib
import marshal
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import lru_cache, partial
from itertools import accumulate, chain, repeat
from typing import Any

from fia_lint.collecting import no_collections
from fia_lint.extract.ir import Facts
from fia_lint.extract.walk import CLASSES, item_fields, walk
from fia_lint.spans import Span

_DIGEST = 16
_NUMBER = "I"


def pack(facts: Facts) -> bytes:
    """The bytes of some facts."""
    groups: defaultdict[type, list[Any]] = defaultdict(list)
    for item in walk(facts):
        groups[type(item)].append(item)
    numbers = {id(item): number for number, item in enumerate(chain(*groups.values()), 1)}
    numbers[id(None)] = 0
    stored = []
    for kind, items in groups.items():
        columns = [write([getattr(item, name) for item in items], numbers) for name, write, _ in _columns(kind)]
        stored.append((kind.__name__, len(items), columns))
    data = marshal.dumps(stored)
    return hashlib.blake2b(data, digest_size=_DIGEST).digest() + data


def unpack(data: bytes) -> Facts:
    """The facts that were packed. Raises ValueError for bytes that are not whole."""
    digest, rest = data[:_DIGEST], data[_DIGEST:]
    if hashlib.blake2b(rest, digest_size=_DIGEST).digest() != digest:
        raise ValueError("not packed facts, or damaged")
    with no_collections():
        return _build(marshal.loads(rest))


def _build(stored: list[tuple[str, int, list[Any]]]) -> Facts:
    """First all items, empty; then their fields, which may refer to any of them."""
    groups: list[tuple[type, list[Any]]]
    groups = [(CLASSES[name], list(map(object.__new__, repeat(CLASSES[name], count)))) for name, count, _ in stored]
    items = [None, *chain.from_iterable(group for _, group in groups)]
    for (kind, group), (_, _, columns) in zip(groups, stored, strict=True):
        for (name, _, read), column in zip(_columns(kind), columns, strict=True):
            deque(map(getattr(kind, name).__set__, group, read(column, items)), maxlen=0)
    return items[1]  # type: ignore[return-value]


# ----------------------------------------------------------------------------------------------- columns

Write = Callable[[Sequence[Any], dict[int, int]], Any]
Read = Callable[[Any, Sequence[Any]], Iterable[Any]]


@lru_cache(maxsize=None)
def _columns(kind: type) -> tuple[tuple[str, Write, Read], ...]:
    """The fields of a class, each with how its values are written and read."""
    found: list[tuple[str, Write, Read]] = []
    for field in fields(kind):
        shape = str(field.type)
        if shape == "Span":
            found.append((field.name, _write_spans, _read_spans))
        elif field.name not in item_fields(kind):
            found.append((field.name, lambda values, numbers: values, lambda values, items: values))
        elif shape.startswith("list[tuple["):
            found.append((field.name, _write_tuples, _read_tuples))
        elif shape.startswith("list["):
            found.append((field.name, _write_lists, _read_lists))
        else:
            found.append((field.name, _write_items, _read_items))
    return tuple(found)


def _write_spans(spans: Sequence[Any], numbers: dict[int, int]) -> Any:
    return array(_NUMBER, chain.from_iterable(spans)).tobytes()


def _read_spans(column: bytes, items: Sequence[Any]) -> Iterable[Any]:
    ends = iter(array(_NUMBER, column))
    return map(partial(tuple.__new__, Span), zip(ends, ends, ends, ends, strict=True))


def _write_items(values: Sequence[Any], numbers: dict[int, int]) -> Any:
    return array(_NUMBER, [numbers[id(value)] for value in values]).tobytes()


def _read_items(column: bytes, items: Sequence[Any]) -> Iterable[Any]:
    return map(items.__getitem__, array(_NUMBER, column))


def _write_lists(values: Sequence[Any], numbers: dict[int, int]) -> Any:
    return array(_NUMBER, map(len, values)).tobytes(), _write_items(list(chain.from_iterable(values)), numbers)


def _read_lists(column: tuple[bytes, bytes], items: Sequence[Any]) -> Iterable[Any]:
    lengths, every = array(_NUMBER, column[0]), list(_read_items(column[1], items))
    return [every[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)]


def _write_tuples(values: Sequence[Any], numbers: dict[int, int]) -> Any:
    return [[tuple(part if type(part) is str else numbers[id(part)] for part in each) for each in value] for value in values]


def _read_tuples(column: list[Any], items: Sequence[Any]) -> Iterable[Any]:
    return [[tuple(part if type(part) is str else items[part] for part in each) for each in value] for value in column]
