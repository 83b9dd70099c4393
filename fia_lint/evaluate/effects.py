"""What code that is not followed may have changed: it is not known any more."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, leaf
from fia_lint.evaluate import modules
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.methods import Methods
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.state import rebound_key
from fia_lint.evaluate.values import Bound, BoundMethod, FunctionValue, Ref
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
                if isinstance(term, FunctionValue):
                    self.escape_closure(term.function, term)

    def escape_closure(self, function: FunctionInfo, value: FunctionValue | None) -> None:
        """Code that runs at another time may change what it sees of the functions around it."""
        for name in sorted(function.free_names):
            home = self.closure_frame(function, value, name)
            held = self.state.get(home, name) if home is not None else None
            if held is not None:
                if name in _rebound_outside(function):
                    self.state.set(home, name, self.unknown("set by a function that runs at another time", self.frame_span()))
                elif not any(isinstance(t, Ref) and self.object(t).source == ("self",) for t in held.terms):
                    self.escape(held, "seen by a function that runs at another time")

    def closure_frame(self, function: FunctionInfo, value: FunctionValue | None, name: str) -> int | None:
        """The frame of the enclosing activation that binds a free name of a function."""
        parent, frame = function.parent, value.frame if value is not None else None
        while parent is not None and frame is not None:
            if name in parent.local_names:
                return frame
            parent, frame = parent.parent, self.parents.get(frame)
        return None

    def forget_effects(self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None) -> None:
        """What a function that is not followed may have changed is not known any more."""
        self.escape_all(args)
        self._forget_attributes(function, receiver)
        self._forget_globals(function)

    def forget_by_name(self, name: str) -> None:
        """Globals that were assigned before, and that a method of an unknown object may assign: any of that name."""
        if any(isinstance(owner, tuple) and owner[0] == "global" for owner, _ in self.state.overlay):
            for function in self.machine.by_name.get(name, ()):
                self._forget_globals(function)

    def _forget_globals(self, function: FunctionInfo) -> None:
        """The names under ``global`` that it, or what it may call, assigns."""
        for path, name in sorted(self._globals_set_by(function)):
            reason = f"assigned in {function.name}, which is not followed"
            self.state.lay(rebound_key(path, name), self.unknown(reason, self.frame_span()))

    def _globals_set_by(self, function: FunctionInfo) -> frozenset[tuple[str, str]]:
        """Names under ``global``, by module, that a function assigns, or one that it calls by name."""
        known = self.machine.globals_set
        if function not in known:
            found: set[tuple[str, str]] = set()
            pending, seen = [function], {function}
            for each in pending:
                found.update((each.module.path, name) for name in _rebound_outside(each) if name in each.module.rebound_names)
                more = [f for call in each.calls for f in self._named(call.func, each) if f not in seen]
                pending += more
                seen.update(more)
            known[function] = frozenset(found)
        return known[function]

    def _named(self, callee: ir.Expr, function: FunctionInfo) -> list[FunctionInfo]:
        """The functions that a callee is called after: of the module, imported, or a method of the own class."""
        if isinstance(callee, ir.Attribute) and isinstance(callee.value, ir.Name) and function.owner is not None:
            if function.params and callee.value.id == function.params[0].name:
                method = function.owner.find(callee.attr)
                return [method] if method is not None else []
        if dotted(callee) is None:
            return []
        value = modules.static_value(self.machine, callee, function.module)
        return [t.function for t in value.terms if isinstance(t, FunctionValue)] if value is not None else []

    def _forget_attributes(self, function: FunctionInfo, receiver: Diagram | None) -> None:
        """The attributes of self that a method may have assigned."""
        if receiver is None or not receiver.is_leaf or not isinstance(receiver.term, Ref) or function.owner is None:
            return
        thing = self.object(receiver.term)
        for cls in function.owner.mro():
            for attr in sorted(cls.attribute_writes):
                thing = thing.with_field(
                    attr, self.unknown(f"assigned in {function.name}, which is not followed", self.frame_span())
                )
        self.state.store(receiver.term.address, thing)


def _rebound_outside(function: FunctionInfo) -> set[str]:
    """Names that a function, or one inside it, declares ``nonlocal`` or ``global``."""
    body = function.node.body if isinstance(function.node, ir.FunctionDef) else [function.node.body]
    return {name for item in walk_all(body) if isinstance(item, ir.Scope) for name in item.names}
