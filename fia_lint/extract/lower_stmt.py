"""Statements of ``ast``, lowered."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from fia_lint.extract import ir
from fia_lint.extract.dispatch import Methods
from fia_lint.extract.faults import except_with_comma
from fia_lint.extract.lower_expr import BINARY, ExpressionLowering
from fia_lint.extract.positions import Positions


class StatementLowering(ExpressionLowering):
    """One method per node of ``ast``, ``stmt_X`` for ``ast.X``, which returns an ``ir.Stmt``; ``pass`` leaves none."""

    def __init__(self, positions: Positions) -> None:
        super().__init__(positions)
        self._statements = Methods(self, "stmt_", ast)
        self._patterns = Methods(self, "pattern_", ast)

    def body(self, nodes: list[ast.stmt]) -> list[ir.Stmt]:
        """The statements of a block."""
        return [self._statements[type(node)](node) for node in nodes if not isinstance(node, ast.Pass)]

    # ----------------------------------------------------------------------------------------- definitions

    def stmt_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Stmt:
        span = self.span(node)
        decorators, params = self.exprs(node.decorator_list), self.parameters(node.args)
        returns = self.optional(node.returns)
        self.yields.append(False)
        body = self.body(node.body)
        generator = self.yields.pop()
        is_async = isinstance(node, ast.AsyncFunctionDef)
        name_span = self.positions.name(span)
        return ir.FunctionDef(span, node.name, name_span, params, body, decorators, returns, is_async, generator)

    stmt_AsyncFunctionDef = stmt_FunctionDef

    def stmt_ClassDef(self, node: ast.ClassDef) -> ir.Stmt:
        span = self.span(node)
        decorators, bases = self.exprs(node.decorator_list), self.arguments(node.bases, node.keywords)
        self.yields.append(False)
        body = self.body(node.body)
        self.yields.pop()
        return ir.ClassDef(span, node.name, self.positions.name(span), bases, body, decorators)

    # ----------------------------------------------------------------------------------------- assignments

    def stmt_Assign(self, node: ast.Assign) -> ir.Stmt:
        return ir.Assign(self.span(node), self.exprs(node.targets), self.expr(node.value))

    def stmt_AnnAssign(self, node: ast.AnnAssign) -> ir.Stmt:
        target, annotation = self.expr(node.target), self.expr(node.annotation)
        return ir.Assign(self.span(node), [target], self.optional(node.value), annotation)

    def stmt_AugAssign(self, node: ast.AugAssign) -> ir.Stmt:
        return ir.AugAssign(self.span(node), self.expr(node.target), BINARY[type(node.op)], self.expr(node.value))

    def stmt_TypeAlias(self, node: ast.AST) -> ir.Stmt:
        """``type X = value``: the value is evaluated when somebody asks for it, so it is no child here."""
        value = ir.Other(self.span(node.value), "type alias", [])  # type: ignore[attr-defined]
        return ir.Assign(self.span(node), [self.expr(node.name)], value)  # type: ignore[attr-defined]

    def stmt_Delete(self, node: ast.Delete) -> ir.Stmt:
        return ir.Delete(self.span(node), self.exprs(node.targets))

    def stmt_Global(self, node: ast.Global | ast.Nonlocal) -> ir.Stmt:
        return ir.Scope(self.span(node), "global" if isinstance(node, ast.Global) else "nonlocal", list(node.names))

    stmt_Nonlocal = stmt_Global

    def stmt_Import(self, node: ast.Import) -> ir.Stmt:
        return ir.Import(self.span(node), [(alias.name, alias.asname) for alias in node.names])

    def stmt_ImportFrom(self, node: ast.ImportFrom) -> ir.Stmt:
        names = [(alias.name, alias.asname) for alias in node.names]
        return ir.ImportFrom(self.span(node), node.module or "", node.level, names)

    # ---------------------------------------------------------------------------------------- control flow

    def stmt_Expr(self, node: ast.Expr) -> ir.Stmt:
        return ir.ExprStmt(self.span(node), self.expr(node.value))

    def stmt_If(self, node: ast.If) -> ir.Stmt:
        """A chain of elif is walked in a loop: it may be thousands long."""
        first = last = ir.If(self.span(node), self.expr(node.test), self.body(node.body), [])
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            following = ir.If(self.span(node), self.expr(node.test), self.body(node.body), [])
            last.orelse.append(following)
            last = following
        last.orelse = self.body(node.orelse)
        return first

    def stmt_While(self, node: ast.While) -> ir.Stmt:
        return ir.While(self.span(node), self.expr(node.test), self.body(node.body), self.body(node.orelse))

    def stmt_For(self, node: ast.For | ast.AsyncFor) -> ir.Stmt:
        target, iterable = self.expr(node.target), self.expr(node.iter)
        return ir.For(self.span(node), target, iterable, self.body(node.body), self.body(node.orelse))

    stmt_AsyncFor = stmt_For

    def stmt_With(self, node: ast.With | ast.AsyncWith) -> ir.Stmt:
        items = [ir.WithItem(self.expr(item.context_expr), self.optional(item.optional_vars)) for item in node.items]
        return ir.With(self.span(node), items, self.body(node.body))

    stmt_AsyncWith = stmt_With

    def stmt_Try(self, node: ast.Try) -> ir.Stmt:
        body, handlers = self.body(node.body), [self._handler(handler) for handler in node.handlers]
        return ir.Try(self.span(node), body, handlers, self.body(node.orelse), self.body(node.finalbody))

    stmt_TryStar = stmt_Try

    def _handler(self, node: ast.ExceptHandler) -> ir.Handler:
        if isinstance(node.type, ast.Tuple):
            except_with_comma(self.positions.lines, node.lineno)
        return ir.Handler(self.span(node), self.optional(node.type), node.name, self.body(node.body))

    def stmt_Return(self, node: ast.Return) -> ir.Stmt:
        return ir.Return(self.span(node), self.optional(node.value))

    def stmt_Raise(self, node: ast.Raise) -> ir.Stmt:
        return ir.Raise(self.span(node), self.optional(node.exc))

    def stmt_Assert(self, node: ast.Assert) -> ir.Stmt:
        return ir.Assert(self.span(node), self.expr(node.test))

    def stmt_Break(self, node: ast.Break | ast.Continue) -> ir.Stmt:
        return ir.Jump(self.span(node), "break" if isinstance(node, ast.Break) else "continue")

    stmt_Continue = stmt_Break

    # ------------------------------------------------------------------------------------------- patterns

    def stmt_Match(self, node: ast.Match) -> ir.Stmt:
        subject = self.expr(node.subject)
        cases = [ir.MatchCase(self.pattern(c.pattern), self.optional(c.guard), self.body(c.body)) for c in node.cases]
        return ir.Match(self.span(node), subject, cases)

    def pattern(self, node: ast.pattern) -> ir.Pattern:
        """Any pattern of a case."""
        return self._patterns[type(node)](node)

    def patterns(self, nodes: Iterable[ast.pattern]) -> list[ir.Pattern]:
        return [self.pattern(node) for node in nodes]

    def pattern_MatchValue(self, node: ast.MatchValue) -> ir.Pattern:
        return ir.Pattern(self.span(node), "value", self.expr(node.value))

    def pattern_MatchSingleton(self, node: ast.MatchSingleton) -> ir.Pattern:
        span = self.span(node)
        return ir.Pattern(span, "singleton", ir.Constant(span, node.value))

    def pattern_MatchAs(self, node: ast.MatchAs) -> ir.Pattern:
        inner = [] if node.pattern is None else [self.pattern(node.pattern)]
        return ir.Pattern(self.span(node), "capture", None, node.name, inner)

    def pattern_MatchStar(self, node: ast.MatchStar) -> ir.Pattern:
        return ir.Pattern(self.span(node), "star", None, node.name)

    def pattern_MatchOr(self, node: ast.MatchOr) -> ir.Pattern:
        return ir.Pattern(self.span(node), "or", patterns=self.patterns(node.patterns))

    def pattern_MatchSequence(self, node: ast.MatchSequence) -> ir.Pattern:
        return ir.Pattern(self.span(node), "sequence", patterns=self.patterns(node.patterns))

    def pattern_MatchClass(self, node: ast.MatchClass) -> ir.Pattern:
        keywords = list(zip(node.kwd_attrs, self.patterns(node.kwd_patterns), strict=True))
        return ir.Pattern(self.span(node), "class", self.expr(node.cls), None, self.patterns(node.patterns), keywords)

    def pattern_MatchMapping(self, node: ast.MatchMapping) -> ir.Pattern:
        entries = list(zip(self.exprs(node.keys), self.patterns(node.patterns), strict=True))
        return ir.Pattern(self.span(node), "mapping", None, node.rest, entries=entries)
