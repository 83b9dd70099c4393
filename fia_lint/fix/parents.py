"""From a part of a file to what it is a part of."""

from __future__ import annotations

from fia_lint.extract import ir
from fia_lint.extract.walk import parts, walk
from fia_lint.spans import Span


class Parents:
    """The lowered items of a file, each with the one that it stands in."""

    def __init__(self, facts: ir.Facts) -> None:
        self.facts = facts
        self._of: dict[int, object] = {}
        self._at: dict[Span, list[ir.Expr]] = {}
        for item in walk(*facts.body):
            if isinstance(item, ir.Expr):
                self._at.setdefault(item.span, []).append(item)
            for part in parts(item):
                self._of[id(part)] = item

    def of(self, item: object) -> object:
        """What an item stands directly in; None at the top."""
        return self._of.get(id(item))

    def at(self, span: Span) -> ir.Expr | None:
        """The expression at a place; None if there is none, or more than one."""
        found = self._at.get(span, [])
        return found[0] if len(found) == 1 else None

    def stands_on_the_left(self, item: ir.Expr) -> bool:
        """Whether a name, an attribute or an item is assigned to here, and not read."""
        child, parent = item, self.of(item)
        while isinstance(parent, (ir.Sequence, ir.Starred)):
            child, parent = parent, self.of(parent)
        if isinstance(parent, ir.Assign):
            return any(child is target for target in parent.targets)
        if isinstance(parent, (ir.For, ir.WithItem, ir.Walrus, ir.ComprehensionLoop)):
            return child is parent.target
        return False
