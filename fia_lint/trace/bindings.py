"""How statements and expressions give names their values: the steps that a flow is made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.stores import MUTATORS
from fia_lint.extract import ir
from fia_lint.extract.walk import own_expressions, own_statements, walk
from fia_lint.trace.definitions import Definition, Env, Guard, Guards, at_entry
from fia_lint.trace.steps import MAX_HANDED, WHOLE, Part, Slot, Some, Want, part_of


class Bindings:
    """Definitions, each made once however often its statement is gone through. ``all`` has them in source order."""

    def __init__(self, same: dict[str, frozenset[str]]) -> None:
        self.entry: dict[str, Definition] = {}
        self.made_guards: dict[tuple[int, str, bool], Guard] = {}
        self._same = same
        self._made: dict[tuple[object, ...], Definition] = {}

    @property
    def all(self) -> list[Definition]:
        return sorted(self._made.values(), key=lambda each: each.order)

    def make(
        self,
        kind: str,
        name: str,
        span: object,
        item: object,
        value: ir.Expr | None = None,
        want: Want = WHOLE,
        part: Part | None = None,
        guards: Guards = (),
        statement: ir.Stmt | None = None,
    ) -> Definition:
        key = (id(item), kind, name, span, part)
        if key not in self._made:
            self._made[key] = Definition(kind, name, span, item, value, want, part, guards, statement)  # type: ignore[arg-type]
        return self._made[key]

    # ------------------------------------------------------------------------------------------ names

    def put(self, env: Env, made: Definition) -> Env:
        """A definition that replaces what was there; what hung on the name is gone with it."""
        below = made.name + "."
        result = {name: found for name, found in env.items() if not name.startswith(below)}
        result[made.name] = frozenset({made})
        return result

    def weak(self, env: Env, made: Definition) -> Env:
        """A definition that adds to what is there, under every name that the object is known by.

        After so many, calls that an object is handed to are not told apart any more: thousands of them would take long.
        """
        if made.kind == "hand" and len(env.get(made.name, ())) >= MAX_HANDED:
            return env
        result = dict(env)
        for name in self._same.get(made.name, frozenset({made.name})):
            if name in env or name == made.name:
                result[name] = env.get(name, at_entry(name, self.entry)) | {made}
            if made.kind == "hand":
                result.update((below, known | {made}) for below, known in env.items() if below.startswith(name + "."))
        return result

    def bind(
        self, target: ir.Expr, value: ir.Expr | None, kind: str, stmt: ir.Stmt, guards: Guards, env: Env, want: Want = WHOLE
    ) -> Env:
        """Assign what is wanted of ``value`` to a target; an item of it in a loop."""
        if isinstance(target, ir.Sequence):
            for part, item in _slots(target):
                env = self.bind(item, value, kind, stmt, guards, env, (*want, part))
            return env
        if isinstance(target, ir.Starred):
            return self.bind(target.value, value, kind, stmt, guards, env, want)
        if isinstance(target, ir.Subscript):
            return self.add(env, "store", target, stmt, guards, value, want)
        name = dotted(target)
        if name is None:
            return env
        return self.put(env, self.make(kind, name, target.span, target, value, want, None, guards, stmt))

    def add(
        self,
        env: Env,
        kind: str,
        target: ir.Subscript,
        stmt: ir.Stmt,
        guards: Guards,
        value: ir.Expr | None = None,
        want: Want = WHOLE,
    ) -> Env:
        """Store to an item: an object gets another part."""
        parts: list[Part] = []
        inner: ir.Expr = target
        while isinstance(inner, ir.Subscript):
            parts.append(part_of(inner.index.value) if isinstance(inner.index, ir.Constant) else Some())
            inner = inner.value
        name = dotted(inner)
        if name is None:
            return env
        return self.weak(env, self.make(kind, name, target.span, target, value, want, parts[-1], guards, stmt))

    def augment(self, stmt: ir.AugAssign, guards: Guards, env: Env) -> Env:
        """``a += b``: the name gets a value made of what it had; the object may be changed in place."""
        if isinstance(stmt.target, ir.Subscript):
            return self.add(env, "store", stmt.target, stmt, guards, stmt.value)
        name = dotted(stmt.target)
        if name is None:
            return env
        made = self.make("augment", name, stmt.span, stmt, stmt.value, WHOLE, None, guards, stmt)
        made.others = tuple(set(made.others) | set(env.get(name, at_entry(name, self.entry))) - {made})
        shared = self.make("extend", name, stmt.span, stmt, stmt.value, WHOLE, None, guards, stmt)
        return self.put(self.weak(env, shared), made)

    def capture(self, pattern: ir.Pattern, stmt: ir.Match, guards: Guards, env: Env) -> Env:
        """The names that a pattern binds."""
        for item in walk(pattern):
            if isinstance(item, ir.Pattern) and item.name:
                value = stmt.subject if item is pattern else None
                env = self.put(
                    env, self.make("case", item.name, item.span, item, value or stmt.subject, WHOLE, None, guards, stmt)
                )
        return env

    # ------------------------------------------------------------------------------------------ expressions

    def expressions(self, stmt: ir.Stmt, env: Env, guards: Guards) -> Env:
        """What the expressions of a statement do: walruses, methods that change an object, objects that are handed on."""
        for expr in own_expressions(stmt):
            for item in walk(expr):
                if isinstance(item, ir.Walrus):
                    made = self.make("walrus", item.target.id, item.span, item, item.value, WHOLE, None, guards, stmt)
                    env = self.weak(env, made)
                elif isinstance(item, ir.Call):
                    env = self._call(item, stmt, guards, env)
        return env

    def _call(self, call: ir.Call, stmt: ir.Stmt, guards: Guards, env: Env) -> Env:
        if isinstance(call.func, ir.Attribute):
            inner = call.func.value
            part: Part | None = None
            while isinstance(inner, ir.Subscript):
                part = part_of(inner.index.value) if isinstance(inner.index, ir.Constant) else Some()
                inner = inner.value
            name = dotted(inner)
            if name is not None and call.func.attr in MUTATORS:
                env = self.weak(env, self.make("change", name, call.span, call, None, WHOLE, part, guards, stmt))
            elif name is not None and part is None:
                env = self.weak(env, self.make("hand", name, call.span, call, None, WHOLE, None, guards, stmt))
        elif isinstance(call.func, ir.Name):
            env = self.weak(env, self.make("hand", call.func.id, call.span, call, None, WHOLE, None, guards, stmt))
        for argument in call.args:
            handed = dotted(argument.value) if not argument.star else None
            if handed is not None:
                env = self.weak(env, self.make("hand", handed, argument.span, call, argument.value, WHOLE, None, guards, stmt))
        return env


def _slots(target: ir.Sequence) -> list[tuple[Part, ir.Expr]]:
    """The items of an unpacking target with the parts that they get."""
    items, count = target.items, len(target.items)
    star = next((i for i, item in enumerate(items) if isinstance(item, ir.Starred)), None)
    if star is None:
        return [(Slot(i, count), item) for i, item in enumerate(items)]
    return [(Slot(i) if i < star else Some() if i == star else Slot(i - count), item) for i, item in enumerate(items)]


def aliases(body: Sequence[ir.Stmt]) -> dict[str, frozenset[str]]:
    """The names that plain assignments make names of one object, by name."""
    linked: defaultdict[str, set[str]] = defaultdict(set)
    pending = list(body)
    while pending:
        stmt = pending.pop()
        pending += own_statements(stmt)
        if isinstance(stmt, ir.Assign):
            names = [name for name in map(dotted, [*stmt.targets, stmt.value]) if name]
            for name in names:
                linked[name].update(names)
    found: dict[str, frozenset[str]] = {}
    for name in linked:
        group, pending_names = {name}, [name]
        while pending_names:
            for other in linked[pending_names.pop()] - group:
                group.add(other)
                pending_names.append(other)
        found[name] = frozenset(group)
    return found
