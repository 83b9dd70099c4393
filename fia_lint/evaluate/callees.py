"""Which functions of the tree a callee may be, before anything is evaluated."""

from __future__ import annotations

from fia_lint.algebra.terms import Linear
from fia_lint.evaluate import modules
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.holders import Holders
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.values import BoundMethod, ClassValue, FunctionValue, ModuleValue, Ref
from fia_lint.extract import ir


class Callees:
    """Callees by name, class and import."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.project = machine.project
        self._holders = Holders()

    def resolve(self, expr: ir.Expr, function: FunctionInfo | None, module: Module) -> list[FunctionInfo]:
        """The functions of the tree that a callee expression may be, as far as names, classes and imports tell."""
        if isinstance(expr, ir.Name):
            return self._resolve_name(expr, function, module)
        assert isinstance(expr, ir.Attribute)
        owner = expr.value
        home = outermost(function)
        if home is not None and home.owner is not None:
            if isinstance(owner, ir.Name) and home.params and owner.id == home.params[0].name and home.binding != "static":
                return self._in_family(home.owner, expr.attr, None)
            if isinstance(owner, ir.Call) and isinstance(owner.func, ir.Name) and owner.func.id == "super":
                return self._in_family(home.owner, expr.attr, home.owner)
            if _is_own_class(owner, home):
                return self._in_family(home.owner, expr.attr, None)
        value = modules.static_value(self.machine, owner, module) if isinstance(owner, (ir.Name, ir.Attribute)) else None
        found: list[FunctionInfo] = []
        for term in value.terms if value is not None else ():
            if isinstance(term, ClassValue):
                found.extend(self._of_class(term.cls, expr.attr))
            elif isinstance(term, ModuleValue):
                inner = self.project.module(term.path)
                target = inner.toplevel.get(expr.attr) if inner else None
                found.extend(self._as_functions(target))
        if found or value is not None:
            return found
        return self._by_type(owner, expr.attr, home, module)

    def _by_type(self, owner: ir.Expr, attr: str, home: FunctionInfo | None, module: Module) -> list[FunctionInfo]:
        """Through an annotated parameter, an attribute that holds an instance, or the only function of that name."""
        cls = None
        if isinstance(owner, ir.Name) and home is not None:
            param = next((p for p in home.params if p.name == owner.id), None)
            if param is not None and param.annotation is not None:
                cls = modules.annotated_class(self.machine, param.annotation, module)
        if cls is not None:
            return self._of_class(cls, attr)
        named = self.machine.by_name.get(attr, [])
        if (
            len(named) == 1
            and attr not in self.machine.common
            and named[0].owner is not None
            and named[0].module.group == module.group
        ):
            return named
        return []

    def _of_class(self, cls: ClassInfo, name: str) -> list[FunctionInfo]:
        """The method of a class, or what an attribute of it is given."""
        method = cls.find(name)
        return [method] if method is not None else list(self._holders.held_by(cls, name, self.resolve))

    def _in_family(self, cls: ClassInfo, name: str, after: ClassInfo | None) -> list[FunctionInfo]:
        found = [f for each in family(cls) if (f := each.find(name, after)) is not None]
        return list(dict.fromkeys(found)) or list(self._holders.held_by(cls, name, self.resolve))

    def _resolve_name(self, expr: ir.Name, function: FunctionInfo | None, module: Module) -> list[FunctionInfo]:
        scope = function
        while scope is not None:
            if expr.id in scope.local_names:
                nested = [f for f in module.functions if f.parent is scope and f.name == expr.id]
                if nested:
                    return nested
                imported = modules._imported(self.machine, module, expr.id)
                return self._from_value(imported) or self._called_object(expr.id, scope, module)
            scope = scope.parent
        direct = module.toplevel.get(expr.id)
        if direct is not None:
            return self._as_functions(direct)
        return self._from_value(modules.static_value(self.machine, expr, module))

    def _called_object(self, name: str, function: FunctionInfo, module: Module) -> list[FunctionInfo]:
        """What a call of a parameter runs that is annotated with a class."""
        param = next((p for p in function.params if p.name == name), None)
        cls = modules.annotated_class(self.machine, param.annotation, module) if param is not None and param.annotation else None
        method = cls.find("__call__") if cls is not None else None
        return [method] if method is not None else []

    def _from_value(self, value) -> list[FunctionInfo]:
        found: list[FunctionInfo] = []
        for term in value.terms if value is not None else ():
            if isinstance(term, (FunctionValue, BoundMethod)):
                found.append(term.function)
            elif isinstance(term, ClassValue):
                found.extend(self._as_functions(term.cls))
            elif isinstance(term, Ref):
                thing = self.machine.heap[term.address]
                for held in (*(thing.items or ()), *thing.fields.values()):
                    found.extend(t.function for t in held.terms if isinstance(t, (FunctionValue, BoundMethod)))
            elif isinstance(term, Linear) and term.symbol in self.machine.types:
                method = self.machine.types[term.symbol].find("__call__")
                found.extend([method] if method is not None else [])
        return found

    @staticmethod
    def _as_functions(target: FunctionInfo | ClassInfo | None) -> list[FunctionInfo]:
        if isinstance(target, FunctionInfo):
            return [target]
        if isinstance(target, ClassInfo):
            found = [target.find("__init__"), target.find("__call__")]
            return [f for f in found if f is not None]
        return []


def family(cls: ClassInfo) -> list[ClassInfo]:
    """A class and everything below it."""
    order = [cls]
    for each in order:
        order.extend(s for s in each.subclasses if s not in order)
    return order


def _is_own_class(expr: ir.Expr, method: FunctionInfo) -> bool:
    """``type(self)`` or ``self.__class__``."""
    inner: ir.Expr | None = None
    if isinstance(expr, ir.Call) and dotted(expr.func) == "type" and len(expr.args) == 1:
        inner = expr.args[0].value
    elif isinstance(expr, ir.Attribute) and expr.attr == "__class__":
        inner = expr.value
    return isinstance(inner, ir.Name) and bool(method.params) and inner.id == method.params[0].name


def outermost(function: FunctionInfo | None) -> FunctionInfo | None:
    """The function of a class or module in which another one is nested, or that function itself."""
    while function is not None and function.parent is not None:
        function = function.parent
    return function
