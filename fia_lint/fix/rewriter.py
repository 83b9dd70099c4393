"""The libcst transformer behind the edits. Imported only when something is rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import libcst as cst
from libcst.metadata import PositionProvider

from fia_lint.fix.entries import Display, items_of, with_entry, without_entry
from fia_lint.spans import Span

#: How long a line may become where no line of the file is longer.
_WIDTH = 88

#: What may hold a value without brackets, whatever stands before it, and values that need none.
_HOLDERS = (cst.Arg, cst.Assign, cst.Element, cst.DictElement)
_SINGLE = (cst.Name, cst.Attribute, cst.Integer)

#: The order in which arguments that belong together are added.
_ORDER = {"sparse_mode": 0, "pre_tokens": 1, "pre_tockens": 1, "next_tokens": 2, "next_tockens": 2}


class Rewriter(cst.CSTTransformer):
    """Changes the expressions whose spans it is given, and counts those that it has not met (``waiting``)."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.replaced: dict[Span, str] = {}
        self.added: dict[Span, list[tuple[str, str]]] = {}
        self.dropped: dict[Span, list[str]] = {}
        self._met: set[Span] = set()
        self._module = cst.Module([])
        self._indents: list[str] = []
        self._room = _WIDTH

    @property
    def waiting(self) -> bool:
        return not self._met.issuperset((*self.replaced, *self.added, *self.dropped))

    def visit_Module(self, node: cst.Module) -> None:
        self._module = node.with_changes(body=[], header=[], footer=[])
        self._room = max(_WIDTH, *map(len, node.code.splitlines()), 0)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:
        self._indents.append(self._module.default_indent if node.indent is None else node.indent)

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.BaseSuite:
        self._indents.pop()
        return updated_node

    def on_leave(self, original: Any, updated: Any) -> Any:
        result = super().on_leave(original, updated)
        if isinstance(original, cst.BaseExpression):
            span = self._span(original)
            if span in self.replaced and span not in self._met:
                self._met.add(span)
                return _in_place_of(result, self.replaced[span])
            if isinstance(result, (cst.Call, cst.Dict)) and (span in self.added or span in self.dropped):
                return self._with_entries(original, result, span)
        return self._unwrapped(original, result) if isinstance(original, _HOLDERS) else result

    def _unwrapped(self, original: Any, node: Any) -> Any:
        """What holds a new value without the brackets that only the old one, which was longer, needed."""
        value = node.value
        new = value is not None and self._span(original.value) in self.replaced
        if not new or not isinstance(value, _SINGLE) or len(value.lpar) != 1 or "#" in self._module.code_for_node(value):
            return node
        return node.with_changes(value=value.with_changes(lpar=[], rpar=[]))

    def _with_entries(self, original: Display, node: Display, span: Span) -> Display:
        self._met.add(span)
        for name in self.dropped.get(span, ()):
            node = without_entry(node, name)
        items = items_of(original)
        column = self._span(items[0]).column - 1 if items else None
        for name, text in sorted(self.added.get(span, ()), key=lambda entry: _ORDER.get(entry[0], len(_ORDER))):
            changed = with_entry(node, name, text)
            fits = self._width(changed, span) <= max(self._room, self._width(node, span))
            node = changed if fits else with_entry(node, name, text, column)
        return node

    def _width(self, node: Display, span: Span) -> int:
        """How wide the longest line of a call or dict display is."""
        first, *others = self._module.code_for_node(node).splitlines() or [""]
        return max(span.column - 1 + len(first), *(len("".join(self._indents)) + len(line) for line in others), 0)

    def _span(self, node: cst.CSTNode) -> Span:
        where = self.get_metadata(PositionProvider, node)
        return Span(where.start.line, where.start.column + 1, where.end.line, where.end.column + 1)


def _in_place_of(old: cst.BaseExpression, text: str) -> cst.BaseExpression:
    """An expression in the parentheses of the one that it replaces."""
    new = cst.parse_expression(text)
    around: Mapping[str, Any] = {"lpar": old.lpar, "rpar": old.rpar} if old.lpar else {}
    return new.with_changes(**around)
