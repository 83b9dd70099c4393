"""What bears a value on: names, attributes, results of functions, captured tuples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.handed import given_to
from fia_lint.fix.meaning import binder
from fia_lint.fix.parents import Parents
from fia_lint.fix.scope import scope_of
from fia_lint.fix.world import World
from fia_lint.spans import Span


@dataclass(frozen=True)
class Slot:
    """A slot of a tuple of some length; ``joined`` are the places where tuples were put together on the way."""

    at: int
    length: int
    joined: frozenset[Span] = frozenset()


#: What holds the value: nothing (it is the value), a dict under a key, or a tuple.
Holder = str | Slot | None
_LOOKS_AROUND = frozenset({"locals", "globals", "vars", "exec", "eval"})


class Elsewhere(Exception):
    """A value goes where a fix must not change it. The message says where, in words."""


@dataclass
class Bearers(ABC):
    """Follows what is bound to something to where that is read. Everything raises ``Elsewhere``."""

    world: World
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    @abstractmethod
    def follow(self, path: str, node: ir.Expr, holder: Holder = None) -> None:
        """Follow an expression of a file."""

    def assigned(self, path: str, target: ir.Expr, holder: Holder) -> None:
        """A value is assigned."""
        if isinstance(target, ir.Name):
            return self.name(path, target.id, target, holder)
        if isinstance(target, ir.Attribute) and target.attr not in self.world.windows:
            return self._attribute(path, target.attr, holder)
        if isinstance(target, ir.Subscript) and isinstance(target.index, ir.Constant) and isinstance(target.value, ir.Name):
            if holder is None and isinstance(target.index.value, str):
                return self.name(path, target.value.id, target.value, target.index.value)
        if isinstance(target, ir.Sequence) and isinstance(holder, Slot) and len(target.items) == holder.length:
            if not any(isinstance(item, ir.Starred) for item in target.items):
                return self.assigned(path, target.items[holder.at], None)
        raise self.elsewhere(path, target)

    def name(self, path: str, name: str, where: ir.Expr | ir.Stmt, holder: Holder) -> None:
        """What is bound to a name at a place: all reads of it there."""
        scope = scope_of(self.facts(path), where.span)
        function = binder(name, scope)
        key = (path, name, function and function.span, holder)
        if key in self._seen:
            return
        self._seen.add(key)
        if function is None and (name in scope.local or scope.owner is not None and not scope.functions):
            raise Elsewhere(f"{name} belongs to a class")
        inside = list(walk(function)) if function else list(walk(*self.facts(path).body))
        names = [item for item in inside if isinstance(item, ir.Name)]
        if any(name in item.names for item in inside if isinstance(item, ir.Scope)):
            raise Elsewhere(f"{name} is shared between functions")
        if any(item.id in _LOOKS_AROUND for item in names):
            raise Elsewhere(f"code that looks at all names may use {name}")
        if function is None:
            names = [item for item in names if item.id != name or name not in scope_of(self.facts(path), item.span).local]
            self._imported(path, name)
        read = self._reads(path, [item for item in names if item.id == name], holder)
        if function is None and not read:
            raise Elsewhere(f"{name} may be used elsewhere")

    def _reads(self, path: str, items: list[ir.Name] | list[ir.Attribute], holder: Holder) -> int:
        """Follow what reads, and is not assigned to; how many these are."""
        parents = self.parents(path)
        reads = [item for item in items if not parents.stands_on_the_left(item)]
        for item in reads:
            if isinstance(parents.of(item), ir.AugAssign):
                raise self.elsewhere(path, item)
            self.follow(path, item, holder)
        return len(reads)

    def _attribute(self, path: str, attr: str, holder: Holder) -> None:
        """What is assigned to an attribute: all reads of an attribute of that name."""
        key = ("attribute", attr, holder)
        if key in self._seen:
            return
        self._seen.add(key)
        read = 0
        for other in self._mentioning(attr):
            inside = list(walk(*self.facts(other).body))
            if any(getattr(item, "name", "") == attr for item in inside if isinstance(item, ir.FunctionDef)):
                raise Elsewhere(f"{attr} is a function, too")
            read += self._reads(
                other, [item for item in inside if isinstance(item, ir.Attribute) and item.attr == attr], holder
            )
        if not read:
            raise Elsewhere(f"{attr} may be used elsewhere")

    def _imported(self, path: str, name: str) -> None:
        """A name of a file must not be taken over by another one."""
        for other in self._mentioning(name):
            if other != path:
                for item in walk(*self.facts(other).body):
                    imported = isinstance(item, ir.ImportFrom) and {name, "*"} & {original for original, _ in item.names}
                    if imported or (isinstance(item, ir.Attribute) and item.attr == name):
                        raise Elsewhere(f"{name} may also be used in {other}")

    def returned(self, path: str, statement: ir.Return, holder: Holder) -> None:
        """What a function returns: all calls of a function of that name."""
        function = self.inside(path, statement)
        name = function.name
        key = ("function", name, holder)
        if key in self._seen:
            return
        self._seen.add(key)
        for other, call in self._calls(function):
            self.follow(other, call, holder)

    def left_out(self, path: str, parameter: ir.Parameter) -> None:
        """The default of a parameter: all calls of a function of that name must leave it to that."""
        function = self.inside(path, parameter)
        for other, call in self._calls(function):
            if any(argument.star for argument in call.args) or given_to(call, function, parameter) is not None:
                where = f"{other}:{call.span.line}"
                raise Elsewhere(f"not all calls leave {parameter.name} to its default: it is passed at {where}")

    def _calls(self, function: ir.FunctionDef) -> Iterator[tuple[str, ir.Call]]:
        """All calls of a function of some name, which must have no other uses, with their files."""
        name, calls = function.name, 0
        for other in self._mentioning(name):
            for item in walk(*self.facts(other).body):
                if isinstance(item, ir.ImportFrom) and any(one == name and alias for one, alias in item.names):
                    raise Elsewhere(f"{name} has another name in {other}")
                if name in (getattr(item, "id", None), getattr(item, "attr", None)) and isinstance(item, ir.Expr):
                    call = self.parents(other).of(item)
                    if not isinstance(call, ir.Call) or call.func is not item:
                        raise self.elsewhere(other, item)
                    yield other, call
                    calls += 1
        if not calls:
            raise Elsewhere(f"who calls {name}, nobody knows")

    # ------------------------------------------------------------------------------------------------- helpers

    def facts(self, path: str) -> ir.Facts:
        facts = self.world.whole.facts(path)
        if facts is None:
            raise Elsewhere(f"{path} cannot be read")
        return facts

    def parents(self, path: str) -> Parents:
        return self.world.parents(self.facts(path))

    def _mentioning(self, word: str) -> Iterator[str]:
        """The files that speak of something. Where its name stands in a string, it can be reached in ways nobody knows."""
        for path in self.world.whole.mentioning(word):
            parents = self.parents(path)
            for item in walk(*self.facts(path).body):
                if isinstance(item, ir.Constant) and item.value == word and not _is_key(parents, item):
                    raise Elsewhere(f"{word} stands in a string in {path}")
            yield path

    def inside(self, path: str, item: object) -> ir.FunctionDef:
        """The function that a statement or a parameter belongs to."""
        parents = self.parents(path)
        parent = parents.of(item)
        while parent is not None and not isinstance(parent, ir.FunctionDef):
            if isinstance(parent, ir.Lambda):
                break
            parent = parents.of(parent)
        if not isinstance(parent, ir.FunctionDef) or parent.is_generator or parent.is_async:
            raise Elsewhere("the value comes from code that is not followed")
        return parent

    def elsewhere(self, path: str, item: ir.Expr) -> Elsewhere:
        text = " ".join(self.facts(path).text(item.span).split())
        return Elsewhere(f"{text if len(text) < 40 else text[:40] + '…'} is used at {path}:{item.span.line}, too")


def _is_key(parents: Parents, item: ir.Constant) -> bool:
    """Whether a string is the key of a dict: in a display, a subscript, or the first argument of a method."""
    parent = parents.of(item)
    call = parents.of(parent) if isinstance(parent, ir.Argument) else None
    if isinstance(call, ir.Call):
        return isinstance(call.func, ir.Attribute) and call.func.attr in ("get", "pop", "setdefault")
    return isinstance(parent, (ir.DictDisplay, ir.Subscript, ir.Compare))
