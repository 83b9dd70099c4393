"""The libcst transformer behind the edits. Imported only when something is rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import PositionProvider

from fia_lint.fix.entries import Item, with_entry, without_entry
from fia_lint.spans import Span

Node = TypeVar("Node", bound=cst.BaseExpression)


class Rewriter(cst.CSTTransformer):
    """Changes the expressions whose spans it is given, and counts those that it has not met (``waiting``)."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.replaced: dict[Span, str] = {}
        self.added: dict[Span, list[tuple[str, str]]] = {}
        self.dropped: dict[Span, list[str]] = {}
        self._met: set[Span] = set()

    @property
    def waiting(self) -> bool:
        return not self._met.issuperset((*self.replaced, *self.added, *self.dropped))

    def on_leave(self, original: Any, updated: Any) -> Any:
        result = super().on_leave(original, updated)
        if isinstance(original, cst.BaseExpression):
            span = self._span(original)
            if span in self.replaced and span not in self._met:
                self._met.add(span)
                return _in_place_of(result, self.replaced[span])
            if isinstance(result, (cst.Call, cst.Dict)) and (span in self.added or span in self.dropped):
                return self._with_entries(result, span)
        return result

    def _with_entries(self, node: cst.Call | cst.Dict, span: Span) -> cst.Call | cst.Dict:
        self._met.add(span)
        items: list[Item] = list(node.args if isinstance(node, cst.Call) else node.elements)
        for name in self.dropped.get(span, ()):
            items = without_entry(items, name)
        for name, text in self.added.get(span, ()):
            items = with_entry(node, items, name, text)
        return node.with_changes(**{"args" if isinstance(node, cst.Call) else "elements": items})

    def _span(self, node: cst.CSTNode) -> Span:
        where = self.get_metadata(PositionProvider, node)
        return Span(where.start.line, where.start.column + 1, where.end.line, where.end.column + 1)


def _in_place_of(old: cst.BaseExpression, text: str) -> cst.BaseExpression:
    """An expression in the parentheses of the one that it replaces."""
    new = cst.parse_expression(text)
    around: Mapping[str, Any] = {"lpar": old.lpar, "rpar": old.rpar} if old.lpar else {}
    return new.with_changes(**around)
