"""What is called, and by whom: callees, the classes of objects, and the calls of a function."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.trace.code import Code, Thing, dotted, last_name
from fia_lint.trace.definitions import Definition
from fia_lint.trace.steps import MAX_BRANCHES

_DEEP = 6

#: The kinds of definitions that give a name a new value.
ASSIGNING = ("assign", "walrus", "with", "case", "augment", "loop")
CHANGING = (*ASSIGNING, "store", "change", "delete")


@dataclass(frozen=True, eq=False)
class Frame:
    """Code that runs: a function (None: the statements of a module, or of the class ``body``), and the call that it runs
    for, if that is known."""

    module: Module
    function: FunctionInfo | None
    call: ir.Call | None = None
    caller: Frame | None = None
    body: str = ""

    @property
    def chain(self) -> tuple[int, ...]:
        """What tells this activation from others."""
        return () if self.caller is None else (id(self.call), *self.caller.chain)

    @property
    def scope(self) -> FunctionInfo | Module:
        return self.function or self.module

    @property
    def symbol(self) -> str:
        return self.function.qualname if self.function is not None else self.body

    @property
    def method(self) -> FunctionInfo | None:
        """The method around this code."""
        function = self.function
        while function is not None and function.parent is not None:
            function = function.parent
        return function if function is not None and function.owner is not None else None


class Resolver:
    """Answers for one site: ``concrete`` are the classes that its evaluation met."""

    def __init__(self, code: Code, concrete: frozenset[str]) -> None:
        self.code = code
        self.concrete = concrete
        self._callers: dict[int, list[tuple[ir.Call, Frame]]] = {}

    # ------------------------------------------------------------------------------------------ self

    def is_self(self, name: str, frame: Frame) -> bool:
        """Whether a name is the first parameter of the method around."""
        method, function = frame.method, frame.function
        if method is None or method.binding not in ("method", "property", "class") or not method.params:
            return False
        while function is not None and function is not method:
            if name in function.local_names:
                return False
            function = function.parent
        return name == method.params[0].name

    def classes_of(self, frame: Frame) -> list[ClassInfo]:
        """The classes that self may have in a frame."""
        method = frame.method
        family = self.code.family(method.owner) if method is not None and method.owner is not None else []
        return [cls for cls in family if cls.key in self.concrete] or family

    # ------------------------------------------------------------------------------------------ names

    def definitions(self, name: str, expr: ir.Expr, frame: Frame) -> list[tuple[Definition, Frame]]:
        """The definitions of a plain name that an expression may read, innermost scope first."""
        function: FunctionInfo | None = frame.function
        inner = frame
        while function is not None:
            if name in function.local_names or isinstance(function.node, ir.Lambda):
                flow = self.code.flow(function)
                found = flow.reaching(name, expr) if function is frame.function else frozenset(flow.whole(name))
                if found:
                    return [(made, inner) for made in sorted(found, key=lambda made: made.order)]
            function = function.parent
            inner = Frame(frame.module, function)
        flow = self.code.flow(frame.module)
        found = flow.reaching(name, expr) if frame.function is None else frozenset()
        known = sorted(found, key=lambda made: made.order) or self.code.at_end(frame.module, name)
        return [(made, Frame(frame.module, None)) for made in known]

    def rebound(self, name: str, frame: Frame) -> list[tuple[Definition, Frame]]:
        """Assignments to a name of this scope that functions make under ``global`` or ``nonlocal``."""
        home = frame.function
        while home is not None and name not in home.local_names:
            home = home.parent
        found = []
        for function in frame.module.functions:
            if name in function.local_names or name not in frame.module.text(function.span):
                continue
            outer = function.parent
            while outer is not None and name not in outer.local_names:
                outer = outer.parent
            if outer is home and (home is None or function is not home):
                inner = Frame(frame.module, function)
                found += [(made, inner) for made in self.code.flow(function).whole(name) if made.kind in CHANGING]
        return found

    def has_run(self, nested: FunctionInfo, expr: ir.Expr, frame: Frame) -> bool:
        """Whether a nested function may have been called, or handed on, before an expression is reached."""
        known = self.code.flow(frame.scope).reaching(nested.name, expr)
        return any(made.kind not in ("function", "entry") for made in known) or isinstance(nested.node, ir.Lambda)

    def is_made_here(self, expr: ir.Expr, frame: Frame) -> bool:
        """Whether an object is a local one that can be followed to where it is made, rather than one of its class."""
        if not isinstance(expr, ir.Name) or self.is_self(expr.id, frame):
            return isinstance(expr, ir.Call)
        known = self.definitions(expr.id, expr, frame)
        return bool(known) and all(made.kind in ("assign", "walrus", "loop", "hand", "case") for made, _ in known)

    def things(self, expr: ir.Expr, frame: Frame, depth: int = 0) -> list[Thing]:
        """The functions, classes and modules that an expression may stand for."""
        if depth > _DEEP:
            return []
        found: list[Thing] = []
        if isinstance(expr, ir.Name):
            for made, inside in self.definitions(expr.id, expr, frame):
                if made.kind in ("function", "class", "import"):
                    found += self.code.defined(made, inside.module)
                elif made.kind == "assign" and not made.want and isinstance(made.value, (ir.Name, ir.Attribute)):
                    found += self.things(made.value, inside, depth + 1)
        elif isinstance(expr, ir.Attribute):
            if isinstance(expr.value, ir.Call) and last_name(expr.value.func) == "super" and frame.method is not None:
                owners = self.classes_of(frame)
                found += [m for cls in owners if (m := self.code.method(cls, expr.attr, frame.method.owner)) is not None]
                return list(dict.fromkeys(found))
            for base in self.things(expr.value, frame, depth + 1):
                if isinstance(base, Module):
                    found += self.code.global_name(base, expr.attr) or self.code.submodule(base, expr.attr)
                elif isinstance(base, ClassInfo) and (method := self.code.method(base, expr.attr)) is not None:
                    found.append(method)
            for cls in self.types(expr.value, frame, depth + 1):
                method = self.code.method(cls, expr.attr)
                found += [method] if method is not None else []
        return list(dict.fromkeys(found))

    def types(self, expr: ir.Expr, frame: Frame, depth: int = 0) -> list[ClassInfo]:
        """The classes of the tree that an object may be an instance of."""
        if depth > _DEEP:
            return []
        found: list[ClassInfo] = []
        if isinstance(expr, ir.Name) and self.is_self(expr.id, frame):
            return self.classes_of(frame)
        if isinstance(expr, ir.Name):
            for made, inside in self.definitions(expr.id, expr, frame):
                found += self._type_of(made, inside, depth)
        elif isinstance(expr, ir.Call):
            found += [thing for thing in self.things(expr.func, frame, depth + 1) if isinstance(thing, ClassInfo)]
        elif isinstance(expr, ir.Attribute) and isinstance(expr.value, ir.Name) and self.is_self(expr.value.id, frame):
            for made, inside in self.attribute(self.classes_of(frame), expr.attr):
                found += self._type_of(made, inside, depth)
        return list(dict.fromkeys(found))

    def _type_of(self, made: Definition, frame: Frame, depth: int) -> list[ClassInfo]:
        annotation = made.item.annotation if isinstance(made.item, ir.Parameter) else None
        if isinstance(made.statement, ir.Assign):
            annotation = made.statement.annotation
        if annotation is not None:
            return self._annotated(annotation, frame.module)
        if made.kind in ("assign", "walrus", "with") and not made.want and made.value is not None:
            return self.types(made.value, frame, depth + 1)
        return []

    def _annotated(self, annotation: ir.Expr, module: Module) -> list[ClassInfo]:
        """The classes that an annotation names."""
        top = Frame(module, None)
        found: list[Thing] = []
        for item in walk(annotation):
            if isinstance(item, ir.Name):
                found += self.code.global_name(module, item.id)
            elif isinstance(item, ir.Attribute):
                found += self.things(item, top)
            elif isinstance(item, ir.Constant) and isinstance(item.value, str):
                for word in re.findall(r"\w+", item.value):
                    found += self.code.global_name(module, word)
        return [thing for thing in dict.fromkeys(found) if isinstance(thing, ClassInfo)]

    def attribute(self, classes: list[ClassInfo], attr: str) -> list[tuple[Definition, Frame]]:
        """The assignments to ``self.attr`` in classes, their bases and bodies: constructors first."""
        found: list[tuple[tuple[object, ...], Definition, Frame]] = []
        for cls in dict.fromkeys(base for each in classes for base in self.code.mro(each)):
            for made in self.code.flow(cls).whole(attr):
                if made.kind == "assign":
                    found.append(((0, cls.module.path, made.span), made, Frame(cls.module, None, body=cls.qualname)))
            for method in cls.methods.values():
                if method.params and method.binding in ("method", "property", "class"):
                    for made in self.code.flow(method).whole(f"{method.params[0].name}.{attr}"):
                        if made.kind not in ("entry", "hand"):
                            rank = 1 if method.name in ("__init__", "__post_init__") else 2
                            found.append(((rank, cls.module.path, made.span), made, Frame(cls.module, method)))
        found.sort(key=lambda each: each[0])
        return [(made, frame) for _, made, frame in found]

    # ------------------------------------------------------------------------------------------ calls

    def targets(self, call: ir.Call, frame: Frame) -> list[FunctionInfo | ClassInfo]:
        """The functions and classes of the tree that a call may run."""
        found = [thing for thing in self.things(call.func, frame) if isinstance(thing, (FunctionInfo, ClassInfo))]
        if not found and isinstance(call.func, ir.Attribute) and not self._is_known(call.func.value, frame):
            only = self.code.only_method(call.func.attr)
            found = [only] if only is not None else []
        return found[:MAX_BRANCHES]

    def _is_known(self, expr: ir.Expr, frame: Frame) -> bool:
        """Whether an object is known to be something that lacks the method that is called."""
        return bool(self.types(expr, frame) or self.things(expr, frame)) or not isinstance(expr, (ir.Name, ir.Attribute))

    def callers(self, function: FunctionInfo) -> list[tuple[ir.Call, Frame]]:
        """The calls of a function that are known, in path and source order."""
        if id(function) not in self._callers:
            names = {function.name}
            if function.owner is not None and function.name in ("__init__", "__new__", "__post_init__"):
                names |= {cls.name for cls in self.code.family(function.owner)}
            found = []
            for call, inside, module in (each for name in sorted(names) for each in self.code.calls(name)):
                frame = Frame(module, inside)
                if any(function in (target, self.constructor(target)) for target in self.targets(call, frame)):
                    found.append((call, frame))
            found = [each for each in found if self._relevant(each[1], function)]
            found.sort(key=lambda each: (each[1].module.path, each[0].span))
            self._callers[id(function)] = found
        return self._callers[id(function)]

    def _relevant(self, frame: Frame, function: FunctionInfo) -> bool:
        """Whether code may run for the classes in question: what only other classes have calls the method of others."""
        if frame.method is None or frame.method.owner is None or function.owner is None:
            return True
        ours = {cls.key for key in self.concrete if key in self.code.classes for cls in self.code.mro(self.code.classes[key])}
        related = function.owner in self.code.mro(frame.method.owner)
        return not related or function.owner.key not in ours or frame.method.owner.key in ours

    def constructor(self, target: FunctionInfo | ClassInfo) -> FunctionInfo | None:
        """What runs when a class is called."""
        if isinstance(target, ClassInfo):
            return self.code.method(target, "__init__") or self.code.method(target, "__post_init__")
        return None

    def bound_first(self, function: FunctionInfo, call: ir.Call, frame: Frame) -> bool:
        """Whether the first parameter of a function is filled by what it is called on."""
        if function.owner is None or function.parent is not None or function.binding in ("static", "function"):
            return False
        if function.binding == "class" or function.name in ("__init__", "__post_init__"):
            explicit = isinstance(call.func, ir.Attribute) and call.func.attr == function.name
            return not explicit or function.binding == "class" or not self._on_class(call.func, frame)
        return not self._on_class(call.func, frame)

    def _on_class(self, func: ir.Expr, frame: Frame) -> bool:
        """Whether a method is called on a class, so that the object is its first argument."""
        if not isinstance(func, ir.Attribute):
            return False
        return any(isinstance(thing, ClassInfo) for thing in self.things(func.value, frame))


__all__ = ["Frame", "Resolver", "dotted"]
