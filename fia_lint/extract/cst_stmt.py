"""Statements of libcst, lowered to what ``lower_stmt`` makes of those of ``ast``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst as cst

from fia_lint.extract import ir
from fia_lint.extract.cst_expr import CstExpressions
from fia_lint.extract.cst_positions import CstPositions
from fia_lint.extract.cst_words import identifier, operator
from fia_lint.extract.dispatch import Methods
from fia_lint.extract.faults import except_with_comma


class CstStatements(CstExpressions):
    """One method per node of libcst, ``stmt_X`` for ``cst.X``, which returns an ``ir.Stmt``; ``pass`` leaves none."""

    def __init__(self, positions: CstPositions) -> None:
        super().__init__(positions)
        self._statements = Methods(self, "stmt_", cst)
        self._patterns = Methods(self, "pattern_", cst)

    def body(self, node: Any) -> list[ir.Stmt]:
        """The statements of a module, a block, or an ``else`` and the like; of None, none."""
        if node is None:
            return []
        if not isinstance(node, (cst.Module, cst.IndentedBlock, cst.SimpleStatementSuite)):
            return self.body(node.body)
        found: list[ir.Stmt] = []
        for stmt in node.body:
            small = stmt.body if isinstance(stmt, cst.SimpleStatementLine) else [stmt]
            found += [self._statements[type(each)](each) for each in small if not isinstance(each, cst.Pass)]
        return found

    # ----------------------------------------------------------------------------------------- definitions

    def stmt_FunctionDef(self, node: cst.FunctionDef) -> ir.Stmt:
        decorators, params = self.exprs(d.decorator for d in node.decorators), self.parameters(node.params)
        returns = self.expr(node.returns.annotation) if node.returns else None
        self.yields.append(False)
        body = self.body(node.body)
        generator = self.yields.pop()
        name, span = identifier(node.name), self.span(node)
        is_async = node.asynchronous is not None
        return ir.FunctionDef(span, name, self.span(node.name), params, body, decorators, returns, is_async, generator)

    def stmt_ClassDef(self, node: cst.ClassDef) -> ir.Stmt:
        decorators, bases = self.exprs(d.decorator for d in node.decorators), self.arguments([*node.bases, *node.keywords])
        self.yields.append(False)
        body = self.body(node.body)
        self.yields.pop()
        return ir.ClassDef(self.span(node), identifier(node.name), self.span(node.name), bases, body, decorators)

    # ----------------------------------------------------------------------------------------- assignments

    def stmt_Assign(self, node: cst.Assign) -> ir.Stmt:
        return ir.Assign(self.span(node), self.exprs(t.target for t in node.targets), self.expr(node.value))

    def stmt_AnnAssign(self, node: cst.AnnAssign) -> ir.Stmt:
        target, annotation = self.expr(node.target), self.expr(node.annotation.annotation)
        return ir.Assign(self.span(node), [target], self.optional(node.value), annotation)

    def stmt_AugAssign(self, node: cst.AugAssign) -> ir.Stmt:
        return ir.AugAssign(self.span(node), self.expr(node.target), operator(node.operator), self.expr(node.value))

    def stmt_TypeAlias(self, node: cst.TypeAlias) -> ir.Stmt:
        value = ir.Other(self.span(node.value), "type alias", [])
        return ir.Assign(self.span(node), [self.expr(node.name)], value)

    def stmt_Del(self, node: cst.Del) -> ir.Stmt:
        target: cst.CSTNode = node.target
        several = target.elements if isinstance(target, cst.Tuple) and not target.lpar else [target]
        return ir.Delete(self.span(node), self.exprs(several))

    def stmt_Global(self, node: cst.Global | cst.Nonlocal) -> ir.Stmt:
        kind = "global" if isinstance(node, cst.Global) else "nonlocal"
        return ir.Scope(self.span(node), kind, [identifier(item.name) for item in node.names])

    stmt_Nonlocal = stmt_Global

    def stmt_Import(self, node: cst.Import) -> ir.Stmt:
        return ir.Import(self.span(node), [_imported(alias) for alias in node.names])

    def stmt_ImportFrom(self, node: cst.ImportFrom) -> ir.Stmt:
        star: list[tuple[str, str | None]] = [("*", None)]
        names = star if isinstance(node.names, cst.ImportStar) else [_imported(alias) for alias in node.names]
        return ir.ImportFrom(self.span(node), _dotted(node.module), len(node.relative), names)

    # ---------------------------------------------------------------------------------------- control flow

    def stmt_Expr(self, node: cst.Expr) -> ir.Stmt:
        return ir.ExprStmt(self.span(node), self.expr(node.value))

    def stmt_If(self, node: cst.If) -> ir.Stmt:
        """A chain of elif is walked in a loop: it may be thousands long."""
        first = last = ir.If(self.span(node), self.expr(node.test), self.body(node.body), [])
        while isinstance(node.orelse, cst.If):
            node = node.orelse
            following = ir.If(self.span(node), self.expr(node.test), self.body(node.body), [])
            last.orelse.append(following)
            last = following
        last.orelse = self.body(node.orelse)
        return first

    def stmt_While(self, node: cst.While) -> ir.Stmt:
        return ir.While(self.span(node), self.expr(node.test), self.body(node.body), self.body(node.orelse))

    def stmt_For(self, node: cst.For) -> ir.Stmt:
        target, iterable = self.expr(node.target), self.expr(node.iter)
        return ir.For(self.span(node), target, iterable, self.body(node.body), self.body(node.orelse))

    def stmt_With(self, node: cst.With) -> ir.Stmt:
        items = [ir.WithItem(self.expr(item.item), self.expr(item.asname.name) if item.asname else None) for item in node.items]
        return ir.With(self.span(node), items, self.body(node.body))

    def stmt_Try(self, node: cst.Try | cst.TryStar) -> ir.Stmt:
        body, handlers = self.body(node.body), [self._handler(handler) for handler in node.handlers]
        return ir.Try(self.span(node), body, handlers, self.body(node.orelse), self.body(node.finalbody))

    stmt_TryStar = stmt_Try

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ir.Handler:
        span = self.span(node)
        except_with_comma(self.positions.lines, span.line)
        name = node.name.name if node.name else None
        written = identifier(name) if isinstance(name, cst.Name) else None
        return ir.Handler(span, self.optional(node.type), written, self.body(node.body))

    def stmt_Return(self, node: cst.Return) -> ir.Stmt:
        return ir.Return(self.span(node), self.optional(node.value))

    def stmt_Raise(self, node: cst.Raise) -> ir.Stmt:
        return ir.Raise(self.span(node), self.optional(node.exc))

    def stmt_Assert(self, node: cst.Assert) -> ir.Stmt:
        return ir.Assert(self.span(node), self.expr(node.test))

    def stmt_Break(self, node: cst.Break | cst.Continue) -> ir.Stmt:
        return ir.Jump(self.span(node), "break" if isinstance(node, cst.Break) else "continue")

    stmt_Continue = stmt_Break

    # ------------------------------------------------------------------------------------------- patterns

    def stmt_Match(self, node: cst.Match) -> ir.Stmt:
        subject = self.expr(node.subject)
        cases = [ir.MatchCase(self.pattern(c.pattern), self.optional(c.guard), self.body(c.body)) for c in node.cases]
        return ir.Match(self.span(node), subject, cases)

    def pattern(self, node: cst.CSTNode) -> ir.Pattern:
        """Any pattern of a case."""
        return self._patterns[type(node)](node)

    def patterns(self, nodes: Iterable[Any]) -> list[ir.Pattern]:
        """The patterns of the items of a sequence."""
        return [self.pattern(node if isinstance(node, cst.MatchStar) else node.value) for node in nodes]

    def pattern_MatchValue(self, node: cst.MatchValue) -> ir.Pattern:
        return ir.Pattern(self.span(node.value), "value", self.expr(node.value))

    def pattern_MatchSingleton(self, node: cst.MatchSingleton) -> ir.Pattern:
        return ir.Pattern(self.span(node.value), "singleton", self.expr(node.value))

    def pattern_MatchAs(self, node: cst.MatchAs) -> ir.Pattern:
        inner = [] if node.pattern is None else [self.pattern(node.pattern)]
        return ir.Pattern(self.span(node), "capture", None, identifier(node.name) if node.name else None, inner)

    def pattern_MatchStar(self, node: cst.MatchStar) -> ir.Pattern:
        return ir.Pattern(self.positions.star(node), "star", None, identifier(node.name) if node.name else None)

    def pattern_MatchOr(self, node: cst.MatchOr) -> ir.Pattern:
        return ir.Pattern(self.span(node), "or", patterns=[self.pattern(each.pattern) for each in node.patterns])

    def pattern_MatchList(self, node: cst.MatchList | cst.MatchTuple) -> ir.Pattern:
        return ir.Pattern(self.span(node), "sequence", patterns=self.patterns(node.patterns))

    pattern_MatchTuple = pattern_MatchList

    def pattern_MatchClass(self, node: cst.MatchClass) -> ir.Pattern:
        keywords = [(identifier(each.key), self.pattern(each.pattern)) for each in node.kwds]
        return ir.Pattern(self.span(node), "class", self.expr(node.cls), None, self.patterns(node.patterns), keywords)

    def pattern_MatchMapping(self, node: cst.MatchMapping) -> ir.Pattern:
        entries = [(self.expr(each.key), self.pattern(each.pattern)) for each in node.elements]
        return ir.Pattern(self.span(node), "mapping", None, identifier(node.rest) if node.rest else None, entries=entries)


def _imported(alias: cst.ImportAlias) -> tuple[str, str | None]:
    name = alias.asname.name if alias.asname else None
    return _dotted(alias.name), identifier(name) if isinstance(name, cst.Name) else None


def _dotted(node: Any) -> str:
    """``a.b.c``; the empty string for None."""
    names: list[str] = []
    while isinstance(node, cst.Attribute):
        names.append(identifier(node.attr))
        node = node.value
    return ".".join([identifier(node), *reversed(names)]) if node is not None else ""
