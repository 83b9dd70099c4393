"""GitHub's fingerprint of a line: a rolling hash of what follows its start, blanks left out.

It is what the upload action computes where a report has none, so that alerts are matched the same in either way.
"""

from __future__ import annotations

from collections import Counter
from struct import iter_unpack

_WINDOW, _FACTOR, _SIZE = 100, 37, 1 << 64
_FIRST = pow(_FACTOR, _WINDOW, _SIZE)
_END, _LINE_FEED = 65535, 10


def line_hashes(text: str) -> list[str]:
    """``hash:n`` for every line of a file; n tells equal ones apart."""
    symbols, starts = _symbols(text)
    window, value = [0] * _WINDOW, 0
    due: dict[int, list[int]] = {}
    for line, start in enumerate(starts):
        due.setdefault(start + _WINDOW - 1, []).append(line)
    hashes = [0] * len(starts)
    for position, symbol in enumerate([*symbols, *([0] * _WINDOW)]):
        slot = position % _WINDOW
        value = (value * _FACTOR + symbol - _FIRST * window[slot]) % _SIZE
        window[slot] = symbol
        for line in due.get(position, ()):
            hashes[line] = value
    seen: Counter[int] = Counter()
    named = []
    for number in hashes:
        seen[number] += 1
        named.append(f"{number:x}:{seen[number]}")
    return named


def _symbols(text: str) -> tuple[list[int], list[int]]:
    """The UTF-16 units that count, an end mark included, and where among them each line begins."""
    symbols: list[int] = []
    starts = [0]
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    for (unit,) in iter_unpack("<H", plain.encode("utf-16-le", "surrogatepass")):
        symbols.append(unit)
        if unit == _LINE_FEED:
            starts.append(len(symbols))
    return [*symbols, _END], starts
