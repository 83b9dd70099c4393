"""Functions that make objects of a class, and the functions that call those: found by name, before anything is evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.evaluate import modules
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Maker, Module
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.scopes import walk_all
from fia_lint.evaluate.values import ClassValue, FunctionValue
from fia_lint.extract import ir

#: A class or function that more files mention than this is too common to look at all of its calls.
_MOST_FILES = 16

_TYPE_TESTS = {"isinstance", "issubclass", "cast"}


def makers(machine: Machine, cls: ClassInfo) -> list[Maker]:
    """The functions that make objects of a class or its subclasses; none if not all of them can be told."""
    classes = _whole_family(machine, cls)
    found: list[Maker] = []
    for module in (_mentioning(machine, {each.name for each in classes}) if classes else None) or ():
        here = _makers(machine, module, classes)
        if here is None:
            return []
        found += here
    return found


def callers(machine: Machine, function: FunctionInfo) -> list[Maker]:
    """The functions that call a function; none if not all of them can be told."""
    found: dict[FunctionInfo, Maker] = {}
    if function.parent is not None or not function.passed:
        return []
    for module in _mentioning(machine, {function.name}) or ():
        if _renamed(module, {function.name}):
            return []
        harmless: set[int] = set()
        for other in module.functions:
            for call in other.calls:
                if _last(call.func) != function.name:
                    continue
                targets = called(machine, call, other)
                if not targets:
                    return []
                harmless.add(id(call.func))
                if function in targets:
                    found.setdefault(other, Maker(other)).calls.append(call)
        for item in walk_all(module.facts.body):
            named = isinstance(item, (ir.Name, ir.Attribute)) and _last(item) == function.name
            spelled = isinstance(item, ir.Constant) and item.value == function.name
            if (named and id(item) not in harmless) or spelled:
                return []
    return list(found.values())


def called(machine: Machine, call: ir.Call, function: FunctionInfo) -> list[FunctionInfo]:
    """The functions that ``f(…)`` and ``self.f(…)`` may run, overrides included; none if one of them cannot be told."""
    if isinstance(call.func, ir.Name) and call.func.id not in function.local_names:
        found = function.module.toplevel.get(call.func.id)
        if found is None:
            value = modules.static_value(machine, call.func, function.module)
            term = value.term if value is not None and value.is_leaf else None
            found = term.function if isinstance(term, FunctionValue) else None
        return [found] if isinstance(found, FunctionInfo) else []
    owner = function.owner
    if not isinstance(call.func, ir.Attribute) or owner is None or not function.params:
        return []
    if not isinstance(call.func.value, ir.Name) or call.func.value.id != function.params[0].name:
        return []
    methods = [each.find(call.func.attr) for each in _whole_family(machine, owner)]
    return [m for m in methods if m is not None] if None not in methods else []


def _mentioning(machine: Machine, names: set[str]) -> list[Module] | None:
    """The modules, but for those of tests, in which some names stand; None if there are too many."""
    paths = sorted({path for name in names for path in machine.project.source.mentioning(name)})
    paths = [path for path in paths if not machine.project.group_of(path)[1]]
    if len(paths) > _MOST_FILES:
        return None
    return [module for path in paths if (module := machine.project.module(path)) is not None]


def _whole_family(machine: Machine, cls: ClassInfo) -> list[ClassInfo]:
    """A class and everything below it in the tree; nothing if that cannot be told."""
    found = [cls]
    for each in found:
        mentioning = _mentioning(machine, {each.name})
        if mentioning is None:
            return []
        for module in mentioning:
            for other in module.classes:
                modules.link_class(machine, other)
        found.extend(sub for sub in each.subclasses if sub not in found)
    return found


def _makers(machine: Machine, module: Module, classes: list[ClassInfo]) -> list[Maker] | None:
    """The functions of a module that call a constructor; None if a class is used in a way that hides constructor calls."""
    names = {cls.name for cls in classes}
    if _renamed(module, names):
        return None
    harmless = set(_harmless(module))
    found: dict[FunctionInfo, Maker] = {}
    for function in module.functions:
        for call in function.calls:
            if _last(call.func) in names and _is_one(machine, call.func, module, classes):
                harmless.add(id(call.func))
                found.setdefault(function, Maker(function)).calls.append(call)
    for item in walk_all(module.facts.body):
        if _makes_its_like(item) or (isinstance(item, ir.Constant) and item.value in names and id(item) not in harmless):
            return None
        name = _last(item) if isinstance(item, (ir.Name, ir.Attribute)) else ""
        if name in names and id(item) not in harmless and _is_one(machine, item, module, classes):
            return None
    return list(found.values())


def _renamed(module: Module, names: set[str]) -> bool:
    """Whether a module imports something under another name: whoever uses that name is not found by the first."""
    pairs = [pair for stmt in module.imports if isinstance(stmt, ir.ImportFrom) for pair in stmt.names]
    return any(name in names and alias not in (None, name) for name, alias in pairs)


def _makes_its_like(item: object) -> bool:
    """``type(x)(…)`` and ``x.__class__(…)``."""
    if not isinstance(item, ir.Call):
        return False
    by_type = isinstance(item.func, ir.Call) and _last(item.func.func) == "type"
    return by_type or (isinstance(item.func, ir.Attribute) and item.func.attr == "__class__")


def _is_one(machine: Machine, expr: ir.Expr, module: Module, classes: list[ClassInfo]) -> bool:
    value = modules.static_value(machine, expr, module)
    return value is None or any(isinstance(term, ClassValue) and term.cls in classes for term in value.terms)


def _harmless(module: Module) -> Iterator[int]:
    """Expressions that name a class without giving it away: annotations, type tests, bases."""
    for item in walk_all(module.facts.body):
        parts: list[object] = []
        if isinstance(item, (ir.Assign, ir.Parameter)):
            parts = [item.annotation]
            if isinstance(item, ir.Assign) and any(isinstance(t, ir.Name) and t.id == "__all__" for t in item.targets):
                parts.append(item.value)
        elif isinstance(item, ir.FunctionDef):
            parts = [item.returns]
        elif isinstance(item, ir.ClassDef):
            parts = list(item.bases)
        elif isinstance(item, ir.Call) and _last(item.func) in _TYPE_TESTS:
            parts = list(item.args)
        for part in parts:
            if part is not None:
                yield from (id(inner) for inner in walk_all(part))


def _last(expr: ir.Expr) -> str:
    """``c`` of ``a.b.c`` and of ``f().c``."""
    return expr.attr if isinstance(expr, ir.Attribute) else expr.id if isinstance(expr, ir.Name) else ""
