"""Calls: who is called, what is bound to which parameter, and what comes back."""

from __future__ import annotations

from dataclasses import replace

from fia_lint.algebra.diagram import Diagram, leaf, where
from fia_lint.algebra.terms import Const, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate import taskgroups
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.following import Following
from fia_lint.evaluate.interpreter import Frame
from fia_lint.evaluate.values import (
    ABSENT,
    Bound,
    BoundMethod,
    Builtin,
    ClassValue,
    External,
    FunctionValue,
    MethodOf,
    OperatorValue,
    PartialValue,
    Ref,
    SuperValue,
)
from fia_lint.evaluate.windows import THE_WINDOW
from fia_lint.extract import ir
from fia_lint.spans import Span


class Calls(Following):
    """Calls of functions of the tree are followed; the rest gives opaque results and may change what it gets."""

    def eval_Call(self, expr: ir.Call) -> Diagram:
        self._task_group(expr)
        if isinstance(expr.func, ir.Name) and expr.func.id == "super" and not expr.args:
            return self._super()
        func = self.callee(expr.func)
        args = []
        for index, argument in enumerate(expr.args):
            take = self.consumed if argument.star or all(isinstance(t, Builtin) for t in func.terms) else self.eval
            args.append(Bound(take(argument.value), argument.name, argument.star, index))
        if self.state.dead:
            return self.unknown("never returns", expr.span)
        return self.call(func, args, expr.span, expr)

    def callee(self, expr: ir.Expr) -> Diagram:
        """What is called. A method of an unknown object stays tied to it: ``m.to(…)`` is a view of ``m``."""
        if not isinstance(expr, ir.Attribute):
            return self.raw(expr)
        owner = self.eval(expr.value)

        def of(term: Term) -> Diagram:
            if isinstance(term, Linear) and term.symbol is not None and expr.attr not in self.machine.operators:
                laid = self.state.overlay.get((term.symbol.key, expr.attr))
                cls = self.types.get(term.symbol) or self.machine.types.get(term.symbol)
                if laid is None and (cls is None or cls.find(expr.attr) is None):
                    return leaf(MethodOf(leaf(term), expr.attr))
            value = self.attribute_of(term, expr.attr, expr.span)
            return self.fresh_value(expr.span) if value is THE_WINDOW else value

        if len(owner.terms) > 1 and Const(None) in owner.terms:
            self.state.assume(where(owner, lambda term: term != Const(None)))
            return self.each_case(owner, lambda t: of(t) if t != Const(None) else self.nothing_there(expr.span))
        return self.each_case(owner, of)

    def call(self, func: Diagram, args: list[Bound], span: Span, expr: ir.Call | None = None) -> Diagram:
        """Call a value with evaluated arguments."""
        if len(func.terms) == 1:
            return self.call_term(func.terms[0], args, span, expr)
        before, self.choice = self.choice, self.machine.next()
        try:
            return self.each_case(func, lambda term: self.call_term(term, args, span, expr))
        finally:
            self.choice = before

    def _task_group(self, expr: ir.Call) -> None:
        func = expr.func
        taskgroups.note(self.frame, func.attr if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else "")

    def _super(self) -> Diagram:
        frame: Frame | None = self.frame
        function = frame.function if frame else None
        while function is not None and function.parent is not None:
            function = function.parent
        if function is None or function.owner is None or not function.params or self.frame.cls is None:
            return leaf(External("super()"))
        receiver = self.lookup(function.params[0].name, self.frame_span())
        return leaf(SuperValue(receiver, self.frame.cls, function.owner))

    def call_term(self, term: Term, args: list[Bound], span: Span, expr: ir.Call | None) -> Diagram:
        if isinstance(term, OperatorValue):
            return self.operator_call(term, args, span, expr)
        if isinstance(term, FunctionValue):
            return self.call_function(term.function, args, None, span, expr, term)
        if isinstance(term, BoundMethod):
            return self.call_function(term.function, args, term.receiver, span, expr)
        if isinstance(term, ClassValue):
            return self.instantiate(term.cls, args, span)
        if isinstance(term, PartialValue):
            return self.call(term.func, [*self._kept_by(term, args), *args], span, expr)
        if isinstance(term, Builtin):
            return self.builtin(term.name, args, span, expr)
        if isinstance(term, MethodOf):
            return self.method_call(term, args, span, expr)
        if isinstance(term, External):
            if expr is None or not isinstance(expr.func, ir.Attribute):
                taskgroups.note(self.frame, term.dotted.rpartition(".")[2])
            return self.external(term, args, span, expr)
        if isinstance(term, Ref) and term.kind == "instance":
            thing = self.object(term)
            method = thing.cls.find("__call__") if thing.cls else None
            if method is not None:
                return self.call_function(method, args, leaf(term), span, expr)
        if isinstance(term, Linear) and term.symbol is not None:
            cls = self.types.get(term.symbol) or self.machine.types.get(term.symbol)
            method = cls.find("__call__") if cls is not None and not cls.overrides("__call__") else None
            if method is not None:
                return self.call_function(method, args, leaf(term), span, expr)
        if isinstance(term, Unknown):
            self.escape_all(args)
            return self.fresh_value(span)
        return self.opaque_call(args, span, expr)

    def _kept_by(self, term: PartialValue, args: list[Bound]) -> list[Bound]:
        """The arguments that a partial object adds in front: a keyword of the call, ``**`` included, replaces one of its own."""
        given = {a.name for a in args if a.name}
        rest = self._keywords([a for a in args if a.star == "**"])[1]
        kept = [a for a in term.args if a.name is None or a.name not in given]
        return kept if rest is ABSENT else [replace(a, value=self.over(rest, a.value)) if a.name else a for a in kept]

    def method_call(self, term: MethodOf, args: list[Bound], span: Span, expr: ir.Call | None) -> Diagram:
        """A method of something: of a container, of the only class that has such a method, or of an unknown object."""
        receiver = term.receiver.term if term.receiver.is_leaf else None
        if isinstance(receiver, Linear) and receiver.symbol is not None:
            known = self.containers.get(receiver.symbol)
            if known is not None:
                found = self._container_method(*known, term.name, args, span)
                if found is not None:
                    return found
            unique = self.by_unique_name(receiver.symbol, args, expr)
            if unique is not None:
                return self.call_function(unique[0], args, unique[1], span, expr)
            return self.opaque_call(args, span, expr, receiver.symbol)
        if isinstance(receiver, External):
            unique = self.by_unique_name(None, args, expr)
            if unique is not None:
                return self.call_function(unique[0], args, unique[1], span, expr)
        return self.method(term, args, span, expr)

    def by_unique_name(
        self, subject: Subject | None, args: list[Bound], expr: ir.Call | None
    ) -> tuple[FunctionInfo, Diagram | None] | None:
        """The only function of that name in the tree that reaches a call site and takes such arguments."""
        if (
            expr is None
            or not isinstance(expr.func, ir.Attribute)
            or expr.func.attr not in self.machine.reaching
            or expr.func.attr in self.machine.common
        ):
            return None
        named = [f for f in self.machine.by_name.get(expr.func.attr, []) if _takes(f, args) and f.owner is not None]
        if len(named) != 1 or len(self.machine.by_name[expr.func.attr]) != 1:
            return None
        if named[0].module.group != self.frame.module.group:
            return None
        if named[0].binding == "static" or subject is None:
            return named[0], None
        return named[0], leaf(symbol(subject))

    def opaque_call(self, args: list[Bound], span: Span, expr: ir.Call | None, source: Subject | None = None) -> Diagram:
        """A call that is not followed: what it gets may change, what it gives is opaque."""
        self.escape_all(args)
        if expr is not None and isinstance(expr.func, ir.Attribute):
            self.forget_by_name(expr.func.attr)
        if source is None and args and not args[0].star:
            first = args[0].value
            if len(first.terms) == 1 and isinstance(first.terms[0], Linear) and first.terms[0].symbol is not None:
                return self._result_of(first.terms[0].symbol, span)
        return self.fresh_value(span, source=source)


def _takes(function: FunctionInfo, args: list[Bound]) -> bool:
    """Whether a function can be called with such arguments (receiver not counted)."""
    params = function.passed
    names = {p.name for p in params if p.kind in ("normal", "keyword")}
    kinds = {p.kind for p in params}
    places = sum(1 for p in params if p.kind in ("normal", "positional"))
    if "**" not in kinds and any(a.name and a.name not in names for a in args):
        return False
    if "*" not in kinds and sum(1 for a in args if a.name is None and not a.star) > places:
        return False
    if any(a.star for a in args):
        return True
    given = {a.name for a in args if a.name} | {p.name for p in params[: sum(1 for a in args if a.name is None)]}
    return all(p.default is not None or p.kind in ("*", "**") or p.name in given for p in params)
