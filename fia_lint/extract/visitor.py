"""The visitor of libcst that finds calls. Importing libcst takes longer than most runs need: import this where it is used."""

from __future__ import annotations

import libcst as cst


class CallVisitor(cst.CSTVisitor):
    """Notes the callee of every call in source order, outer calls first; those inside f-strings are left out.

    ``callees`` holds the attribute names of each from the left, with ``""`` for a beginning that is no plain name.
    """

    def __init__(self) -> None:
        self.callees: list[list[str]] = []

    def visit_Call(self, node: cst.Call) -> bool:
        self.callees.append(_attribute_names(node.func))
        # Straight to what can hold calls: most of a tree is blanks and commas, and each costs as much as a call.
        node.func.visit(self)
        for arg in node.args:
            arg.value.visit(self)
        return False

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def _skip(self, node: cst.CSTNode) -> bool:
        return False

    visit_Name = visit_SimpleString = visit_Integer = _skip
    visit_FormattedString = visit_TemplatedString = _skip


def callees(text: str) -> list[list[str]] | None:
    """The callees of the calls in the text of one expression; None if libcst cannot parse it."""
    try:
        tree = cst.parse_expression(f"({text})")
    except (cst.ParserSyntaxError, RecursionError):
        return None
    visitor = CallVisitor()
    tree.visit(visitor)
    return visitor.callees


def _attribute_names(func: cst.BaseExpression) -> list[str]:
    names: list[str] = []
    while isinstance(func, cst.Attribute):
        names.append(func.attr.value)
        func = func.value
    names.append(func.value if isinstance(func, cst.Name) else "")
    return names[::-1]
