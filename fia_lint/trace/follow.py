"""From a definition to what it takes its value from."""

from __future__ import annotations

from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.extract import ir
from fia_lint.trace.captured import Captured
from fia_lint.trace.definitions import Definition, Guards
from fia_lint.trace.names import reads
from fia_lint.trace.resolve import Frame
from fia_lint.trace.slice import one_line
from fia_lint.trace.steps import WHOLE, Key, Slot, Some, Want, may_be

_ADDS = ("append", "add", "insert", "extend")


class Follow(Captured):
    """One method per kind of definition."""

    def definition(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        if made.kind == "entry" or not self.enter("definition", id(made), want, frame.chain):
            return
        if not self.exhausted(frame, made.span):
            getattr(self, f"_made_by_{made.kind}")(made, frame, want, passed)
        self.leave()

    def _made_by_assign(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        assert made.value is not None
        if lacks(made.value, (*made.want, *want)):
            return
        self.value(made.value, frame, (*made.want, *want))
        self.guarded(made.guards, passed, frame)
        self.emit(made.kind, frame, made.span, *self.said(made, frame))

    _made_by_walrus = _made_by_with = _made_by_case = _made_by_assign

    def said(self, made: Definition, frame: Frame) -> tuple[str, str, str]:
        """What a step says about a definition: its name, the source of what it gets, and which slots of that."""
        if made.kind == "augment" or made.value is None:
            return made.name, one_line(frame.module.text(made.span)), ""
        source, index = self._taken(made.value, made.want)
        return made.name, self.text(source, frame.module), index

    @staticmethod
    def _taken(value: ir.Expr, want: Want) -> tuple[ir.Expr, str]:
        """The expression that a target gets, and which slots of it: an item that is written down is meant itself."""
        taken = list(want)
        while taken and isinstance(taken[0], Slot) and isinstance(value, ir.Sequence):
            if any(isinstance(item, ir.Starred) for item in value.items) or taken[0].index >= len(value.items):
                break
            value = value.items[taken.pop(0).index]
        return value, ", ".join(str(part.index) if isinstance(part, Slot) else "*" for part in taken)

    def _made_by_augment(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        for before in sorted(made.others, key=lambda each: each.order):
            self.definition(before, frame, want, passed)
        if made.value is not None:
            self.value(made.value, frame, (Some(), *want[1:]) if want and isinstance(want[0], Slot) else want)
        self.guarded(made.guards, passed, frame)
        self.emit("augment", frame, made.span, *self.said(made, frame))

    def _made_by_extend(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        """``a += b`` under another name of ``a``: an object that has parts is changed in place, a number is not."""
        if want and made.value is not None:
            self.value(made.value, frame, (Some(), *want[1:]) if isinstance(want[0], Slot) else want)
            self.guarded(made.guards, passed, frame)
            self.emit("augment", frame, made.span, made.name, one_line(frame.module.text(made.span)))

    def _made_by_loop(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        assert made.value is not None
        self.value(made.value, frame, (Some(), *made.want, *want))
        self.guarded(made.guards, passed, frame)
        index = ", ".join(str(part.index) for part in made.want if isinstance(part, Slot))
        self.emit("loop", frame, made.span, made.name, self.text(made.value, frame.module), index)

    def _made_by_parameter(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        self.parameter(made, frame, want)

    def _made_by_import(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        self.imported(made, frame, want)

    def _made_by_function(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        """A function itself is where its name comes from, and no value of an argument."""

    _made_by_class = _made_by_except = _made_by_function

    # ------------------------------------------------------------------------------------------ parts of objects

    def _matters(self, made: Definition, want: Want) -> bool:
        """Whether a change of a part may change what is wanted; what is in a tensor does not matter."""
        return reads(want, made) and bool(want or not self.tensor)

    def _made_by_store(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        if self._matters(made, want):
            if made.value is not None:
                self.value(made.value, frame, (*made.want, *want[1:]))
            self.guarded(made.guards, passed, frame)
            self.emit("assign", frame, made.span, one_line(frame.module.text(made.span)), self.text(made.value, frame.module))

    def _made_by_delete(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        if self._matters(made, want):
            self.guarded(made.guards, passed, frame)
            self.emit("delete", frame, made.span, made.name, one_line(frame.module.text(made.span)))

    def _made_by_change(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        """A method that changes the object: the step stands only if it may touch the part that is wanted."""
        assert isinstance(made.item, ir.Call)
        if not self._matters(made, want):
            return
        want = want[1:] if made.part is not None else want
        if self._changed(made.item, frame, want):
            self.guarded(made.guards, passed, frame)
            self.emit("change", frame, made.span, made.name, one_line(frame.module.text(made.span)))

    def _changed(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        """Go through what a method puts into its object; whether it may touch the part that is wanted."""
        method = call.func.attr if isinstance(call.func, ir.Attribute) else ""
        first = want[0] if want else Some()
        values = [argument.value for argument in call.args if not argument.star and argument.name is None]
        if method in _ADDS:
            if isinstance(first, Key):
                return False
            for value in values[-1:]:
                self.value(value, frame, want if method == "extend" else want[1:])
            return True
        if method in ("setdefault", "pop") and values:
            key = values[0]
            if isinstance(key, ir.Constant) and not may_be(first, Key(key.value)):
                return False
            for value in values[1:] if method == "setdefault" else ():
                self.value(value, frame, want[1:])
            return True
        return self._updated(call, frame, want) if method == "update" else True

    def _updated(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        """``d.update(…)``: keywords, and dicts whose keys are written down or not known."""
        touched = False
        for argument in call.args:
            if argument.name is not None:
                if not want or may_be(want[0], Key(argument.name)):
                    self.value(argument.value, frame, want[1:])
                    touched = True
            elif not lacks(argument.value, want):
                self.value(argument.value, frame, want)
                touched = True
        return touched

    def _made_by_hand(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        """An object is handed to a call: what the function that runs does to it."""
        assert isinstance(made.item, ir.Call)
        if not want:
            return
        before = len(self.steps)
        for target in self.resolver.targets(made.item, frame):
            function = target if isinstance(target, FunctionInfo) else self.resolver.constructor(target)
            if function is None:
                continue
            inner = Frame(function.module, function, made.item, frame)
            for name in self._received(made, function, frame):
                for change in self.code.flow(function).whole(name):
                    if change.kind in ("store", "change", "delete", "hand", "augment"):
                        self.definition(change, inner, want, ())
        if len(self.steps) > before:
            self.guarded(made.guards, passed, frame)
            self.emit("hand", frame, made.span, made.name, one_line(frame.module.text(made.item.func.span)))

    def _received(self, made: Definition, function: FunctionInfo, frame: Frame) -> list[str]:
        """The parameters of a function that get the object."""
        assert isinstance(made.item, ir.Call)
        call = made.item
        if made.value is None:
            bound = self.resolver.bound_first(function, call, frame)
            return [function.params[0].name] if bound and function.params else []
        names = []
        for param in function.params:
            for value, want in self.given(param, function, call, frame):
                if value is made.value and not want:
                    names.append(param.name)
        return names


def lacks(value: ir.Expr, want: Want) -> bool:
    """Whether a dict that is written down certainly lacks the key that is wanted."""
    if not want or not isinstance(want[0], Key):
        return False
    if isinstance(value, ir.DictDisplay):
        keys = [key for key, _ in value.entries]
        return all(isinstance(key, ir.Constant) and not may_be(want[0], Key(key.value)) for key in keys)
    if isinstance(value, ir.Call) and isinstance(value.func, ir.Name) and value.func.id == "dict":
        return all(argument.name is not None and argument.name != want[0].key for argument in value.args)
    return False


__all__ = ["Follow", "WHOLE"]
