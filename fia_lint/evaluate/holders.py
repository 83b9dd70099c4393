"""Other names for functions, and for objects that are called: imports ``as``, aliases, attributes that are given one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.scopes import dotted
from fia_lint.extract import ir

#: What gives a function back, or something that is called in its place.
WRAPPINGS = frozenset({"partial", "partialmethod", "staticmethod", "getattr"})

#: How a place resolves an expression to functions (or, of a class, to its constructor and ``__call__``).
Resolve = Callable[[ir.Expr, "FunctionInfo | None", Module], Iterable[FunctionInfo]]


@dataclass(frozen=True, eq=False)
class Held:
    """What an attribute of a class is given: an expression, or (``made``) an object of the class that it names."""

    owner: ClassInfo
    expr: ir.Name | ir.Attribute
    made: bool
    function: FunctionInfo | None


class Holders:
    """A table of names, to be asked what else a function may be called by, and what an attribute may call."""

    def __init__(self) -> None:
        self._other_names: dict[tuple[str, bool], set[str]] = {}
        self._attributes: dict[str, list[Held]] = {}
        self._active: set[int] = set()

    def index(self, module: Module) -> None:
        """Enter the names that a module gives."""
        for stmt in module.imports:
            for name, alias in stmt.names if isinstance(stmt, ir.ImportFrom) else ():
                if alias and alias != name:
                    self._other_names.setdefault((name, False), set()).add(alias)
        for target, expr, made in _assignments(module.items):
            if isinstance(target, ir.Name):
                self._other_names.setdefault((_last(expr), made), set()).add(target.id)
        for cls in module.classes:
            for target, expr, made in _assignments(cls.node.body):
                if isinstance(target, ir.Name):
                    self._attribute(target.id, Held(cls, expr, made, None))
        for function in module.functions:
            if function.owner is not None and function.params:
                for target, expr, made in _assignments(function.items):
                    if isinstance(target, ir.Attribute) and dotted(target.value) == function.params[0].name:
                        self._attribute(target.attr, Held(function.owner, expr, made, function))

    def _attribute(self, name: str, held: Held) -> None:
        self._attributes.setdefault(name, []).append(held)
        self._other_names.setdefault((_last(held.expr), held.made), set()).add(name)

    def names_of(self, name: str, made: bool = False) -> set[str]:
        """The names under which something called ``name`` (or, with ``made``, an object of that class) may be found."""
        found: set[str] = set()
        pending = [(name, made)]
        for each, is_class in pending:
            aliases = [(other, is_class) for other in self._other_names.get((each, False), ())]
            objects = [(other, False) for other in self._other_names.get((each, True), ())] if is_class else []
            pending.extend(item for item in (*aliases, *objects) if item not in pending)
            found.update(other for other, _ in (*aliases, *objects))
        return found - {name}

    def held_by(self, cls: ClassInfo, attr: str, resolve: Resolve) -> Iterator[FunctionInfo]:
        """The functions that a call of an attribute of a class, of a base or of a subclass may run."""
        for held in self._attributes.get(attr, ()):
            if id(held) in self._active or not (held.owner in cls.mro() or cls in held.owner.mro()):
                continue
            self._active.add(id(held))
            near = held.owner.methods.get(_last(held.expr)) if held.function is None and isinstance(held.expr, ir.Name) else None
            found = [near] if near is not None else list(resolve(held.expr, held.function, held.owner.module))
            self._active.discard(id(held))
            yield from (f for f in found if not held.made or f.name == "__call__")


def _assignments(items: Iterable[object]) -> Iterator[tuple[ir.Expr, ir.Name | ir.Attribute, bool]]:
    """Targets of assignments with what they may hold."""
    for item in items:
        if isinstance(item, ir.Assign) and item.value is not None:
            for expr, made in _held(item.value):
                yield from ((target, expr, made) for target in item.targets)


def _held(expr: ir.Expr) -> Iterator[tuple[ir.Name | ir.Attribute, bool]]:
    """The functions that an expression may be, by their names, and the classes that it may make an object of."""
    if isinstance(expr, (ir.Name, ir.Attribute)):
        yield expr, False
    elif isinstance(expr, ir.Call):
        if (dotted(expr.func) or "").rpartition(".")[2] in WRAPPINGS:
            yield from _held(expr.args[0].value) if expr.args else ()
        elif isinstance(expr.func, (ir.Name, ir.Attribute)):
            yield expr.func, True
    elif isinstance(expr, ir.Conditional):
        yield from _held(expr.body)
        yield from _held(expr.orelse)
    elif isinstance(expr, (ir.Boolean, ir.DictDisplay, ir.Sequence)):
        for value in _items(expr):
            yield from _held(value)


def _items(expr: ir.Boolean | ir.DictDisplay | ir.Sequence) -> list[ir.Expr]:
    if isinstance(expr, ir.DictDisplay):
        return [value for _, value in expr.entries]
    return expr.items if isinstance(expr, ir.Sequence) else expr.values


def _last(expr: ir.Name | ir.Attribute) -> str:
    return expr.attr if isinstance(expr, ir.Attribute) else expr.id
