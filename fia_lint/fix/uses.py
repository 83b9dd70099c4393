"""Where a value goes: whether everything that is made of it is an argument that is to be changed.

A value is followed through expressions, names, attributes, entries of dicts, results of functions and captured tuples. What
it reaches is either a mask argument of a call that deviates, or *elsewhere*: then no fix may change it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fia_lint.evaluate.sites import Site, SiteKey
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.effects import is_pure
from fia_lint.fix.meaning import binder
from fia_lint.fix.parents import Parents
from fia_lint.fix.scope import scope_of
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.world import World
from fia_lint.operators import MASK_ARGUMENTS

#: What holds the value: nothing (it is the value), a dict under a key, or a tuple: ``(slot, length)``.
Holder = str | tuple[int, int] | None
_LOOKS_AROUND = frozenset({"locals", "globals", "vars", "exec", "eval"})
_OPERATORS = (ir.Binary, ir.Unary, ir.Compare, ir.Boolean, ir.Conditional, ir.Subscript, ir.Slice)


class Elsewhere(Exception):
    """A value goes where a fix must not change it. The message says where, in words."""


@dataclass
class Uses:
    """Follows values. ``any_argument``: every argument of a call of an operator counts, not only one that deviates."""

    world: World
    any_argument: bool = False
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    # ------------------------------------------------------------------------------------------ in expressions

    def follow(self, path: str, node: ir.Expr, holder: Holder = None) -> None:
        """Follow an expression of a file. Raises ``Elsewhere``."""
        parents = self.parents(path)
        parent = parents.of(node)
        if isinstance(parent, ir.Argument):
            self._argument(path, parent, holder)
        elif isinstance(parent, _OPERATORS):
            self._operator(path, parent, node, holder)
        elif isinstance(parent, ir.Attribute) and isinstance(holder, str):
            self._method(path, parent, holder)
        elif isinstance(parent, ir.DictDisplay):
            self._entry(path, parent, node, holder)
        elif isinstance(parent, ir.Sequence):
            self._item(path, parent, node, holder)
        elif isinstance(parent, ir.Assign) and node is parent.value:
            for target in parent.targets:
                self._target(path, target, holder)
        elif isinstance(parent, ir.Return):
            self._returned(path, parent, holder)
        elif isinstance(parent, ir.Parameter) and node is parent.default:
            self.name(path, parent.name, self._inside(path, parent).body[0], holder)
        elif not isinstance(parent, ir.ExprStmt):
            raise self._elsewhere(path, node)

    def _argument(self, path: str, argument: ir.Argument, holder: Holder) -> None:
        call = self.parents(path).of(argument)
        if not isinstance(call, ir.Call):
            raise self._elsewhere(path, argument.value)
        site = self.world.sites.get(SiteKey(path, call.span))
        if site is not None:
            self._site(path, site, argument, holder)
        elif is_dict(call) and (argument.name or argument.star == "**") and (holder is None) == bool(argument.name):
            self.follow(path, call, argument.name or holder)
        elif holder is None and not argument.star and is_pure(call, scope_of(self.facts(path), call.span)):
            self.follow(path, call)
        elif isinstance(holder, tuple) and isinstance(call.func, ir.Attribute) and call.func.attr == "append":
            self._captured(path, call.func.value, holder)
        else:
            raise self._elsewhere(path, argument.value)

    def _site(self, path: str, site: Site, argument: ir.Argument, holder: Holder) -> None:
        if self.any_argument and holder is None and not argument.star:
            return
        for name in MASK_ARGUMENTS:
            direct = holder is None and not argument.star and site.arguments[name].span == argument.value.span
            spread = isinstance(holder, str) and argument.star == "**" and keyword_of(site, name) == holder
            if (direct or spread) and self.world.deviates(site, name):
                return
        raise self._elsewhere(path, argument.value)

    def _operator(self, path: str, parent: ir.Expr, node: ir.Expr, holder: Holder) -> None:
        if isinstance(holder, str) and isinstance(parent, ir.Subscript) and isinstance(parent.index, ir.Constant):
            if parent.index.value == holder and not self.parents(path).stands_on_the_left(parent):
                self.follow(path, parent)
        elif isinstance(parent, ir.Conditional) and node is not parent.test:
            self.follow(path, parent, holder)
        elif holder is None or (isinstance(holder, str) and isinstance(parent, ir.Binary) and parent.op == "|"):
            self.follow(path, parent, holder)
        else:
            raise self._elsewhere(path, node)

    def _method(self, path: str, method: ir.Attribute, key: str) -> None:
        """A method of a dict is called."""
        call = self.parents(path).of(method)
        first = call.args[0].value if isinstance(call, ir.Call) and call.func is method and call.args else None
        if isinstance(call, ir.Call) and call.func is method and method.attr == "update":
            return
        if isinstance(call, ir.Call) and isinstance(first, ir.Constant) and method.attr in ("get", "pop", "setdefault"):
            if first.value == key:
                self.follow(path, call)
            return
        raise self._elsewhere(path, method)

    def _entry(self, path: str, display: ir.DictDisplay, node: ir.Expr, holder: Holder) -> None:
        for key, value in display.entries:
            if value is node and key is None and isinstance(holder, str):
                return self.follow(path, display, holder)
            if value is node and isinstance(key, ir.Constant) and isinstance(key.value, str) and holder is None:
                return self._display(path, display, key.value)
        raise self._elsewhere(path, node)

    def _display(self, path: str, display: ir.DictDisplay, key: str) -> None:
        """A dict with the value; ``d.update({…})`` puts it into another one."""
        parents = self.parents(path)
        argument = parents.of(display)
        call = parents.of(argument)
        func = call.func if isinstance(argument, ir.Argument) and isinstance(call, ir.Call) else None
        if isinstance(func, ir.Attribute) and func.attr == "update" and isinstance(func.value, ir.Name):
            self._target(path, func.value, key)
        else:
            self.follow(path, display, key)

    def _item(self, path: str, sequence: ir.Sequence, node: ir.Expr, holder: Holder) -> None:
        at = next(i for i, item in enumerate(sequence.items) if item is node)
        if holder is not None or any(isinstance(item, ir.Starred) for item in sequence.items):
            raise self._elsewhere(path, node)
        self.follow(path, sequence, (at, len(sequence.items)))

    # ------------------------------------------------------------------------------------------ by other names

    def _target(self, path: str, target: ir.Expr, holder: Holder) -> None:
        """A value is assigned."""
        if isinstance(target, ir.Name):
            return self.name(path, target.id, target, holder)
        if isinstance(target, ir.Attribute) and target.attr not in self.world.windows:
            return self._attribute(path, target.attr, holder)
        if isinstance(target, ir.Subscript) and isinstance(target.index, ir.Constant) and isinstance(target.value, ir.Name):
            if holder is None and isinstance(target.index.value, str):
                return self.name(path, target.value.id, target.value, target.index.value)
        if isinstance(target, ir.Sequence) and isinstance(holder, tuple) and len(target.items) == holder[1]:
            if not any(isinstance(item, ir.Starred) for item in target.items):
                return self._target(path, target.items[holder[0]], None)
        raise self._elsewhere(path, target)

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
                raise self._elsewhere(path, item)
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

    def _returned(self, path: str, statement: ir.Return, holder: Holder) -> None:
        """What a function returns: all calls of a function of that name."""
        function = self._inside(path, statement)
        name = function.name
        key = ("function", name, holder)
        if key in self._seen:
            return
        self._seen.add(key)
        calls = 0
        for other in self._mentioning(name):
            for item in walk(*self.facts(other).body):
                if isinstance(item, ir.ImportFrom) and any(one == name and alias for one, alias in item.names):
                    raise Elsewhere(f"{name} has another name in {other}")
                if name in (getattr(item, "id", None), getattr(item, "attr", None)) and isinstance(item, ir.Expr):
                    call = self.parents(other).of(item)
                    if not isinstance(call, ir.Call) or call.func is not item:
                        raise self._elsewhere(other, item)
                    self.follow(other, call, holder)
                    calls += 1
        if not calls:
            raise Elsewhere(f"{name} returns it, to whom, nobody knows")

    # -------------------------------------------------------------------------------------------- from capture

    def _captured(self, path: str, container: ir.Expr, slot: tuple[int, int]) -> None:
        """A tuple is put into a container: what replay unpacks from such tuples."""
        words = [item.attr if isinstance(item, ir.Attribute) else getattr(item, "id", "") for item in _spine(container)]
        word = next((word for word in words if word), "")
        if not word:
            raise self._elsewhere(path, container)
        for other in self._mentioning(word):
            for function in (item for item in walk(*self.facts(other).body) if isinstance(item, ir.FunctionDef)):
                if _speaks_of(function, word):
                    self._unpacked(other, function, slot)

    def _unpacked(self, path: str, function: ir.FunctionDef, slot: tuple[int, int]) -> None:
        at, length = slot
        parents = self.parents(path)
        for item in walk(*function.body):
            left = isinstance(item, ir.Sequence) and parents.stands_on_the_left(item)
            if left and any(isinstance(each, ir.Starred) for each in item.items):  # type: ignore[attr-defined]
                raise self._elsewhere(path, item)  # type: ignore[arg-type]
            if left and len(item.items) == length:  # type: ignore[attr-defined]
                self._target(path, item.items[at], None)  # type: ignore[attr-defined]
            read = isinstance(item, ir.Subscript) and isinstance(item.value, ir.Name) and not parents.stands_on_the_left(item)
            if read and isinstance(item.index, ir.Constant) and item.index.value in (at, at - length):  # type: ignore[attr-defined]
                self.follow(path, item)  # type: ignore[arg-type]
            if isinstance(item, ir.Argument) and item.star == "*":
                raise self._elsewhere(path, item.value)

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
            strings = (item.value for item in walk(*self.facts(path).body) if isinstance(item, ir.Constant))
            if word not in MASK_ARGUMENTS and word in strings:
                raise Elsewhere(f"{word} stands in a string in {path}")
            yield path

    def _inside(self, path: str, item: object) -> ir.FunctionDef:
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

    def _elsewhere(self, path: str, item: ir.Expr) -> Elsewhere:
        text = " ".join(self.facts(path).text(item.span).split())
        return Elsewhere(f"{text if len(text) < 40 else text[:40] + '…'} is used at {path}:{item.span.line}, too")


def is_dict(call: ir.Call) -> bool:
    """Whether a call is ``dict(…)``."""
    return isinstance(call.func, ir.Name) and call.func.id == "dict"


def _spine(expr: ir.Expr) -> Iterator[ir.Expr]:
    """``a.b[c].d``, ``a.b[c]``, ``a.b``, ``a``."""
    item: ir.Expr | None = expr
    while item is not None:
        yield item
        item = item.func if isinstance(item, ir.Call) else getattr(item, "value", None)


def _speaks_of(function: ir.FunctionDef, word: str) -> bool:
    return any(word in (getattr(i, "id", None), getattr(i, "attr", None)) for i in walk(*function.body))


__all__ = ["Elsewhere", "Uses", "is_dict"]
