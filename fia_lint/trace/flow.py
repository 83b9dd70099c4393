"""Which definitions of a name can reach a statement: one pass over the lowered body of a function, class or module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fia_lint.evaluate.scopes import dotted
from fia_lint.extract import ir
from fia_lint.extract.walk import own_expressions, walk
from fia_lint.spans import Span
from fia_lint.trace.bindings import Bindings, aliases
from fia_lint.trace.definitions import Definition, Env, Guard, Guards, at_entry, joined


class Flow(Bindings):
    """A body with what is known before each of its statements.

    ``before`` and ``guards`` are by ``id`` of the statement, ``holder`` gives the statement that an expression (by
    ``id``) stands in. ``end`` is what is known behind the body; ``returns`` its return statements that can be reached.
    """

    def __init__(self, body: Sequence[ir.Stmt], params: Sequence[ir.Parameter] = ()) -> None:
        super().__init__(aliases(body))
        self.before: dict[int, Env] = {}
        self.guards: dict[int, Guards] = {}
        self.holder: dict[int, ir.Stmt] = {}
        self.returns: dict[int, ir.Return] = {}
        self._loops: list[tuple[list[Env | None], list[Env | None]]] = []
        self._tries: list[list[Env | None]] = []
        start: Env = {}
        for param in params:
            made = self.make("parameter", param.name, param.span, param)
            start[param.name] = frozenset({made})
        self.end = self.block(body, start, ())

    def reaching(self, name: str, expr: object) -> frozenset[Definition]:
        """The definitions of a dotted name that can reach an expression; none if the body knows nothing of it there."""
        statement = self.holder.get(id(expr))
        env = self.before.get(id(statement)) if statement is not None else None
        return (env or {}).get(name, frozenset())

    def guards_of(self, expr: object) -> Guards:
        """The tests that stand around an expression's statement."""
        return self.guards.get(id(self.holder.get(id(expr))), ())

    # ------------------------------------------------------------------------------------------ statements

    def block(self, body: Sequence[ir.Stmt], env: Env | None, guards: Guards) -> Env | None:
        """Go through statements; what is known behind them, None where nothing comes behind."""
        for stmt in body:
            if env is None:
                return None
            env, left = self._statement(stmt, env, guards)
            guards = guards + left
        return env

    def _statement(self, stmt: ir.Stmt, env: Env, guards: Guards) -> tuple[Env | None, Guards]:
        """One statement: what is known behind it, and the tests that what follows has passed."""
        if id(stmt) not in self.guards:
            self.guards[id(stmt)] = guards
            for expr in own_expressions(stmt):
                self.holder.update((id(item), stmt) for item in walk(expr))
        env = self.expressions(stmt, env, guards)
        known = self.before.get(id(stmt))
        env = env if known is None else joined([known, env], self.entry) or env
        self.before[id(stmt)] = env
        for seen in self._tries:
            seen.append(env)
        kind = getattr(self, f"_{type(stmt).__name__.lower()}", None)
        if kind is None:
            return env, ()
        result = kind(stmt, env, guards)
        return result if isinstance(result, tuple) else (result, ())

    def _assign(self, stmt: ir.Assign, env: Env, guards: Guards) -> Env:
        for target in stmt.targets if stmt.value is not None else ():
            env = self.bind(target, stmt.value, "assign", stmt, guards, env)
        return env

    def _augassign(self, stmt: ir.AugAssign, env: Env, guards: Guards) -> Env:
        return self.augment(stmt, guards, env)

    def _delete(self, stmt: ir.Delete, env: Env, guards: Guards) -> Env:
        for target in stmt.targets:
            if isinstance(target, ir.Subscript):
                env = self.add(env, "delete", target, stmt, guards)
        return env

    def _functiondef(self, stmt: ir.FunctionDef, env: Env, guards: Guards) -> Env:
        return self.put(env, self.make("function", stmt.name, stmt.name_span, stmt, guards=guards, statement=stmt))

    def _classdef(self, stmt: ir.ClassDef, env: Env, guards: Guards) -> Env:
        return self.put(env, self.make("class", stmt.name, stmt.name_span, stmt, guards=guards, statement=stmt))

    def _import(self, stmt: ir.Import | ir.ImportFrom, env: Env, guards: Guards) -> Env:
        for name, alias in stmt.names:
            bound = alias or (name.partition(".")[0] if isinstance(stmt, ir.Import) else name)
            env = self.put(env, self.make("import", bound, stmt.span, stmt, guards=guards, statement=stmt))
        return env

    _importfrom = _import

    def _return(self, stmt: ir.Return, env: Env, guards: Guards) -> None:
        self.returns[id(stmt)] = stmt

    def _raise(self, stmt: ir.Raise, env: Env, guards: Guards) -> None:
        return None

    def _jump(self, stmt: ir.Jump, env: Env, guards: Guards) -> None:
        if self._loops:
            self._loops[-1][stmt.kind == "continue"].append(env)

    # ------------------------------------------------------------------------------------------ branches

    def guard(
        self, kind: str, test: ir.Expr | None, holds: bool, item: ir.Stmt | ir.Handler | ir.MatchCase, statement: ir.Stmt
    ) -> Guard:
        """The guard of a branch, made once."""
        key = (id(item), kind, holds)
        if key not in self.made_guards:
            span = test.span if test is not None else item.span if not isinstance(item, ir.MatchCase) else _head(item)
            self.made_guards[key] = Guard(kind, test, holds, span, statement)
        return self.made_guards[key]

    def _if(self, stmt: ir.If, env: Env, guards: Guards) -> tuple[Env | None, Guards]:
        yes, no = (self.guard("if", stmt.test, holds, stmt, stmt) for holds in (True, False))
        one = self.block(stmt.body, env, (*guards, yes))
        other = self.block(stmt.orelse, env, (*guards, no))
        left: Guards = ()
        if (one is None) != (other is None):
            left = (self.guard("exit", stmt.test, one is not None, stmt, stmt),)
        return joined([one, other], self.entry), left

    def _assert(self, stmt: ir.Assert, env: Env, guards: Guards) -> tuple[Env, Guards]:
        return env, (self.guard("exit", stmt.test, True, stmt, stmt),)

    def _match(self, stmt: ir.Match, env: Env, guards: Guards) -> Env | None:
        ways: list[Env | None] = []
        for case in stmt.cases:
            inside = (*guards, self.guard("case", None, True, case, stmt))
            self.holder.update((id(item), stmt) for item in walk(stmt.subject))
            ways.append(self.block(case.body, self.capture(case.pattern, stmt, inside, env), inside))
        if not any(c.guard is None and c.pattern.kind == "capture" and not c.pattern.patterns for c in stmt.cases):
            ways.append(env)
        return joined(ways, self.entry)

    def _with(self, stmt: ir.With, env: Env, guards: Guards) -> Env | None:
        for item in stmt.items:
            if item.target is not None:
                env = self.bind(item.target, item.value, "with", stmt, guards, env)
        if not any(_suppresses(item.value) for item in stmt.items):
            return self.block(stmt.body, env, guards)
        seen: list[Env | None] = [env]
        self._tries.append(seen)
        after = self.block(stmt.body, env, guards)
        self._tries.pop()
        return joined([after, *seen], self.entry)

    def _try(self, stmt: ir.Try, env: Env, guards: Guards) -> Env | None:
        seen: list[Env | None] = [env]
        self._tries.append(seen)
        after = self.block(stmt.body, env, guards)
        seen.append(after)
        self._tries.pop()
        failed = joined(seen, self.entry)
        ways = [self.block(stmt.orelse, after, guards)]
        for handler in stmt.handlers:
            inside = (*guards, self.guard("except", None, True, handler, stmt))
            if handler.type is not None:
                self.holder.update((id(item), stmt) for item in walk(handler.type))
            ways.append(self.block(handler.body, failed, inside))
        result = joined(ways, self.entry)
        if not stmt.final:
            return result
        last = self.block(stmt.final, joined([result, failed], self.entry), guards)
        return None if result is None else last

    # ------------------------------------------------------------------------------------------ loops

    def _while(self, stmt: ir.While, env: Env, guards: Guards) -> Env | None:
        inside = (*guards, self.guard("while", stmt.test, True, stmt, stmt))
        forever = isinstance(stmt.test, ir.Constant) and bool(stmt.test.value)
        return self._loop(stmt, env, lambda at: at, inside, guards, forever)

    def _for(self, stmt: ir.For, env: Env, guards: Guards) -> Env | None:
        inside = (*guards, self.guard("for", None, True, stmt, stmt))
        return self._loop(stmt, env, lambda at: self.bind(stmt.target, stmt.iterable, "loop", stmt, inside, at), inside, guards)

    def _loop(self, stmt, env: Env, head, inside: Guards, guards: Guards, forever: bool = False) -> Env | None:
        """A loop body until nothing new is known at its head."""
        at: Env = env
        for _ in range(8):
            breaks: list[Env | None] = []
            again: list[Env | None] = []
            self._loops.append((breaks, again))
            end = self.block(stmt.body, head(at), inside)
            self._loops.pop()
            following = joined([at, end, *again], self.entry) or at
            if following == at:
                break
            at = following
            self.before[id(stmt)] = joined([self.before[id(stmt)], at], self.entry) or at
        done = None if forever else self.block(stmt.orelse, at, guards)
        return joined([done, *breaks], self.entry)

    def whole(self, name: str) -> Iterable[Definition]:
        """All definitions of a name in the body, for code that runs at some other time."""
        return [each for each in self.all if each.name == name]


def _head(case: ir.MatchCase) -> Span:
    """Where the pattern of a case stands, with its guard."""
    end = case.guard.span if case.guard is not None else case.pattern.span
    return Span(*case.pattern.span[:2], *end[2:])


def _suppresses(expr: ir.Expr) -> bool:
    """Whether a context manager may swallow what is raised below it."""
    called = dotted(expr.func) if isinstance(expr, ir.Call) else None
    return (called or "").rpartition(".")[2] in ("suppress", "raises")


__all__ = ["Flow", "at_entry"]
