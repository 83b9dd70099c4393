"""Expressions of libcst, lowered to what ``lower_expr`` makes of those of ``ast``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from fia_lint.extract import ir
from fia_lint.extract.cst_positions import CstPositions
from fia_lint.extract.cst_words import identifier, in_braces, literal, operator, pieces, string_kind
from fia_lint.extract.dispatch import Methods
from fia_lint.spans import Span

_CONSTANTS: dict[str, object] = {"None": None, "True": True, "False": False}
_KINDS = {cst.List: "list", cst.Tuple: "tuple", cst.Set: "set", cst.ListComp: "list", cst.SetComp: "set"}


class CstExpressions:
    """One method per node of libcst, ``expr_X`` for ``cst.X``: in goes the node, out comes an ``ir.Expr``."""

    def __init__(self, positions: CstPositions) -> None:
        self.positions = positions
        self._fstring: Span | None = None
        #: For each function that is being lowered, from the outermost: whether a yield stood directly in it.
        self.yields: list[bool] = [False]
        self._methods = Methods(self, "expr_", cst)

    def span(self, node: cst.CSTNode) -> Span:
        return self._fstring or self.positions.span(node)

    def expr(self, node: cst.CSTNode) -> ir.Expr:
        """Any expression, or an item of a display."""
        return self._methods[type(node)](node)

    def optional(self, node: cst.CSTNode | None) -> ir.Expr | None:
        return None if node is None else self.expr(node)

    def exprs(self, nodes: Iterable[cst.CSTNode]) -> list[ir.Expr]:
        return [self.expr(node) for node in nodes]

    def other(self, node: cst.CSTNode, kind: str, *children: cst.CSTNode | None) -> ir.Other:
        return ir.Other(self.span(node), kind, self.exprs(child for child in children if child is not None))

    # ------------------------------------------------------------------------------------ names and values

    def expr_Name(self, node: cst.Name) -> ir.Expr:
        if node.value in _CONSTANTS:
            return ir.Constant(self.span(node), _CONSTANTS[node.value])
        return ir.Name(self.span(node), identifier(node))

    def expr_Ellipsis(self, node: cst.Ellipsis) -> ir.Expr:
        return ir.Constant(self.span(node), ...)

    def expr_Integer(self, node: cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString) -> ir.Expr:
        value = literal(node.value)
        if isinstance(value, (bytes, complex)):
            return self.other(node, type(value).__name__)
        return ir.Constant(self.span(node), value)

    expr_Float = expr_Imaginary = expr_SimpleString = expr_Integer

    def expr_Attribute(self, node: cst.Attribute) -> ir.Expr:
        return ir.Attribute(self.span(node), self.expr(node.value), identifier(node.attr))

    def expr_Subscript(self, node: cst.Subscript) -> ir.Expr:
        items = [self.expr(element.slice) for element in node.slice]
        last = node.slice[-1]
        if len(items) > 1 or isinstance(last.comma, cst.Comma) or isinstance(items[0], ir.Starred):
            span = self._fstring or self.positions.with_comma(self.positions.span(node.slice[0]), last)
            return ir.Subscript(self.span(node), self.expr(node.value), ir.Sequence(span, "tuple", items))
        return ir.Subscript(self.span(node), self.expr(node.value), items[0])

    def expr_Index(self, node: cst.Index) -> ir.Expr:
        return ir.Starred(self.span(node), self.expr(node.value)) if node.star else self.expr(node.value)

    def expr_Slice(self, node: cst.Slice) -> ir.Expr:
        return ir.Slice(self.span(node), self.optional(node.lower), self.optional(node.upper), self.optional(node.step))

    def expr_Element(self, node: cst.Element) -> ir.Expr:
        return self.expr(node.value)

    def expr_StarredElement(self, node: cst.StarredElement) -> ir.Expr:
        return ir.Starred(self.span(node), self.expr(node.value))

    # ----------------------------------------------------------------------------------------------- calls

    def expr_Call(self, node: cst.Call) -> ir.Expr:
        args = self.arguments(node.args)
        if len(args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp) and not node.args[0].value.lpar:
            args[0].value.span = args[0].span = self._fstring or self.positions.bare_generator(node)
        return ir.Call(self.span(node), self.expr(node.func), args)

    def arguments(self, args: Iterable[cst.Arg]) -> list[ir.Argument]:
        """The arguments of a call, or the bases of a class, in source order."""
        found = [self._argument(arg) for arg in args]
        return found if self._fstring else sorted(found, key=lambda arg: arg.span)

    def _argument(self, arg: cst.Arg) -> ir.Argument:
        value = self.expr(arg.value)
        if arg.keyword is None and not arg.star:
            return ir.Argument(value.span, value)
        return ir.Argument(self.span(arg), value, identifier(arg.keyword) if arg.keyword else None, arg.star)

    # ------------------------------------------------------------------------------------------- operators

    def expr_BinaryOperation(self, node: cst.BinaryOperation) -> ir.Expr:
        return ir.Binary(self.span(node), operator(node.operator), self.expr(node.left), self.expr(node.right))

    def expr_UnaryOperation(self, node: cst.UnaryOperation) -> ir.Expr:
        return ir.Unary(self.span(node), operator(node.operator), self.expr(node.expression))

    def expr_BooleanOperation(self, node: cst.BooleanOperation) -> ir.Expr:
        """``a and b and c`` is one operation of three values, which libcst has as two."""
        op, values = operator(node.operator), [node.right]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and not left.lpar and operator(left.operator) == op:
            values.append(left.right)
            left = left.left
        return ir.Boolean(self.span(node), op, self.exprs([left, *reversed(values)]))

    def expr_Comparison(self, node: cst.Comparison) -> ir.Expr:
        operands = self.exprs([node.left, *(each.comparator for each in node.comparisons)])
        return ir.Compare(self.span(node), operands, [operator(each.operator) for each in node.comparisons])

    def expr_IfExp(self, node: cst.IfExp) -> ir.Expr:
        return ir.Conditional(self.span(node), self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def expr_NamedExpr(self, node: cst.NamedExpr) -> ir.Expr:
        assert isinstance(node.target, cst.Name)
        target = ir.Name(self.span(node.target), identifier(node.target))
        return ir.Walrus(self.span(node), target, self.expr(node.value))

    # -------------------------------------------------------------------------- displays and comprehensions

    def expr_Tuple(self, node: cst.Tuple | cst.List | cst.Set) -> ir.Expr:
        return ir.Sequence(self.span(node), _KINDS[type(node)], self.exprs(node.elements))

    expr_List = expr_Set = expr_Tuple

    def expr_Dict(self, node: cst.Dict) -> ir.Expr:
        entries = [
            (self.expr(element.key) if isinstance(element, cst.DictElement) else None, self.expr(element.value))
            for element in node.elements
        ]
        return ir.DictDisplay(self.span(node), entries)

    def expr_ListComp(self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> ir.Expr:
        if isinstance(node.elt, cst.StarredElement):
            return self.expr_StarredDictComp(node)
        kind = _KINDS.get(type(node), "generator")
        return ir.Comprehension(self.span(node), kind, None, self.expr(node.elt), self._loops(node.for_in))

    expr_SetComp = expr_GeneratorExp = expr_ListComp

    def expr_DictComp(self, node: cst.DictComp) -> ir.Expr:
        loops = self._loops(node.for_in)
        return ir.Comprehension(self.span(node), "dict", self.expr(node.key), self.expr(node.value), loops)

    def expr_StarredDictComp(self, node: Any) -> ir.Expr:
        """Any comprehension that unpacks what it yields."""
        return self.other(node, "unpacking", node.for_in.iter)

    def _loops(self, loop: cst.CompFor | None) -> list[ir.ComprehensionLoop]:
        found = []
        while loop is not None:
            conditions = self.exprs(condition.test for condition in loop.ifs)
            found.append(ir.ComprehensionLoop(self.expr(loop.target), self.expr(loop.iter), conditions))
            loop = loop.inner_for_in
        return found

    # ------------------------------------------------------------------------------------------- functions

    def expr_Lambda(self, node: cst.Lambda) -> ir.Expr:
        params = self.parameters(node.params)
        self.yields.append(False)
        body = self.expr(node.body)
        self.yields.pop()
        return ir.Lambda(self.span(node), params, body)

    def parameters(self, params: cst.Parameters) -> list[ir.Parameter]:
        """The parameters of a function in source order."""
        groups: list[tuple[str, Sequence[Any]]] = [
            ("positional", params.posonly_params), ("normal", params.params), ("*", [params.star_arg]),
            ("keyword", params.kwonly_params), ("**", [params.star_kwarg]),
        ]  # fmt: skip
        return [self._parameter(p, kind) for kind, group in groups for p in group if isinstance(p, cst.Param)]

    def _parameter(self, param: cst.Param, kind: str) -> ir.Parameter:
        span = self.span(param.name)
        annotation = param.annotation.annotation if param.annotation else None
        if annotation is not None and not self._fstring:
            span = Span(*span[:2], *self.positions.whole(annotation)[2:])
        lowered = self.optional(annotation)
        return ir.Parameter(identifier(param.name), kind, self.optional(param.default), lowered, span)

    def expr_Await(self, node: cst.Await) -> ir.Expr:
        return self.other(node, "await", node.expression)

    def expr_Yield(self, node: cst.Yield) -> ir.Expr:
        self.yields[-1] = True
        if isinstance(node.value, cst.From):
            return self.other(node, "yield from", node.value.item)
        return self.other(node, "yield", node.value)

    # --------------------------------------------------------------------------------------------- strings

    def expr_FormattedString(self, node: Any) -> ir.Expr:
        span = self.span(node)
        outer, self._fstring = self._fstring, span
        children = self.exprs(in_braces(node))
        self._fstring = outer
        return ir.Other(span, string_kind(node), children)

    expr_TemplatedString = expr_FormattedString

    def expr_ConcatenatedString(self, node: cst.ConcatenatedString) -> ir.Expr:
        if string_kind(node) != "string":
            return self.expr_FormattedString(node)
        value = literal(" ".join(piece.value for piece in pieces(node)))
        return self.other(node, "bytes") if isinstance(value, bytes) else ir.Constant(self.span(node), value)
