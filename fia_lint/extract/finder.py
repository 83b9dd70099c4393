"""Finding the calls that are written as calls of an entry point, with a visitor of libcst.

libcst says what each call is; where it stands is known from the lowered code. The two are brought together by the order of the
calls in the source, at a small part of what libcst's own positions cost. libcst gets only the expressions that name an entry
point, one at a time: a file may hold thousands of calls, and the tree of a whole module takes much memory.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from fia_lint.extract import ir
from fia_lint.extract.limits import fits
from fia_lint.extract.spelling import ENTRY_POINTS, Entry, attribute_names, find_aliases, recognise
from fia_lint.extract.walk import own_expressions, own_statements, parts
from fia_lint.spans import Span

#: How many characters of one file libcst gets (enough for 250 long calls), and how many operators or calls in a row:
#: what takes it a second. No more than that is left to the lowered code, of which the same question is asked.
BUDGET, CHAIN = 100_000, 100


def find(source: str, body: Sequence[ir.Stmt]) -> list[ir.FoundCall]:
    """The calls of entry points in a file, in source order."""
    if not any(name in source for name in ENTRY_POINTS):
        return []
    search = _Search(source, body)
    found = [call for function, expr in search.expressions(body) for call in search.calls(expr, function)]
    return sorted(found, key=lambda call: _in_order(call.span))


class _Search:
    """The search of one file."""

    def __init__(self, source: str, body: Sequence[ir.Stmt]) -> None:
        self._lines = source.split("\n")
        self._aliases = find_aliases(body)
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, [*ENTRY_POINTS, *self._aliases]))})\b")
        self._mentioning = [number for number, line in enumerate(self._lines, 1) if words.search(line)]
        #: What was found in a text: many calls are written alike.
        self._known: dict[str, list[Entry | None]] = {}
        self._budget = BUDGET

    def expressions(self, body: Sequence[ir.Stmt]) -> Iterator[tuple[str, ir.Expr]]:
        """The outermost expressions that name what is searched for, with the dotted name of the definition around them."""
        pending = [("", stmt) for stmt in body]
        while pending:
            function, stmt = pending.pop()
            decorators = stmt.decorators if isinstance(stmt, (ir.FunctionDef, ir.ClassDef)) else ()
            for expr in own_expressions(stmt):
                if self._names_one(expr.span) and not any(expr is decorator for decorator in decorators):
                    yield function, expr
            if isinstance(stmt, (ir.FunctionDef, ir.ClassDef)):
                function = f"{function}.{stmt.name}" if function else stmt.name
            pending.extend((function, inner) for inner in own_statements(stmt) if self._names_one(inner.span))

    def _names_one(self, span: Span) -> bool:
        """Whether a line of a span names an entry point or an alias of one."""
        at = bisect_left(self._mentioning, span.line)
        return at < len(self._mentioning) and self._mentioning[at] <= span.end_line

    def calls(self, expr: ir.Expr, function: str) -> Iterator[ir.FoundCall]:
        """The calls of entry points in an expression."""
        calls = _calls(expr)
        if calls:
            for call, entry in zip(calls, self._entries(expr, calls), strict=True):
                if entry is not None:
                    yield ir.FoundCall(call.span, entry.operator, entry.overload, function)

    def _entries(self, expr: ir.Expr, calls: list[ir.Call]) -> list[Entry | None]:
        """What each call of an expression is."""
        text = self._text(expr.span)
        if text not in self._known:
            names = [attribute_names(call.func) for call in calls]
            seen = self._callees(text)
            agreed = seen if seen is not None and [n[-1] for n in seen] == [n[-1] for n in names] else names
            self._known[text] = [recognise(each, self._aliases) for each in agreed]
        return self._known[text]

    def _callees(self, text: str) -> list[list[str]] | None:
        """The callees that libcst sees in an expression; None if it cannot, or has had enough: then the lowered ones do."""
        self._budget -= len(text)
        if self._budget < 0 or not fits(text, CHAIN):
            return None
        from fia_lint.extract.visitor import callees

        return callees(text)

    def _text(self, span: Span) -> str:
        lines = self._lines[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)


def _calls(expr: ir.Expr) -> list[ir.Call]:
    """The calls in an expression in source order, outer ones first; those inside f-strings left out."""
    found: list[ir.Call] = []
    pending: list[object] = [expr]
    while pending:
        item = pending.pop()
        if isinstance(item, ir.Call):
            found.append(item)
        if not isinstance(item, ir.Other) or item.kind not in ("fstring", "tstring"):
            pending.extend(parts(item))
    return sorted(found, key=lambda call: _in_order(call.span))


def _in_order(span: Span) -> tuple[int, int, int, int]:
    """A key that sorts by where something begins; of two that begin together, the one around the other first."""
    return span.line, span.column, -span.end_line, -span.end_column
