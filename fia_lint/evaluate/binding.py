"""Arguments to parameters, defaults included, and values of other scopes."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, leaf
from fia_lint.algebra.terms import Kind, Linear, Subject, Unknown, symbol
from fia_lint.evaluate import modules
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo
from fia_lint.evaluate.effects import Effects
from fia_lint.evaluate.interpreter import Frame
from fia_lint.evaluate.values import ABSENT, PARAMETER, Bound, ClassValue, FunctionValue, Object, Ref, text_constant
from fia_lint.evaluate.windows import WINDOW
from fia_lint.extract import ir


class Binding(Effects):
    """What a call passes, and what the callee gets."""

    def bind_arguments(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, value: FunctionValue | None, frame: Frame
    ) -> dict[str, Diagram]:
        """Parameter names to values: positional, keyword, starred, defaults. What cannot be told is unknown."""
        params = function.params
        names = [p.name for p in params if p.kind in ("positional", "normal")]
        bound: dict[str, Diagram] = {}
        if receiver is not None and function.binding in ("method", "class", "property") and names:
            first = names.pop(0)
            bound[first] = self._as_class(receiver, function) if function.binding == "class" else receiver
        positional, lost = self._positional(args)
        for name, held in zip(names, positional):
            bound[name] = held
        extra = positional[len(names) :]
        if lost is not None:
            for name in names[len(positional) :]:
                bound.setdefault(name, lost)
        keywords, rest = self._keywords(args)
        known = {p.name for p in params if p.kind in ("normal", "keyword")}
        for name in list(keywords):
            if name in known:
                bound[name] = keywords.pop(name)
        self._bind_defaults(function, bound, rest, value)
        for param in params:
            if param.kind == "*":
                bound[param.name] = self.allocate(Object("tuple", None if lost is not None else tuple(extra)))
            elif param.kind == "**":
                fields = {_key(name): held for name, held in keywords.items()}
                bound[param.name] = self.allocate(Object("dict", None, fields, rest))
        return bound

    def _as_class(self, receiver: Diagram, function: FunctionInfo) -> Diagram:
        cls = self.receiver_class(function, receiver)
        return leaf(ClassValue(cls)) if cls is not None else receiver

    def _bind_defaults(
        self, function: FunctionInfo, bound: dict[str, Diagram], rest: Diagram, value: FunctionValue | None
    ) -> None:
        for param in function.params:
            if param.kind in ("*", "**"):
                continue
            held = bound.get(param.name, ABSENT)
            if held is ABSENT and rest is not ABSENT and param.kind != "positional":
                held = rest
            if ABSENT.term in held.terms:
                default = self._default(function, param, value)
                held = default if held is ABSENT else self.over(held, default)
            bound[param.name] = held

    def _default(self, function: FunctionInfo, param: ir.Parameter, value: FunctionValue | None) -> Diagram:
        if param.default is None:
            return ABSENT
        if value is not None:
            for name, held in value.defaults:
                if name == param.name:
                    return held
        return self.in_module(function, param.default)

    def parameter(self, function: FunctionInfo, param: ir.Parameter) -> Diagram:
        """A parameter of which nothing is known but its name."""
        if param.kind == "**":
            return self.allocate(Object("dict", rest=self.unknown(PARAMETER, param.span)))
        if param.kind == "*":
            return self.allocate(Object("tuple", None, rest=self.unknown(PARAMETER, param.span)))
        kind = "init" if self.entry.startswith("init ") else "param"
        if kind == "init" and param.name in self.machine.windows:
            return leaf(symbol(WINDOW))
        subject = Subject(
            (kind, function.module.path, function.qualname, tuple(function.span), param.name),
            param.name,
            Kind.LAYER if kind == "init" else Kind.LOCAL,
        )
        return leaf(symbol(subject))

    def receiver_class(self, function: FunctionInfo, receiver: Diagram | None) -> ClassInfo | None:
        """The concrete class on which a method runs."""
        if receiver is not None and receiver.is_leaf:
            term = receiver.term
            if isinstance(term, Ref) and term.kind == "instance":
                return self.object(term).cls or function.owner
            if isinstance(term, ClassValue):
                return term.cls
            if isinstance(term, Linear) and term.symbol is not None:
                return self.types.get(term.symbol) or self.machine.types.get(term.symbol) or function.owner
        return function.owner

    def _positional(self, args: list[Bound]) -> tuple[list[Diagram], Diagram | None]:
        """The positional values, and an unknown for those after a starred argument of unknown length."""
        found: list[Diagram] = []
        for argument in args:
            if argument.star == "*":
                items = self.spread(argument.value)
                if items is None:
                    for term in argument.value.terms:
                        if isinstance(term, Ref) and self.object(term).rest is not ABSENT:
                            return found, self.object(term).rest
                    return found, leaf(
                        Unknown("a starred argument of unknown length", self.frame.module.path, self.frame_span().line)
                    )
                found.extend(items)
            elif argument.star == "" and argument.name is None:
                found.append(argument.value)
        return found, None

    def _keywords(self, args: list[Bound]) -> tuple[dict[str, Diagram], Diagram]:
        """The keyword values by name, and what any other keyword holds."""
        found: dict[str, Diagram] = {}
        rest: Diagram = ABSENT
        for argument in args:
            if argument.star == "**":
                thing = self.as_dict(argument.value, ir.Name(self.frame_span(), "**"))
                for key, held in thing.fields.items():
                    name = _name(key)
                    if name is not None:
                        found[name] = self.over(held, found.get(name, ABSENT))
                if thing.rest is not ABSENT:
                    rest = self.over(thing.rest, rest)
            elif argument.name is not None:
                found[argument.name] = argument.value
        return found, rest

    def in_module(self, function: FunctionInfo, expr: ir.Expr) -> Diagram:
        """A default value, evaluated where the function is defined."""
        kept = self.frame
        self.frame = Frame(self.machine.next(), function.module, None, self.state.path, parent=kept)
        value = self.eval(expr)
        self.frame = kept
        return value

    def in_class(self, cls: ClassInfo, expr: ir.Expr) -> Diagram:
        """An expression of a class body."""
        names = modules._once(self.machine.bodies, ("class", id(cls)), lambda: self.machine.run_class(cls))
        kept = self.frame
        self.frame = Frame(self.machine.next(), cls.module, None, self.state.path, parent=kept)
        for name, value in (names or {}).items():
            self.state.set(self.frame.id, name, value)
        value = self.eval(expr)
        self.frame = kept
        return value


def _name(key: object) -> str | None:
    text = getattr(key, "text", None)
    return text[1:-1] if isinstance(text, str) and text[:1] in ("'", '"') else None


def _key(name: str) -> object:
    return text_constant(name).value
