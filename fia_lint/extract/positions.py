"""Spans of the nodes of ``ast``, which counts columns in UTF-8 bytes from 0."""

from __future__ import annotations

import ast
import re

from fia_lint.spans import Span

#: What stands before the name in a definition: keywords, blanks and continued lines.
_BEFORE_NAME = re.compile(r"(?:async(?:\s|\\\n)+)?(?:def|class)(?:\s|\\\n)+")
_NAME = re.compile(r"[^\s(:\[\\#]+")


class Positions:
    """Where the nodes of one file stand. ``source`` has ``\\n`` line ends."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self._wide: dict[int, bytes] = {}
        if not source.isascii():
            self._wide = {n: line.encode() for n, line in enumerate(self.lines, 1) if not line.isascii()}

    def span(self, node: ast.AST) -> Span:
        """The span of a node that has a position."""
        line, end = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        start, stop = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if self._wide:
            return Span(line, self._column(line, start), end, self._column(end, stop))
        return Span(line, start + 1, end, stop + 1)

    def _column(self, line: int, offset: int) -> int:
        wide = self._wide.get(line)
        return offset + 1 if wide is None else len(wide[:offset].decode(errors="replace")) + 1

    def name(self, definition: Span) -> Span:
        """The span of the name that a definition gives, from the span of the whole definition."""
        line, column = definition[:2]
        # The name is in the first line, unless a backslash continues it: then in one of the next few.
        text = "\n".join(self.lines[line - 1 : line + 7])
        before = _BEFORE_NAME.match(text, column - 1)
        name = _NAME.match(text, before.end() if before else column - 1)
        if name is None:
            return definition
        skipped = text.count("\n", 0, name.start())
        first = name.start() - (text.rfind("\n", 0, name.start()) + 1) + 1
        return Span(line + skipped, first, line + skipped, first + len(name[0]))
