"""What libcst can be given: its parser recurses in native code, where an overflow of the stack ends the process, and needs time
that grows with the square of a chain's length and much memory for some."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: How deep brackets may nest (as Python's own tokenizer has it), and how many branches an if statement may have.
DEPTH, BRANCHES = 200, 10_000

_TOKEN = re.compile(
    r'''(?P<text>\#[^\n]*|("""|\'\'\')(?:\\.|[^\\])*?\2|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')'''
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<line>\n)|(?P<branch>\belif\b)"
    r"|(?P<link>\b(?:not|else|lambda|await|and|or|in|is)\b|\*\*|//|<<|>>|[-+*/%@&|^~<>.])",
    re.DOTALL,
)


def fits(source: str, chain: int) -> bool:
    """Whether a source nests no deeper than libcst bears, and has no chain of more than so many operators, calls, or the like."""
    return all(depth <= DEPTH and links <= chain and branches <= BRANCHES for depth, links, branches, _ in _levels(source))


def deepest(source: str) -> int:
    """The line, from 1, on which a source nests deepest or a chain is longest: where a parser is likely to give up."""
    place = max(_levels(source), key=lambda level: level[0] + level[1], default=(0, 0, 0, 0))[3]
    return source.count("\n", 0, place) + 1


def _levels(source: str) -> Iterator[tuple[int, int, int, int]]:
    """At each token that adds to one: how deep brackets nest, how long the chain is, how many branches there were, where."""
    depth = links = branches = 0
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == "close":
            depth = max(0, depth - 1)
        elif kind == "comma" or (kind == "line" and not depth):
            links = 0
        elif kind == "open":
            depth, links = depth + 1, links + 1
            yield depth, links, branches, token.start()
        elif kind in ("link", "branch"):
            links, branches = links + (kind == "link"), branches + (kind == "branch")
            yield depth, links, branches, token.start()
