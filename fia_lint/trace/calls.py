"""From a call to what its value comes from, and from a parameter to what is passed for it."""

from __future__ import annotations

from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo
from fia_lint.extract import ir
from fia_lint.trace.code import last_name
from fia_lint.trace.definitions import Definition, Guard
from fia_lint.trace.follow import Follow
from fia_lint.trace.resolve import Frame
from fia_lint.trace.steps import MAX_BRANCHES, WHOLE, Field, Key, Slot, Some, Want, may_be, part_of


class Calls(Follow):
    """Functions of the tree are followed to their returns; of others the arguments are read."""

    def _call(self, call: ir.Call, frame: Frame, want: Want) -> None:
        name = last_name(call.func)
        known = (
            getattr(self, f"_builtin_{name}", None) if isinstance(call.func, ir.Name) else getattr(self, f"_method_{name}", None)
        )
        targets = self.resolver.targets(call, frame)
        if not targets and known is not None and known(call, frame, want):
            return
        for target in targets:
            if isinstance(target, ClassInfo):
                self._built(target, call, frame, want)
            elif not self._is_open(target, frame):
                self.returned(target, Frame(target.module, target, call, frame), want)
        if not targets:
            self._arguments(call, frame)

    @staticmethod
    def _is_open(function: FunctionInfo, frame: Frame) -> bool:
        """Whether a function already runs: recursion is not followed."""
        while frame is not None:
            if frame.function is function:
                return True
            frame = frame.caller  # type: ignore[assignment]
        return False

    def returned(self, function: FunctionInfo, frame: Frame, want: Want) -> None:
        """What a function returns."""
        for stmt in self.code.flow(function).returns.values():
            guards = self.code.flow(function).guards_of(stmt.value)
            if stmt.value is not None and not (self.tensor and any(map(_no_tensor, guards))):
                self.value(stmt.value, frame, want)
                self.guarded(guards, (), frame, exits=True)
                self.emit("return", frame, stmt.span, function.name, self.text(stmt.value, frame.module))

    def _built(self, cls: ClassInfo, call: ir.Call, frame: Frame, want: Want) -> None:
        """An object is made: the attribute that is wanted of it, else everything that it is made of."""
        if want and isinstance(want[0], Field):
            given = self._field(cls, want[0].name, call, frame, want[1:])
            for made, inside in self.resolver.attribute([cls], want[0].name):
                if given and inside.function is None:
                    continue
                init = inside.function is not None and inside.function is self.resolver.constructor(cls)
                self.definition(made, Frame(inside.module, inside.function, call, frame) if init else inside, want[1:], ())
        elif want and isinstance(want[0], Slot) and cls.fields_kind == "namedtuple":
            names = [name for name, _, _ in cls.declared_fields()]
            if want[0].index < len(names):
                self._field(cls, names[want[0].index], call, frame, want[1:])
        elif not (want and isinstance(want[0], (Slot, Key))):
            self._arguments(call, frame)

    def _field(self, cls: ClassInfo, attr: str, call: ir.Call, frame: Frame, want: Want) -> bool:
        """What a call passes for a declared field of a dataclass or named tuple; whether it passes anything."""
        given = False
        names = [name for name, _, _ in cls.declared_fields()] if cls.fields_kind else []
        for index, argument in enumerate(call.args):
            by_position = not argument.name and not argument.star and names[index : index + 1] == [attr]
            if argument.name == attr and attr in names or by_position:
                self._passed(argument.value, frame, want, attr, cls.name)
                given = True
            elif argument.star == "**" and attr in names:
                self.value(argument.value, frame, (Key(attr), *want))
        return given

    def fields(self, classes: list[ClassInfo], attr: str, want: Want) -> bool:
        """What the calls that make objects of some classes pass for a field; whether the field is declared."""
        declared = [cls for cls in classes if cls.fields_kind and attr in {name for name, _, _ in cls.declared_fields()}]
        for cls in declared:
            for call, inside, module in self.code.calls(cls.name)[:MAX_BRANCHES]:
                frame = Frame(module, inside)
                if cls in self.resolver.targets(call, frame):
                    self._field(cls, attr, call, frame, want)
        return bool(declared)

    def _arguments(self, call: ir.Call, frame: Frame) -> None:
        """Everything that a call which is not followed gets."""
        if self.tensor and last_name(call.func)[:1].isupper():
            return  # an object that makes masks, not one that is made of them
        receiver = isinstance(call.func, ir.Attribute) and not self._is_module(call.func.value, frame)
        if isinstance(call.func, ir.Attribute) and receiver:
            self.value(call.func.value, frame)
        values = [argument.value for argument in call.args]
        if self.tensor:  # what a mask is made into is what it was: ``x.to(…)``, ``weak_reference(x)``
            values = [] if receiver else [argument.value for argument in call.args[:1] if argument.name is None]
        for value in values:
            self.value(value, frame)

    def _is_module(self, expr: ir.Expr, frame: Frame) -> bool:
        """Whether an expression is (a part of) something imported, as far as its first name tells."""
        while isinstance(expr, ir.Attribute):
            expr = expr.value
        if not isinstance(expr, ir.Name) or self.resolver.is_self(expr.id, frame):
            return False
        known = self.resolver.definitions(expr.id, expr, frame)
        return all(made.kind in ("import", "hand", "entry") for made, _ in known)

    # ------------------------------------------------------------------------------------------ parameters

    def parameter(self, made: Definition, frame: Frame, want: Want) -> None:
        """What the call that is followed passes for a parameter; all known calls, if none is."""
        assert isinstance(made.item, ir.Parameter) and frame.function is not None
        if frame.caller is not None and frame.call is not None:
            self._from_call(made.item, frame.function, frame.call, frame.caller, want, followed=True)
            return
        callers = self.resolver.callers(frame.function)
        for call, caller in callers[:MAX_BRANCHES]:
            self._from_call(made.item, frame.function, call, caller, want)
        if not callers:
            default = made.item.default
            if default is not None:
                self.value(default, Frame(frame.module, frame.function.parent), want)
            shown = made.name if default is None else f"{made.name}={self.text(default, frame.module)}"
            self.emit("open", frame, made.span, shown, frame.function.name)
        elif len(callers) > MAX_BRANCHES:
            self.emit("many", frame, made.span, made.name, frame.function.name, str(len(callers) - MAX_BRANCHES))

    def _from_call(
        self, param: ir.Parameter, function: FunctionInfo, call: ir.Call, caller: Frame, want: Want, followed: bool = False
    ) -> None:
        """What one call passes. The tests around a call that is followed are said where its value is used."""
        given = self.given(param, function, call, caller)
        for value, taken in given:
            rest = want[1:] if param.kind in ("*", "**") and not taken and want else want
            if param.kind == "**" and want and isinstance(want[0], Key) and not taken:
                if not any(a.name == want[0].key and a.value is value for a in call.args):
                    continue
            name = next((a.name for a in call.args if a.value is value and a.name), param.name)
            self._passed(value, caller, (*taken, *rest), name, function.name, followed)
        if not any(not taken for _, taken in given):
            self._default(param, function, want)

    def _passed(self, value: ir.Expr, frame: Frame, want: Want, name: str, to: str, followed: bool = False) -> None:
        self.value(value, frame, want)
        if not followed:
            self.guarded(self.code.flow(frame.scope).guards_of(value), (), frame)
        self.emit("passed", frame, value.span, name, self.text(value, frame.module), to)

    def _default(self, param: ir.Parameter, function: FunctionInfo, want: Want) -> None:
        if param.default is not None:
            outside = Frame(function.module, function.parent)
            self.value(param.default, outside, want)
            self.emit(
                "default",
                Frame(function.module, function),
                param.span,
                param.name,
                self.text(param.default, function.module),
                function.name,
            )

    def given(self, param: ir.Parameter, function: FunctionInfo, call: ir.Call, caller: Frame) -> list[tuple[ir.Expr, Want]]:
        """The expressions of a call that a parameter may get, each with what of it is taken."""
        params = function.params
        positional = [p for p in params if p.kind in ("positional", "normal")]
        offset = 1 if self.resolver.bound_first(function, call, caller) else 0
        found: list[tuple[ir.Expr, Want]] = []
        names = {p.name for p in params if p.kind in ("normal", "keyword")}
        position, starred = offset, False
        for argument in call.args:
            if argument.star == "*":
                if param in positional or param.kind == "*":
                    found.append((argument.value, (Some(),) if param in positional else WHOLE))
                starred = True
            elif argument.star == "**":
                if param.kind in ("normal", "keyword") and not any(a.name == param.name for a in call.args):
                    found.append((argument.value, (Key(param.name),)))
                elif param.kind == "**":
                    found.append((argument.value, WHOLE))
            elif argument.name is not None:
                if argument.name == param.name and param.kind in ("normal", "keyword"):
                    found.append((argument.value, WHOLE))
                elif param.kind == "**" and argument.name not in names:
                    found.append((argument.value, WHOLE))
            else:
                taken = positional[position] if position < len(positional) and not starred else None
                if taken is param or taken is None and param.kind == "*":
                    found.append((argument.value, WHOLE))
                position += 1
        return found

    # ------------------------------------------------------------------------------------------ known calls

    def _builtin_dict(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        for argument in call.args:
            if argument.name is None:
                self._pairs(argument.value, frame, want)
            elif not want or part_of(argument.name) == want[0] or not isinstance(want[0], Key):
                self.value(argument.value, frame, want[1:])
                if want and isinstance(want[0], Key):
                    self.emit("key", frame, argument.span, text=self.text(argument.value, frame.module), index=argument.name)
        return True

    def _pairs(self, expr: ir.Expr, frame: Frame, want: Want) -> None:
        """What a dict is made of: another dict, or pairs that are written down."""
        pairs = expr.items if isinstance(expr, ir.Sequence) else []
        known = [p.items for p in pairs if isinstance(p, ir.Sequence) and len(p.items) == 2]
        if not pairs or len(known) < len(pairs):
            self.value(expr, frame, want)
        for key, value in known:
            if not want or not isinstance(key, ir.Constant) or may_be(want[0], Key(key.value)):
                self.value(value, frame, want[1:])
                self.emit("key", frame, value.span, text=self.text(value, frame.module), index=self.text(key, frame.module))

    def _builtin_SimpleNamespace(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        first = want[0] if want else None
        return self._builtin_dict(call, frame, (Key(first.name), *want[1:]) if isinstance(first, Field) else want)

    _method_SimpleNamespace = _builtin_SimpleNamespace

    def _builtin_replace(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        """``replace(record, field=value)`` of dataclasses."""
        if not want or not isinstance(want[0], Field) or not call.args or call.args[0].name:
            return False
        for argument in call.args[1:]:
            if argument.name == want[0].name:
                self._passed(argument.value, frame, want[1:], argument.name, "replace")
                return True
        self.value(call.args[0].value, frame, want)
        return True

    def _method_replace(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        return self._is_module(call.func.value, frame) and self._builtin_replace(call, frame, want)  # type: ignore[attr-defined]

    def _builtin_zip(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if len(want) < 2 or not isinstance(want[1], Slot) or any(a.star for a in call.args) or want[1].index >= len(call.args):
            return False
        self.value(call.args[want[1].index].value, frame, (want[0], *want[2:]))
        return True

    def _builtin_enumerate(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if len(want) < 2 or not isinstance(want[1], Slot) or not call.args:
            return False
        if want[1].index == 1:
            self.value(call.args[0].value, frame, (want[0], *want[2:]))
        return True

    def _same(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if len(call.args) != 1:
            return False
        self.value(call.args[0].value, frame, want)
        return True

    _builtin_tuple = _builtin_list = _builtin_iter = _same

    def _some(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if not call.args:
            return False
        self.value(call.args[0].value, frame, (Some(), *want[1:]) if want else WHOLE)
        return True

    _builtin_reversed = _builtin_sorted = _builtin_set = _some

    def _builtin_next(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        for argument in call.args[:1]:
            self.value(argument.value, frame, (Some(), *want))
        for argument in call.args[1:]:
            self.value(argument.value, frame, want)
        return True

    def _builtin_getattr(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        values = [argument.value for argument in call.args]
        if len(values) < 2 or not isinstance(values[1], ir.Constant) or not isinstance(values[1].value, str):
            return False
        self.attribute(ir.Attribute(call.span, values[0], values[1].value), frame, want)
        for value in values[2:]:
            self.value(value, frame, want)
        return True

    def _method_get(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        """A read from a dict, with a default."""
        if not isinstance(call.func, ir.Attribute) or not call.args or call.args[0].star:
            return False
        key = call.args[0].value
        part = Key(key.value) if isinstance(key, ir.Constant) else Some()
        self.value(call.func.value, frame, (part, *want))
        for argument in call.args[1:]:
            self.value(argument.value, frame, want)
        return True

    _method_pop = _method_setdefault = _method_get

    def _method_items(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if len(want) < 2 or not isinstance(want[1], Slot) or not isinstance(call.func, ir.Attribute):
            return False
        if want[1].index == 1:
            self.value(call.func.value, frame, (want[0], *want[2:]))
        return True

    def _method_values(self, call: ir.Call, frame: Frame, want: Want) -> bool:
        if not isinstance(call.func, ir.Attribute) or call.args:
            return False
        self.value(call.func.value, frame, want)
        return True

    _method_copy = _method_values


def _no_tensor(guard: Guard) -> bool:
    """Whether a branch is for lists and the like, which a mask is not."""
    test = guard.test
    if not guard.holds or not isinstance(test, ir.Call) or last_name(test.func) != "isinstance" or len(test.args) != 2:
        return False
    kinds = test.args[1].value
    named = kinds.items if isinstance(kinds, ir.Sequence) else [kinds]
    return all(isinstance(kind, ir.Name) and kind.id in ("list", "tuple", "dict", "set", "str", "int") for kind in named)
