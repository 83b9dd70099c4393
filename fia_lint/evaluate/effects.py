"""What code that is not followed may have changed: it is not known any more."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import partial
from operator import eq

from fia_lint.algebra.diagram import Diagram, leaf, where
from fia_lint.algebra.terms import Term
from fia_lint.evaluate import modules
from fia_lint.evaluate.callees import family, outermost
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.machine import SetBy
from fia_lint.evaluate.methods import Methods
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.state import rebound_key
from fia_lint.evaluate.stores import ANY, attribute_writes
from fia_lint.evaluate.values import NONE, Bound, BoundMethod, FunctionValue, MethodOf, Object, PartialValue, Ref
from fia_lint.extract import ir


class Effects(Methods):
    """Objects, closures, attributes and globals that get out of sight."""

    def escape_all(self, args: list[Bound]) -> None:
        """Arguments go to code that is not followed. ``**d`` hands over a copy: ``d`` itself stays as it is."""
        for argument in args:
            if argument.star:
                continue
            self.escape(argument.value)
            for term in argument.value.terms:
                if isinstance(term, (FunctionValue, BoundMethod)):
                    self.frame.closures.append(leaf(term))

    def escape(self, value: Diagram, why: str = "handed to a function that is not followed") -> None:
        """A value leaves what is followed: its objects, and all that they hold, may change, and its functions may be called."""
        pending, seen = [value], set()
        for each in pending:
            for term in each.terms:
                if term not in seen:
                    seen.add(term)
                    pending += self._escaping(term, each, why)

    def escape_items(self, value: Diagram) -> None:
        """An item of what a value may be is chosen at run time."""
        for term in value.terms:
            if isinstance(term, Ref):
                self.escape_held(self.object(term))
            elif isinstance(term, MethodOf):
                self.escape_items(term.receiver)

    def escape_held(self, thing: Object) -> None:
        """An item of an object is chosen at run time: whatever is done to it may be done to any of them."""
        for item in (*(thing.items or ()), *thing.fields.values()):
            self.escape(item, "may be the item that is chosen at run time")

    def escape_closure(self, function: FunctionInfo, value: FunctionValue | None) -> None:
        """Code that runs at another time, or is not followed, may change what it sees of the functions around it."""
        if value is not None:
            self.escape(leaf(value))

    def _escaping(self, term: Term, value: Diagram, why: str) -> list[Diagram]:
        """One of the things that a value may be leaves what is followed; with it goes what is given back."""
        if isinstance(term, FunctionValue):
            return self._seen_by(term)
        if isinstance(term, BoundMethod):
            self._forget_own(term.receiver, term.function)
            return [term.receiver]
        if isinstance(term, PartialValue):
            return [term.func]
        if not isinstance(term, Ref):
            return []
        thing = self.object(term)
        if thing.source == ("self",):
            return []
        if len(value.terms) == 1:
            self.forget(term, why)
        else:
            self.choose(where(value, partial(eq, term)), lambda: self.forget(term, why), lambda: NONE)
        return [*(thing.items or ()), *thing.fields.values()]

    def _seen_by(self, closure: FunctionValue) -> list[Diagram]:
        """What a function sees of the functions around it; names that it binds there are not known any more."""
        seen = []
        for name in sorted(closure.function.free_names):
            home = self.closure_frame(closure.function, closure, name)
            held = self.state.get(home, name) if home is not None else None
            if held is None:
                continue
            if name in _rebound_outside(closure.function):
                self.state.set(home, name, self.unknown("set by a function that runs at another time", self.frame_span()))
            else:
                self._forget_own(held, closure.function)
                seen.append(held)
        return seen

    def _forget_own(self, value: Diagram, function: FunctionInfo) -> None:
        """The attributes that a function assigns to the object whose method runs, if it sees that object."""
        for term in value.terms:
            if isinstance(term, Ref) and self.object(term).source == ("self",):
                self._forget_fields(term, self._set_by(function).attributes, function)

    def closure_frame(self, function: FunctionInfo, value: FunctionValue | None, name: str) -> int | None:
        """The frame of the enclosing activation that binds a free name of a function."""
        parent, frame = function.parent, value.frame if value is not None else None
        while parent is not None and frame is not None:
            if name in parent.local_names:
                return frame
            parent, frame = parent.parent, self.parents.get(frame)
        return None

    def forget_effects(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, value: FunctionValue | None
    ) -> None:
        """What a function that is not followed may have changed is not known any more."""
        self.escape_all(args)
        self.escape_closure(function, value)
        self._forget_attributes(function, receiver)
        self._forget_globals(function)

    def forget_by_name(self, name: str) -> None:
        """Globals that were assigned before, and that a method of an unknown object may assign: any of that name."""
        if any(isinstance(owner, tuple) and owner[0] == "global" for owner, _ in self.state.overlay):
            for function in self.machine.by_name.get(name, ()):
                self._forget_globals(function)

    def _forget_globals(self, function: FunctionInfo) -> None:
        """The names under ``global`` that it, or what it may call, assigns."""
        for path, name in sorted(self._set_by(function).globals):
            reason = f"assigned in {function.name}, which is not followed"
            self.state.lay(rebound_key(path, name), self.unknown(reason, self.frame_span()))

    def _set_by(self, function: FunctionInfo) -> SetBy:
        """The globals and the attributes of self that a function assigns, or one that it calls by name."""
        known = self.machine.set_by
        if function not in known:
            globals_: set[tuple[str, str]] = set()
            attributes: set[str] = set()
            pending, seen = [function], {function}
            for each in pending:
                home = outermost(each)
                globals_.update((each.module.path, name) for name in _rebound_outside(each) if name in each.module.rebound_names)
                if home.owner is not None and home.params:
                    attributes.update(attribute_writes(each.body, home.params[0].name))
                more = [f for call in each.calls for f in self._named(call.func, each) if f not in seen]
                pending += more
                seen.update(more)
            known[function] = SetBy(frozenset(globals_), frozenset(attributes))
        return known[function]

    def _named(self, callee: ir.Expr, function: FunctionInfo) -> list[FunctionInfo]:
        """The functions that a callee is called after: of the module, imported, or a method of the own class."""
        home = outermost(function)
        if isinstance(callee, ir.Attribute) and isinstance(callee.value, ir.Name) and home.owner is not None:
            if home.params and callee.value.id == home.params[0].name:
                methods = [cls.find(callee.attr) for cls in family(home.owner)]
                return [method for method in methods if method is not None]
        if dotted(callee) is None:
            return []
        value = modules.static_value(self.machine, callee, function.module)
        return [t.function for t in value.terms if isinstance(t, FunctionValue)] if value is not None else []

    def _forget_attributes(self, function: FunctionInfo, receiver: Diagram | None) -> None:
        """The attributes of self that a method may have assigned."""
        if receiver is None or not receiver.is_leaf or not isinstance(receiver.term, Ref) or function.owner is None:
            return
        written = {attr for cls in function.owner.mro() for attr in cls.attribute_writes}
        self._forget_fields(receiver.term, written, function)

    def _forget_fields(self, ref: Ref, attributes: AbstractSet[str], function: FunctionInfo) -> None:
        thing = self.object(ref)
        if ANY in attributes and thing.cls is not None:
            attributes = {attr for cls in thing.cls.mro() for attr in cls.attribute_writes}
        for attr in sorted(attributes):
            thing = thing.with_field(attr, self.unknown(f"assigned in {function.name}, which is not followed", self.frame_span()))
        self.state.store(ref.address, thing)


def _rebound_outside(function: FunctionInfo) -> set[str]:
    """Names that a function, or one inside it, declares ``nonlocal`` or ``global``."""
    body = function.node.body if isinstance(function.node, ir.FunctionDef) else [function.node.body]
    return {name for item in walk_all(body) if isinstance(item, ir.Scope) for name in item.names}
