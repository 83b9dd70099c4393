"""What libcst can be given: its parser recurses in native code, where an overflow of the stack ends the process, and needs time
that grows with the square of a chain's length and much memory for some."""

from __future__ import annotations

import re

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
    depth = links = branches = 0
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == "open":
            depth, links = depth + 1, links + 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "comma" or (kind == "line" and not depth):
            links = 0
        elif kind == "link":
            links += 1
        elif kind == "branch":
            branches += 1
        if depth > DEPTH or links > chain or branches > BRANCHES:
            return False
    return True
