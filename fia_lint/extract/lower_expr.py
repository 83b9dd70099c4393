"""Expressions of ``ast``, lowered."""

from __future__ import annotations

import ast

from fia_lint.extract import ir
from fia_lint.extract.dispatch import Methods
from fia_lint.extract.positions import Positions
from fia_lint.spans import Span

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_KINDS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.ListComp: "list", ast.SetComp: "set"}


class ExpressionLowering:
    """One method per node of ``ast``, ``expr_X`` for ``ast.X``: in goes the node, out comes an ``ir.Expr``."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self._fstring: Span | None = None
        #: For each function that is being lowered, from the outermost: whether a yield stood directly in it.
        self.yields: list[bool] = [False]
        self._methods = Methods(self, "expr_", ast)

    def span(self, node: ast.AST) -> Span:
        # Before 3.12, Python counts wrongly inside an f-string: what is in one stands where the f-string stands.
        return self._fstring or self.positions.span(node)

    def expr(self, node: ast.expr) -> ir.Expr:
        """Any expression."""
        return self._methods[type(node)](node)

    def optional(self, node: ast.expr | None) -> ir.Expr | None:
        return None if node is None else self._methods[type(node)](node)

    def exprs(self, nodes: list[ast.expr]) -> list[ir.Expr]:
        return [self._methods[type(node)](node) for node in nodes]

    def other(self, node: ast.expr, kind: str, *children: ast.expr | None) -> ir.Other:
        return ir.Other(self.span(node), kind, self.exprs([child for child in children if child is not None]))

    # ------------------------------------------------------------------------------------ names and values

    def expr_Constant(self, node: ast.Constant) -> ir.Expr:
        if isinstance(node.value, (bytes, complex)):
            return self.other(node, type(node.value).__name__)
        return ir.Constant(self.span(node), node.value)

    def expr_Name(self, node: ast.Name) -> ir.Expr:
        return ir.Name(self.span(node), node.id)

    def expr_Attribute(self, node: ast.Attribute) -> ir.Expr:
        return ir.Attribute(self.span(node), self.expr(node.value), node.attr)

    def expr_Subscript(self, node: ast.Subscript) -> ir.Expr:
        return ir.Subscript(self.span(node), self.expr(node.value), self.expr(node.slice))

    def expr_Slice(self, node: ast.Slice) -> ir.Expr:
        return ir.Slice(self.span(node), self.optional(node.lower), self.optional(node.upper), self.optional(node.step))

    def expr_Starred(self, node: ast.Starred) -> ir.Expr:
        return ir.Starred(self.span(node), self.expr(node.value))

    # ----------------------------------------------------------------------------------------------- calls

    def expr_Call(self, node: ast.Call) -> ir.Expr:
        return ir.Call(self.span(node), self.expr(node.func), self.arguments(node.args, node.keywords))

    def arguments(self, args: list[ast.expr], keywords: list[ast.keyword]) -> list[ir.Argument]:
        """The arguments of a call, or the bases of a class, in source order."""
        nodes: list[ast.expr | ast.keyword] = [*args, *keywords]
        if args and keywords:
            nodes.sort(key=lambda node: (node.lineno, node.col_offset))
        return [self._argument(node) for node in nodes]

    def _argument(self, node: ast.expr | ast.keyword) -> ir.Argument:
        if isinstance(node, ast.keyword):
            star = "**" if node.arg is None else ""
            return ir.Argument(self.span(node), self.expr(node.value), node.arg, star)
        if isinstance(node, ast.Starred):
            return ir.Argument(self.span(node), self.expr(node.value), None, "*")
        return ir.Argument(self.span(node), self.expr(node))

    # ------------------------------------------------------------------------------------------- operators

    def expr_BinOp(self, node: ast.BinOp) -> ir.Expr:
        return ir.Binary(self.span(node), BINARY[type(node.op)], self.expr(node.left), self.expr(node.right))

    def expr_UnaryOp(self, node: ast.UnaryOp) -> ir.Expr:
        return ir.Unary(self.span(node), _UNARY[type(node.op)], self.expr(node.operand))

    def expr_BoolOp(self, node: ast.BoolOp) -> ir.Expr:
        return ir.Boolean(self.span(node), "and" if isinstance(node.op, ast.And) else "or", self.exprs(node.values))

    def expr_Compare(self, node: ast.Compare) -> ir.Expr:
        operands = self.exprs([node.left, *node.comparators])
        return ir.Compare(self.span(node), operands, [_COMPARE[type(op)] for op in node.ops])

    def expr_IfExp(self, node: ast.IfExp) -> ir.Expr:
        return ir.Conditional(self.span(node), self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def expr_NamedExpr(self, node: ast.NamedExpr) -> ir.Expr:
        target = ir.Name(self.span(node.target), node.target.id)
        return ir.Walrus(self.span(node), target, self.expr(node.value))

    # -------------------------------------------------------------------------- displays and comprehensions

    def expr_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> ir.Expr:
        return ir.Sequence(self.span(node), _KINDS[type(node)], self.exprs(node.elts))

    expr_List = expr_Set = expr_Tuple

    def expr_Dict(self, node: ast.Dict) -> ir.Expr:
        entries = [(self.optional(key), self.expr(value)) for key, value in zip(node.keys, node.values, strict=True)]
        return ir.DictDisplay(self.span(node), entries)

    def expr_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ir.Expr:
        if isinstance(node.elt, ast.Starred):
            return self.other(node, "unpacking", node.generators[0].iter)
        kind = _KINDS.get(type(node), "generator")
        return ir.Comprehension(self.span(node), kind, None, self.expr(node.elt), self._loops(node.generators))

    expr_SetComp = expr_GeneratorExp = expr_ListComp

    def expr_DictComp(self, node: ast.DictComp) -> ir.Expr:
        if node.value is None:
            return self.other(node, "unpacking", node.generators[0].iter)
        loops = self._loops(node.generators)
        return ir.Comprehension(self.span(node), "dict", self.expr(node.key), self.expr(node.value), loops)

    def _loops(self, generators: list[ast.comprehension]) -> list[ir.ComprehensionLoop]:
        return [ir.ComprehensionLoop(self.expr(g.target), self.expr(g.iter), self.exprs(g.ifs)) for g in generators]

    # ------------------------------------------------------------------------------------------- functions

    def expr_Lambda(self, node: ast.Lambda) -> ir.Expr:
        params = self.parameters(node.args)
        self.yields.append(False)
        body = self.expr(node.body)
        self.yields.pop()
        return ir.Lambda(self.span(node), params, body)

    def parameters(self, args: ast.arguments) -> list[ir.Parameter]:
        """The parameters of a function in source order."""
        required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
        defaults: list[ast.expr | None] = [*[None] * required, *args.defaults]
        kinds = ["positional"] * len(args.posonlyargs) + ["normal"] * len(args.args)
        named = zip([*args.posonlyargs, *args.args], kinds, defaults, strict=True)
        found = [self._parameter(arg, kind, default) for arg, kind, default in named]
        if args.vararg:
            found.append(self._parameter(args.vararg, "*", None))
        keyword_only = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        found += [self._parameter(arg, "keyword", default) for arg, default in keyword_only]
        if args.kwarg:
            found.append(self._parameter(args.kwarg, "**", None))
        return found

    def _parameter(self, arg: ast.arg, kind: str, default: ast.expr | None) -> ir.Parameter:
        annotation = self.optional(arg.annotation)
        return ir.Parameter(arg.arg, kind, self.optional(default), annotation, self.span(arg))

    def expr_Await(self, node: ast.Await) -> ir.Expr:
        return self.other(node, "await", node.value)

    def expr_Yield(self, node: ast.Yield | ast.YieldFrom) -> ir.Expr:
        self.yields[-1] = True
        return self.other(node, "yield from" if isinstance(node, ast.YieldFrom) else "yield", node.value)

    expr_YieldFrom = expr_Yield

    # --------------------------------------------------------------------------------------------- strings

    def expr_JoinedStr(self, node: ast.JoinedStr) -> ir.Expr:
        outer, span = self._fstring, self.span(node)
        self._fstring = span
        children = [self.expr(part) for part in _replaced(node)]
        self._fstring = outer
        return ir.Other(span, "fstring" if isinstance(node, ast.JoinedStr) else "tstring", children)

    expr_TemplateStr = expr_JoinedStr


def _replaced(node: ast.AST) -> list[ast.expr]:
    """The expressions in the braces of an f-string, those in format specifications included."""
    found: list[ast.expr] = []
    for part in node.values:  # type: ignore[attr-defined]
        if not isinstance(part, ast.Constant):
            found.append(part.value)
            if part.format_spec is not None:
                found += _replaced(part.format_spec)
    return found
