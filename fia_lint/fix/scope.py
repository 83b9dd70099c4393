"""What stands around a call: its function and class, what names are bound to there, and which names are at hand."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fia_lint.extract import ir
from fia_lint.extract.walk import target_names, walk
from fia_lint.fix.bindings import Definition, bindings, declared, statements
from fia_lint.fix.bound import covers, surely_bound
from fia_lint.spans import Span


@dataclass(eq=False)
class Scope:
    """The surroundings of a place in a file. ``chain`` are the definitions around it, from the outside in."""

    facts: ir.Facts
    span: Span
    chain: tuple[Definition, ...]

    @property
    def path(self) -> str:
        return self.facts.path

    @property
    def functions(self) -> list[ir.FunctionDef]:
        """The functions around the place, the innermost first."""
        return [item for item in self.chain[::-1] if isinstance(item, ir.FunctionDef)]

    @property
    def owner(self) -> ir.ClassDef | None:
        """The class around the place."""
        return next((item for item in self.chain[::-1] if isinstance(item, ir.ClassDef)), None)

    @property
    def body(self) -> Sequence[ir.Stmt]:
        """The statements of the innermost function, or of the file."""
        return self.functions[0].body if self.functions else self.facts.body

    @cached_property
    def call(self) -> ir.Call | None:
        """The call at the place."""
        found = (item for item in walk(*self.body) if isinstance(item, ir.Call) and item.span == self.span)
        return next(found, None)

    @cached_property
    def expr(self) -> ir.Expr | None:
        """The expression at the place."""
        found = (item for item in walk(*self.body) if isinstance(item, ir.Expr) and item.span == self.span)
        return next(found, None)

    @cached_property
    def receiver(self) -> str:
        """What the object is called whose method this is, ``self``; empty elsewhere, and where the name means something else."""
        inner = [item for item in self.functions if self.owner and covers(self.owner.span, item.span)]
        method = inner[-1] if inner else None
        if method is None or not method.params or method.params[0].kind.startswith("*"):
            return ""
        if any(isinstance(d, ir.Name) and d.id in ("staticmethod", "classmethod") for d in method.decorators):
            return ""
        name = method.params[0].name
        again = any(bound == name for function in inner for bound, _, _ in bindings(function.body))
        return "" if again or name in self.inner or any(name in _parameters(f) for f in inner[:-1]) else name

    @cached_property
    def inner(self) -> frozenset[str]:
        """The names that lambdas and comprehensions around the place bind."""
        around = [
            item
            for item in walk(*self.body)
            if isinstance(item, (ir.Lambda, ir.Comprehension)) and covers(item.span, self.span)
        ]
        names = {parameter.name for item in around if isinstance(item, ir.Lambda) for parameter in item.params}
        loops = [loop for item in around if isinstance(item, ir.Comprehension) for loop in item.loops]
        return frozenset(names.union(*(target_names(loop.target) for loop in loops)))

    @cached_property
    def local(self) -> dict[str, list[ir.Expr | None]]:
        """The names that the functions around bind, and the class body if the place stands directly in one: what each is
        bound to, None where that is no expression of its own. A function hides what those around it call the same."""
        found: dict[str, list[ir.Expr | None]] = {name: [None] for name in self.inner}
        bodies = [(dict(_defaults(function)), function.body) for function in self.functions]
        if self.chain and isinstance(self.chain[-1], ir.ClassDef):
            bodies.insert(0, ({}, self.chain[-1].body))
        for parameters, body in bodies:
            own: dict[str, list[ir.Expr | None]] = {name: [default] for name, default in parameters.items()}
            foreign = declared(body)
            for name, value, _ in bindings(body):
                if name not in foreign:
                    own.setdefault(name, []).append(value)
            found = {**own, **found}
        return found

    @cached_property
    def before(self) -> frozenset[str]:
        """The local names that are sure to have a value at the place."""
        found = {name for function in self.functions for name in _parameters(function)}
        for function in self.functions:
            found |= surely_bound(function.body, self.span)
        return frozenset(found - self.inner)

    @cached_property
    def unused(self) -> list[str]:
        """The local names that are unpacked and then used nowhere."""
        names = [item.id for item in walk(*self.body) if isinstance(item, ir.Name)]
        function = self.functions[0] if self.functions else None
        parameters = {parameter.name for parameter in function.params} if function else set()
        return [n for n, values in self.local.items() if values == [None] and n not in parameters and names.count(n) == 1]

    @cached_property
    def module(self) -> frozenset[str]:
        """The names that the file itself binds."""
        return frozenset(name for name, _, _ in bindings(self.facts.body))

    def at_hand(self, name: str) -> bool:
        """Whether a name is sure to have a value at the place."""
        if name in self.local:
            return name in self.before
        if name in self.module:
            # A function runs when the file is through; what stands outside of one, in its turn.
            return name in surely_bound(self.facts.body, None if self.functions else self.span) and name not in self.shared
        return hasattr(builtins, name)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The names of the file that functions bind anew (``global``)."""
        return frozenset(name for item in walk(*self.facts.body) if isinstance(item, ir.Scope) for name in item.names)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The attributes of ``self`` that the class speaks of."""
        receiver = self.receiver
        inside = walk(self.owner) if self.owner and receiver else ()
        return frozenset(item.attr for item in inside if is_attribute_of(item, receiver))

    def text(self, expr: ir.Expr) -> str:
        """An expression as the source has it."""
        return self.facts.text(expr.span)


def is_attribute_of(item: object, name: str) -> bool:
    """Whether an expression is ``name.something``."""
    return isinstance(item, ir.Attribute) and isinstance(item.value, ir.Name) and item.value.id == name


def scope_of(facts: ir.Facts, span: Span) -> Scope:
    """What stands around a place. Defaults, decorators and bases belong to what stands around their definition."""
    chain: list[Definition] = []
    body: Sequence[ir.Stmt] = facts.body
    while True:
        inner = next((s for s in statements(body) if isinstance(s, Definition) and _is_in_body(s, span)), None)
        if inner is None:
            return Scope(facts, span, tuple(chain))
        chain.append(inner)
        body = inner.body


def _is_in_body(definition: Definition, span: Span) -> bool:
    return covers(definition.span, span) and any(covers(item.span, span) for item in definition.body)


def _defaults(function: ir.FunctionDef) -> list[tuple[str, ir.Expr | None]]:
    return [(parameter.name, parameter.default) for parameter in function.params]


def _parameters(function: ir.FunctionDef) -> list[str]:
    return [parameter.name for parameter in function.params]


def unpacking_at(scope: Scope, span: Span) -> ir.Sequence | None:
    """The names on the left of the unpacking at a place."""
    for item in walk(*scope.body):
        targets = item.targets if isinstance(item, ir.Assign) else [item.target] if isinstance(item, ir.For) else []
        for target in targets:
            if isinstance(target, ir.Sequence) and span in (target.span, item.span):  # type: ignore[attr-defined]
                return target
    return None


def rendered(scope: Scope, expr: ir.Expr, substitute: Callable[[ir.Expr], str | None]) -> str:
    """An expression as the source has it, with some of the expressions in it written otherwise."""
    from fia_lint.extract.walk import parts

    pieces: list[tuple[Span, str]] = []
    pending: list[object] = [expr]
    while pending:
        item = pending.pop()
        new = substitute(item) if isinstance(item, ir.Expr) else None
        if new is not None:
            pieces.append((item.span, new))  # type: ignore[attr-defined]
        else:
            pending += parts(item)
    text, place = [], (expr.span.line, expr.span.column)
    for span, new in sorted(pieces):
        text += [scope.facts.text(Span(*place, span.line, span.column)), new]
        place = (span.end_line, span.end_column)
    return "".join([*text, scope.facts.text(Span(*place, expr.span.end_line, expr.span.end_column))])
