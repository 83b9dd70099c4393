"""Spans of the nodes of libcst, as ``ast`` has them: parentheses around an expression are no part of it, save a tuple's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from fia_lint.spans import Span


class CstPositions:
    """Where the nodes of one module stand. ``module`` is the one to lower, ``lines`` are those of its source."""

    def __init__(self, source: str) -> None:
        wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
        self.module = wrapper.module
        self.lines = source.split("\n")
        self._ranges = wrapper.resolve(PositionProvider)
        self._semicolons = dict(self._last_semicolons())

    def span(self, node: cst.CSTNode) -> Span:
        """The span of a node."""
        if isinstance(node, cst.Slice):
            return self._slice(node)
        span = self._range(node)
        if isinstance(node, (cst.BaseCompoundStatement, cst.ExceptHandler, cst.ExceptStarHandler)):
            return Span(*span[:2], *self._semicolons.get(span[2:], span[2:]))
        if isinstance(node, (cst.Tuple, cst.MatchTuple, cst.GeneratorExp)):
            if node.lpar:
                return join(self._range(node.lpar[-1]), self._range(node.rpar[0]))
            if not isinstance(node, cst.GeneratorExp):
                return self._open_sequence(span, node)
        return span

    def _last_semicolons(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Where a line of statements ends without the semicolon after the last, and with it: what it is the end of has it."""
        for node in self._ranges:
            if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and node.body:
                last = node.body[-1]
                if isinstance(last.semicolon, cst.Semicolon):
                    yield self._range(last)[2:], self._range(last.semicolon)[2:]

    def _range(self, node: cst.CSTNode) -> Span:
        found = self._ranges[node]
        return Span(found.start.line, found.start.column + 1, found.end.line, found.end.column + 1)

    def _slice(self, node: cst.Slice) -> Span:
        """A slice ends with its last part, without the blanks after a colon."""
        written = [node.lower, node.first_colon, node.upper, node.second_colon, node.step]
        parts = [self.whole(part) for part in written if isinstance(part, cst.CSTNode)]
        return join(parts[0], parts[-1])

    def _open_sequence(self, span: Span, node: Any) -> Span:
        """A tuple without parentheses ends with its last item, or with the comma after that."""
        items = node.elements if isinstance(node, cst.Tuple) else node.patterns
        return self.with_comma(span, items[-1]) if items else span

    def with_comma(self, span: Span, item: Any) -> Span:
        """A span that ends where an item does, or the comma after that."""
        if isinstance(item.comma, cst.Comma):
            return join(span, self._range(item.comma))
        return join(span, self.span(item.slice if isinstance(item, cst.SubscriptElement) else item))

    def whole(self, node: Any) -> Span:
        """The span of an expression with all parentheses around it."""
        if getattr(node, "lpar", ()):
            return join(self._range(node.lpar[0]), self._range(node.rpar[-1]))
        return self.span(node)

    def bare_generator(self, call: cst.Call) -> Span:
        """The span of a generator expression that is a call's only argument: the call's parentheses are its own."""
        start = self._find("(", *self.whole(call.func)[2:])
        return join(start, self._range(call))

    def star(self, node: cst.MatchStar) -> Span:
        """The span of ``*name`` in a pattern, without the comma after it. libcst has no node for the name ``_``."""
        span = self._range(node)
        return join(span, self._range(node.name) if node.name else self._find("_", *span[:2]))

    def _find(self, char: str, line: int, column: int) -> Span:
        """Where a character stands next, from a place on."""
        while (at := self.lines[line - 1].find(char, column - 1)) < 0:
            line, column = line + 1, 1
        return Span(line, at + 1, line, at + 2)


def join(first: Span, last: Span) -> Span:
    """From where one begins to where the other ends."""
    return Span(*first[:2], *last[2:])
