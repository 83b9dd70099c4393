"""Where a value goes: whether everything that is made of it is an argument that is to be changed.

A value is followed through expressions, names, attributes, entries of dicts, results of functions and captured tuples. What
it reaches is either a mask argument of a call that deviates, or *elsewhere*: then no fix may change it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fia_lint.evaluate.sites import Site, SiteKey
from fia_lint.extract import ir
from fia_lint.fix.bearers import Elsewhere, Holder, Slot
from fia_lint.fix.effects import is_pure
from fia_lint.fix.handed import written
from fia_lint.fix.scope import scope_of
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.storing import Stored
from fia_lint.operators import MASK_ARGUMENTS

_OPERATORS = (ir.Binary, ir.Unary, ir.Compare, ir.Boolean, ir.Conditional, ir.Subscript, ir.Slice)


@dataclass
class Uses(Stored):
    """Follows values. ``any_argument``: every argument of a call of an operator counts, not only one that deviates."""

    any_argument: bool = False
    #: The arguments that the values went into.
    reached: set[tuple[SiteKey, str]] = field(default_factory=set)

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
                self.assigned(path, target, holder)
        elif isinstance(parent, ir.Return):
            self.returned(path, parent, holder)
        elif isinstance(parent, ir.Parameter) and node is parent.default:
            self.left_out(path, parent)
            self.name(path, parent.name, self.inside(path, parent).body[0], holder)
        elif not isinstance(parent, ir.ExprStmt):
            raise self.elsewhere(path, node)

    def _argument(self, path: str, argument: ir.Argument, holder: Holder) -> None:
        call = self.parents(path).of(argument)
        if not isinstance(call, ir.Call):
            raise self.elsewhere(path, argument.value)
        site = self.world.sites.get(SiteKey(path, call.span))
        if site is not None:
            self._site(path, site, argument, holder)
        elif is_dict(call) and (argument.name or argument.star == "**") and (holder is None) == bool(argument.name):
            self.follow(path, call, argument.name or holder)
        elif holder is None and not argument.star and is_pure(call, scope_of(self.facts(path), call.span)):
            self.follow(path, call)
        elif holder is not None and not argument.star and isinstance(call.func, ir.Attribute) and call.func.attr == "append":
            self.captured(path, call.func.value, holder)
        else:
            raise self.elsewhere(path, argument.value)

    def _site(self, path: str, site: Site, argument: ir.Argument, holder: Holder) -> None:
        if self.any_argument and holder is None and not argument.star:
            return
        for name in MASK_ARGUMENTS:
            passed = written(self.world, site, name)
            direct = holder is None and not argument.star and passed is not None and passed.span == argument.value.span
            spread = isinstance(holder, str) and argument.star == "**" and keyword_of(site, name) == holder
            if (direct or spread) and self.world.deviates(site, name):
                self.reached.add((site.key, name))
                return
        raise self.elsewhere(path, argument.value)

    def _operator(self, path: str, parent: ir.Expr, node: ir.Expr, holder: Holder) -> None:
        if isinstance(holder, str) and isinstance(parent, ir.Subscript) and isinstance(parent.index, ir.Constant):
            if parent.index.value == holder and not self.parents(path).stands_on_the_left(parent):
                self.follow(path, parent)
        elif isinstance(parent, ir.Conditional) and node is not parent.test:
            self.follow(path, parent, holder)
        elif isinstance(holder, Slot) and isinstance(parent, ir.Binary) and parent.op == "+":
            self._joined(path, parent, node, holder)
        elif holder is None or (isinstance(holder, str) and isinstance(parent, ir.Binary) and parent.op == "|"):
            self.follow(path, parent, holder)
        else:
            raise self.elsewhere(path, node)

    def _joined(self, path: str, parent: ir.Binary, node: ir.Expr, slot: Slot) -> None:
        """A tuple with another one behind or before it: ``t + (a, b)``. In a loop that counts once."""
        other = parent.right if node is parent.left else parent.left
        if not isinstance(other, ir.Sequence) or any(isinstance(item, ir.Starred) for item in other.items):
            raise self.elsewhere(path, node)
        if parent.span not in slot.joined:
            more = len(other.items)
            at = slot.at if node is parent.left else slot.at + more
            self.follow(path, parent, Slot(at, slot.length + more, slot.joined | {parent.span}))

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
        raise self.elsewhere(path, method)

    def _entry(self, path: str, display: ir.DictDisplay, node: ir.Expr, holder: Holder) -> None:
        for key, value in display.entries:
            if value is node and key is None and isinstance(holder, str):
                return self.follow(path, display, holder)
            if value is node and isinstance(key, ir.Constant) and isinstance(key.value, str) and holder is None:
                return self._display(path, display, key.value)
        raise self.elsewhere(path, node)

    def _display(self, path: str, display: ir.DictDisplay, key: str) -> None:
        """A dict with the value; ``d.update({…})`` puts it into another one."""
        parents = self.parents(path)
        argument = parents.of(display)
        call = parents.of(argument)
        func = call.func if isinstance(argument, ir.Argument) and isinstance(call, ir.Call) else None
        if isinstance(func, ir.Attribute) and func.attr == "update" and isinstance(func.value, ir.Name):
            self.assigned(path, func.value, key)
        else:
            self.follow(path, display, key)

    def _item(self, path: str, sequence: ir.Sequence, node: ir.Expr, holder: Holder) -> None:
        at = next(i for i, item in enumerate(sequence.items) if item is node)
        if holder is not None or any(isinstance(item, ir.Starred) for item in sequence.items):
            raise self.elsewhere(path, node)
        self.follow(path, sequence, Slot(at, len(sequence.items)))


def is_dict(call: ir.Call) -> bool:
    """Whether a call is ``dict(…)``."""
    return isinstance(call.func, ir.Name) and call.func.id == "dict"


__all__ = ["Elsewhere", "Uses", "is_dict"]
