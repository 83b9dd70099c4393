"""Statements: how each changes the state, and where control goes."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, Diagram, Work, conj, leaf
from fia_lint.algebra.terms import Term
from fia_lint.evaluate import taskgroups
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.exceptions import Exceptions
from fia_lint.evaluate.interpreter import Loop, TooMuchWork
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.values import ABSENT, NONE, Bound, Deferred, Element, Object, Ref, key_of
from fia_lint.extract import ir
from fia_lint.spans import Span

#: Statements, those of followed calls and of every round of a loop included, after which an evaluation is given up.
MOST_STEPS = 60_000


#: Statements after which a caller sees nothing new.
_LOCAL = (ir.Return, ir.Jump, ir.Import, ir.ImportFrom, ir.Assert, ir.Scope, ir.FunctionDef, ir.ClassDef, ir.If, ir.For, ir.While)


class Statements(Exceptions):
    """One method per kind of statement, found by the name of its class."""

    def block(self, body: list[ir.Stmt]) -> None:
        """Run statements until one of them leaves the block."""
        for stmt in body:
            if self.state.dead:
                return
            self.steps += 1
            if self.steps > MOST_STEPS:
                self.cut = True
                self.state.path = FALSE
                return
            if self.limit is not None and (self.steps > self.limit[0] or Work.done > self.limit[1]):
                raise TooMuchWork
            getattr(self, "run_" + type(stmt).__name__)(stmt)
            if not self.state.dead:
                for snapshots in self.frame.tries:
                    snapshots.append(self.state.copy())
                if not isinstance(stmt, _LOCAL):
                    self._seen_by_callers()

    def _seen_by_callers(self) -> None:
        """What was done so far stays done if a caller catches what is raised next."""
        frame = self.frame.parent
        while frame is not None:
            for snapshots in frame.tries:
                state = self.state.copy()
                state.path, state.exact = snapshots[0].path, False
                snapshots.append(state)
            frame = frame.parent

    def leave(self, into: list) -> None:
        """The current path goes elsewhere; nothing follows here."""
        into.append(self.state)
        self.state = self.state.copy()
        self.state.path = FALSE

    def frame_span(self) -> Span:
        function = self.frame.function
        return function.span if function else Span(1, 1, 1, 1)

    # ------------------------------------------------------------------------------------------ simple ones

    def run_ExprStmt(self, stmt: ir.ExprStmt) -> None:
        self.eval(stmt.value)

    def run_Assign(self, stmt: ir.Assign) -> None:
        if stmt.value is None:
            return
        value = self.eval(stmt.value)
        if stmt.annotation is not None:
            self.note_type(value, stmt.annotation)
        for target in stmt.targets:
            self.assign(target, value)

    def run_AugAssign(self, stmt: ir.AugAssign) -> None:
        old = self.eval(stmt.target)
        value = self.eval(stmt.value)
        if any(isinstance(term, Ref) and term.kind in ("list", "dict", "set") for term in old.terms):
            self.each_case(old, lambda term: self._augment(term, stmt.op, value, stmt))
            return
        if old.is_leaf and self.extend_container(old.term, stmt.op, value, stmt.span):
            return
        fake = ir.Binary(stmt.span, stmt.op, stmt.target, stmt.value)
        self.assign(stmt.target, self.arithmetic(stmt.op, old, value, fake))

    def _augment(self, term: Term, op: str, value: Diagram, stmt: ir.AugAssign) -> Diagram:
        """``d |= other`` and ``l += other`` change the object itself."""
        if isinstance(term, Ref):
            thing = self.object(term)
            if op == "|" and thing.kind == "dict":
                self.state.store(term.address, self.merged(thing, self.as_dict(value, stmt.value)))
            elif op == "+" and thing.kind == "list":
                more = self.spread(value)
                known = thing.items is not None and more is not None
                self.state.store(term.address, Object("list", (*thing.items, *more) if known else None))  # type: ignore[misc]
            else:
                self.forget(term, "changed in place")
        return NONE

    def run_Import(self, stmt: ir.Import) -> None:
        for name, alias in stmt.names:
            value = self.import_module(name, 0)
            if alias is None and "." in name:
                alias = name.partition(".")[0]
                value = self.import_module(alias, 0)
            self.bind_name(alias or name, value)

    def run_ImportFrom(self, stmt: ir.ImportFrom) -> None:
        for name, alias in stmt.names:
            if name == "*":
                for each, value in self.star_names(stmt).items():
                    self.bind_name(each, value)
            else:
                deferred = Deferred(self.frame.module.path, stmt.module, stmt.level, name)
                self.bind_name(alias or name, leaf(deferred), windowed=False)

    def run_FunctionDef(self, stmt: ir.FunctionDef) -> None:
        value = self.make_function(stmt)
        self.bind_name(stmt.name, self.decorated(value, stmt))

    def run_ClassDef(self, stmt: ir.ClassDef) -> None:
        self.bind_name(stmt.name, self.make_class(stmt))

    def run_Scope(self, stmt: ir.Scope) -> None:
        if stmt.kind == "global":
            self.frame.globals = self.frame.globals | set(stmt.names)

    def run_Delete(self, stmt: ir.Delete) -> None:
        for target in stmt.targets:
            if isinstance(target, ir.Subscript):
                index = self.eval(target.index)
                self.each_case(self.eval(target.value), lambda term, i=index: self._remove(term, i))
            elif isinstance(target, ir.Name):
                self.state.unset(self.frame.id, target.id)
            elif isinstance(target, ir.Attribute):
                self.assign(target, self.unknown("deleted", stmt.span))

    def _remove(self, term: Term, index: Diagram) -> Diagram:
        if isinstance(term, Ref):
            thing = self.object(term)
            key = key_of(index.term) if index.is_leaf else NotImplemented
            if thing.kind == "dict" and key is not NotImplemented:
                self.state.store(term.address, thing.with_field(key, ABSENT))
            else:
                self.forget(term, "an item was deleted")
        elif isinstance(term, Element):
            self.touch(term)
        return NONE

    def run_Return(self, stmt: ir.Return) -> None:
        value = NONE if stmt.value is None else self.eval(stmt.value)
        if self.state.dead:
            return
        self.frame.returns.append((self.state, value))
        self.state = self.state.copy()
        self.state.path = FALSE

    def run_Raise(self, stmt: ir.Raise) -> None:
        if stmt.value is not None:
            self.eval(stmt.value)
        for snapshots in self.frame.tries:
            snapshots.append(self.state.copy())
        self.leave(self.frame.raises)

    def run_Assert(self, stmt: ir.Assert) -> None:
        holds = self.condition(stmt.test)
        if not self.frame.allows(conj(self.state.path, holds)):
            self.leave(self.frame.raises)
        else:
            self.state.assume(holds)

    def run_Jump(self, stmt: ir.Jump) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else Loop()
        self.leave(loop.breaks if stmt.kind == "break" else loop.continues)

    # ------------------------------------------------------------------------------------------ branches

    def run_If(self, stmt: ir.If) -> None:
        while True:
            holds = self.condition(stmt.test)
            if len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], ir.If) and holds is FALSE:
                stmt = stmt.orelse[0]
                continue
            break
        self.choose(holds, lambda: self._nothing(stmt.body), lambda: self._nothing(stmt.orelse))

    def _nothing(self, body: list[ir.Stmt]) -> Diagram:
        self.block(body)
        return NONE

    def run_With(self, stmt: ir.With) -> None:
        swallows = False
        left: list[tuple[Diagram, Term]] = []
        region, inside = self.frame.region, ""
        for item in stmt.items:
            value = self.eval(item.value)
            name = dotted(item.value.func if isinstance(item.value, ir.Call) else item.value) or ""
            swallows = swallows or name.rpartition(".")[2] == "suppress"
            entered = value if any(isinstance(t, Ref) for t in value.terms) else self.fresh_value(item.value.span)
            for term in value.terms:
                thing = self.object(term) if isinstance(term, Ref) else None
                if thing is not None and thing.cls is not None and thing.cls.find("__enter__") and value.is_leaf:
                    swallows = swallows or _swallows(thing.cls.find("__exit__"))
                    entered = self.call_function(thing.cls.find("__enter__"), [], value, item.value.span)
                    left.append((value, term))
                elif term in self.generators:
                    swallows = swallows or _catches(self.generators[term])
                    inside = taskgroups.opened_by(self.generators[term]) or inside
            if item.target is not None:
                self.assign(item.target, entered)
        self.frame.region = inside or self.frame.region
        if swallows:
            handler = ir.Handler(stmt.span, None, None, [])
            self.run_Try(ir.Try(stmt.span, stmt.body, [handler], [], []))
        else:
            self.block(stmt.body)
        if inside:
            self.frame.region = region
        for value, term in reversed(left):
            leave = self.object(term).cls.find("__exit__")
            if leave is not None and not self.state.dead:
                nothing = [Bound(NONE)] * 3
                self.call_function(leave, nothing, value, stmt.span)

    def run_Match(self, stmt: ir.Match) -> None:
        subject = self.eval(stmt.subject)
        self._match(subject, stmt.cases, 0)

    def _match(self, subject: Diagram, cases: list[ir.MatchCase], index: int) -> Diagram:
        if index == len(cases):
            return NONE
        case = cases[index]
        holds = self.matches(case.pattern, subject)

        def chosen() -> Diagram:
            self.bind_pattern(case.pattern, subject)
            if case.guard is None:
                return self._nothing(case.body)
            guard = self.condition(case.guard)
            return self.choose(guard, lambda: self._nothing(case.body), lambda: self._match(subject, cases, index + 1))

        return self.choose(holds, chosen, lambda: self._match(subject, cases, index + 1))


def _swallows(leave: FunctionInfo | None) -> bool:
    """Whether an ``__exit__`` may keep an exception from going on: it returns something that may be true."""
    returned = [item.value for item in leave.items if isinstance(item, ir.Return)] if leave is not None else []
    return any(v is not None and not (isinstance(v, ir.Constant) and not v.value) for v in returned)


def _catches(generator: FunctionInfo) -> bool:
    """Whether a context manager that is written as a generator catches exceptions where it yields."""
    caught = [item.body for item in generator.items if isinstance(item, ir.Try) and item.handlers]
    return any(isinstance(item, ir.Other) and item.kind == "yield" for item in walk_all(caught))
