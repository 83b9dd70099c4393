"""Suppression comments, as flake8 reads them: by their text, wherever it stands, in lines joined over strings and backslashes."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

from fia_lint.extract.ir import Noqa
from fia_lint.spans import Span

_INLINE = re.compile(r"# noqa(?::\s?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_WHOLE_FILE = re.compile(r"\s*(?P<comment># flake8[:=]\s*noqa)", re.IGNORECASE)


def suppressions(source: str) -> list[Noqa]:
    """The suppression comments of a file in source order: those for the whole file, and the first of each joined line."""
    if "noqa" not in source.lower():
        return []
    lines = source.split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        if match := _WHOLE_FILE.match(line):
            span = Span(number, match.start("comment") + 1, number, match.end() + 1)
            found.append(Noqa(number, number, number, span, (), True, True))
    comments: dict[int, int] = {}
    for first, last in _joined(source, len(lines), comments):
        text = "\n".join(lines[first - 1 : last])
        if match := _INLINE.search(text):
            found.append(_inline(match, text, first, last, comments))
    return sorted(found, key=lambda noqa: noqa.span)


def _inline(match: re.Match[str], text: str, first: int, last: int, comments: dict[int, int]) -> Noqa:
    """A comment that was found in the text of joined lines, the first and last of which have those numbers."""
    line = first + text.count("\n", 0, match.start())
    column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
    written = match[0].rstrip(", \t\n")
    codes = tuple(code for code in re.split(r"[,\s]+", match["codes"] or "") if code)
    span = Span(line, column, line + written.count("\n"), column + len(written.rpartition("\n")[2]))
    return Noqa(line, first, last, span, codes, False, comments.get(line, column + 1) <= column)


def _joined(source: str, count: int, comments: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The first and last line of every run of lines that flake8 searches as one; all lines from where tokens end in an error.

    ``comments`` is filled with the column, from 1, of the comment on each line passed so far.
    """
    first = last = done = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            if token.type == tokenize.COMMENT:
                comments[token.start[0]] = token.start[1] + 1
            first, last = first or token.start[0], max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                yield first, last
                done, first, last = last, 0, 0
    except (tokenize.TokenError, SyntaxError):
        pass
    yield from ((line, line) for line in range(done + 1, count + 1))
