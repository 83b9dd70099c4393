"""A Python file as text and syntax tree, and edits of its text by the spans of nodes.

Edits keep everything else as it is, comments included. Those of the planting test also keep the number of lines, so that
places before and after can be compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = Function | ast.ClassDef | ast.Lambda


@dataclass(frozen=True)
class Edit:
    """Replace ``text[start:end]`` by ``new``."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    result, position = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at {edit.start}")
        result += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*result, text[position:]])


class Source:
    """One file: its text and tree. Lines and columns are the tool's, from 1, in code points; offsets are into the text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff")
        self.tree = ast.parse(self.text)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines(keepends=True)

    @cached_property
    def starts(self) -> list[int]:
        """Offset of the first character of each line."""
        found, offset = [], 0
        for line in self.lines:
            found.append(offset)
            offset += len(line)
        return [*found, offset]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def offset(self, line: int, byte: int) -> int:
        """Offset of a position as ast gives it: line from 1, column in UTF-8 bytes."""
        content = self.lines[line - 1] if line <= len(self.lines) else ""
        column = byte if content.isascii() else len(content.encode()[:byte].decode())
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def segment(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def column(self, node: ast.AST) -> int:
        """Column of a node, from 1, in code points."""
        return self.span(node)[0] - self.starts[node.lineno - 1] + 1  # type: ignore[attr-defined]

    # ------------------------------------------------------------------------------------------- looking around

    def call(self, line: int, column: int) -> ast.Call:
        """The call that starts there; of several (``f(…)(…)``) the longest."""
        starting = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and node.lineno == line and self.column(node) == column
        ]
        if not starting:
            raise LookupError(f"{self.path}:{line}:{column}: no call")
        return max(starting, key=lambda node: self.span(node)[1])

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, node: ast.AST) -> Function | None:
        """The function around a node."""
        return next((n for n in self.above(node) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))), None)

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """The class around a node."""
        return next((n for n in self.above(node) if isinstance(n, ast.ClassDef)), None)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement around a node, or the node itself."""
        return next(n for n in [node, *self.above(node)] if isinstance(n, ast.stmt))

    def indent(self, node: ast.stmt) -> str:
        """What stands before a statement on its line; empty unless that is white space only."""
        line = self.lines[node.lineno - 1]
        before = line[: self.span(node)[0] - self.starts[node.lineno - 1]]
        return before if not before.strip() else ""

    def first_on_line(self, node: ast.stmt) -> bool:
        """Whether nothing but white space stands before a statement on its line."""
        start = self.starts[node.lineno - 1]
        return not self.text[start : self.span(node)[0]].strip()

    # ------------------------------------------------------------------------------------------------- editing

    def replace(self, node: ast.AST, new: str) -> Edit:
        return Edit(*self.span(node), new)

    def swap(self, one: ast.AST, other: ast.AST) -> list[Edit]:
        return [self.replace(one, self.segment(other)), self.replace(other, self.segment(one))]

    def drop(self, node: ast.AST, start: int | None = None) -> Edit:
        """Remove an element of a comma-separated list (an argument, an item) with one comma; lines stay. ``start`` is where
        it begins, if before the node (a key before its value)."""
        begin, end = self.span(node)
        begin = begin if start is None else start
        after = _skip(self.text, end)
        if self.text[after : after + 1] == ",":
            stop = after + 1
            while self.text[stop : stop + 1] == " ":
                stop += 1
            return Edit(begin, stop, self._newlines(begin, stop))
        before = _skip_back(self.text, begin)
        begin = before - 1 if self.text[before - 1 : before] == "," else begin
        return Edit(begin, end, self._newlines(begin, end))

    def _newlines(self, start: int, end: int) -> str:
        return "\n" * self.text[start:end].count("\n")

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text after the edits; it parses, and it is another text."""
        text = apply(self.text, edits)
        ast.parse(text)
        if text == self.text:
            raise ValueError(f"{self.path}: the edits change nothing")
        return text


def _skip(text: str, position: int) -> int:
    """The next character after white space and comments."""
    while position < len(text):
        if text[position] == "#":
            position = text.find("\n", position)
        elif not text[position].isspace():
            break
        else:
            position += 1
    return position


def _skip_back(text: str, position: int) -> int:
    """The end of what stands before white space (comments are not skipped: nothing ends in one here)."""
    while position and text[position - 1].isspace():
        position -= 1
    return position
