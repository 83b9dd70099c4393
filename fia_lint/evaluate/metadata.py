"""Fields of objects that come in from outside: what the constructor calls of their class in the tree pass for them.

A parameter that is annotated with a dataclass of the tree holds an object that some constructor call made. Where all of
those calls pass constants for a field, and nothing assigns the field afterwards, it has one of these constants.
"""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import Diagram, ite, leaf, test
from fia_lint.algebra.region import identical
from fia_lint.algebra.terms import Const, Subject
from fia_lint.evaluate import modules
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.stores import stores
from fia_lint.evaluate.values import ClassValue
from fia_lint.extract import ir

#: A class that more files mention than this is too common to look at all constructor calls.
_MOST_FILES = 16

_TYPE_TESTS = {"isinstance", "issubclass", "cast"}
_COPIES = {"replace", "_replace"}


def field(machine: Machine, cls: ClassInfo, attr: str, subject: Subject) -> Diagram | None:
    """One of the constants that the tree's constructor calls pass for a field, or None if they pass something else.

    ``subject`` is the field as it is read: which of several constants it has is a test of it.
    """
    if cls.fields_kind != "dataclass" or attr in machine.windows or attr in machine.changed_attributes:
        return None
    if not _may_be_constant(machine, cls, attr):
        return None
    constants = _constants(machine, cls).get(attr)
    if not constants:
        return None
    ordered = sorted(constants, key=lambda term: term.order)
    value = leaf(ordered[-1])
    for term in ordered[-2::-1]:
        value = ite(test(subject, identical(term.value)), leaf(term), value)
    return value


def _constants(machine: Machine, cls: ClassInfo) -> dict[str, set[Const]]:
    """The constants that each field of a class can have; fields that can have anything else are left out."""
    if cls not in machine.fields:
        machine.fields[cls] = {}
        machine.fields[cls] = _collected(machine, cls)
    return machine.fields[cls]


def _may_be_constant(machine: Machine, cls: ClassInfo, attr: str) -> bool:
    """Whether what stands in the constructor calls for a field can be a constant: then it is worth to run them."""
    if cls not in machine.makers:
        machine.makers[cls] = _all_makers(machine, cls)
    fields = [name for name, _, _ in cls.declared_fields()]
    if attr not in fields:
        return False
    makers = machine.makers[cls]
    names = {each.name for each in _family(cls)}
    for maker in makers:
        for call in maker.calls:
            if (dotted(call.func) or "").rpartition(".")[2] not in names:
                continue
            if any(a.star for a in call.args):
                return False
            places = [a.value for a in call.args if a.name is None]
            given = [a.value for a in call.args if a.name == attr] or places[fields.index(attr) :][:1]
            if any(not _looks_constant(machine, value, maker, 3) for value in given):
                return False
    return bool(makers)


def _looks_constant(machine: Machine, expr: ir.Expr, function: FunctionInfo, depth: int) -> bool:
    if isinstance(expr, ir.Constant):
        return True
    if isinstance(expr, ir.Conditional):
        return all(_looks_constant(machine, e, function, depth) for e in (expr.body, expr.orelse))
    if isinstance(expr, (ir.Unary, ir.Binary)):
        sides = [expr.operand] if isinstance(expr, ir.Unary) else [expr.left, expr.right]
        return all(_looks_constant(machine, e, function, depth) for e in sides)
    if isinstance(expr, ir.Call):
        called = _called(machine, expr, function) if depth else []
        return bool(called) and all(_returns_constants(machine, each, depth - 1) for each in called)
    if isinstance(expr, ir.Attribute):
        root = (dotted(expr) or "").partition(".")[0]
        return bool(root) and root not in function.local_names
    if not isinstance(expr, ir.Name) or depth == 0:
        return False
    if expr.id not in function.local_names:
        return True
    stored = [
        item.value
        for item in walk_all(function.node.body)
        if isinstance(item, ir.Assign) and any(isinstance(t, ir.Name) and t.id == expr.id for t in item.targets)
    ]
    return bool(stored) and all(v is not None and _looks_constant(machine, v, function, depth - 1) for v in stored)


def _called(machine: Machine, call: ir.Call, function: FunctionInfo) -> list[FunctionInfo]:
    """The functions that ``f(…)`` and ``self.f(…)`` may run, overrides included; none if one of them cannot be told."""
    if isinstance(call.func, ir.Name) and call.func.id not in function.local_names:
        found = function.module.toplevel.get(call.func.id)
        return [found] if isinstance(found, FunctionInfo) else []
    owner = function.owner
    if not isinstance(call.func, ir.Attribute) or owner is None or not function.params:
        return []
    if not isinstance(call.func.value, ir.Name) or call.func.value.id != function.params[0].name:
        return []
    methods = [each.find(call.func.attr) for each in _whole_family(machine, owner)]
    return [m for m in methods if m is not None] if None not in methods else []


def _whole_family(machine: Machine, cls: ClassInfo) -> list[ClassInfo]:
    """A class and everything below it in the tree; nothing if that cannot be told."""
    found = [cls]
    for each in found:
        paths = [p for p in machine.project.source.mentioning(each.name) if not machine.project.group_of(p)[1]]
        if len(paths) > _MOST_FILES:
            return []
        for module in [module for path in paths if (module := machine.project.module(path)) is not None]:
            for other in module.classes:
                modules.link_class(machine, other)
        found.extend(sub for sub in each.subclasses if sub not in found)
    return found


def _returns_constants(machine: Machine, function: FunctionInfo, depth: int) -> bool:
    values = [item.value for item in function.items if isinstance(item, ir.Return)]
    return bool(values) and all(value is None or _looks_constant(machine, value, function, depth) for value in values)


def _all_makers(machine: Machine, cls: ClassInfo) -> list[FunctionInfo]:
    """The functions that make objects of a class or its subclasses; none if not all of them can be told."""
    family = _family(cls)
    mentioning = sorted({path for each in family for path in machine.project.source.mentioning(each.name)})
    mentioning = [path for path in mentioning if not machine.project.group_of(path)[1]]
    if len(mentioning) > _MOST_FILES:
        return []
    makers: list[FunctionInfo] = []
    for module in [module for path in mentioning if (module := machine.project.module(path)) is not None]:
        found = _makers(machine, module, family)
        if found is None:
            return []
        makers += found
    return makers


def _collected(machine: Machine, cls: ClassInfo) -> dict[str, set[Const]]:
    family = _family(cls)
    made = [fields for maker in machine.makers[cls] for fields in machine.run_maker(maker, family)]
    if not made or any(fields is None for fields in made):
        return {}
    names = {name for name, _, _ in cls.declared_fields()}
    # Fields that the class itself, or somebody else, assigns are what was assigned last.
    names -= {attr for each in family for owner in each.mro() for attr in owner.attribute_writes}
    names -= {attr for name in sorted(names) for attr in _assigned(machine, name)}
    constants: dict[str, set[Const]] = {}
    for name in names:
        terms = [term for fields in made if fields is not None and name in fields for term in fields[name].terms]
        if terms and all(isinstance(term, Const) for term in terms):
            constants[name] = set(terms)
    return constants


def _family(cls: ClassInfo) -> list[ClassInfo]:
    found = [cls]
    for each in found:
        found.extend(sub for sub in each.subclasses if sub not in found)
    return found


def _makers(machine: Machine, module: Module, family: list[ClassInfo]) -> list[FunctionInfo] | None:
    """The functions of a module that call a constructor; None if a class is used in a way that hides constructor calls."""
    names = {cls.name for cls in family}
    harmless = set(_harmless(module))
    found: list[FunctionInfo] = []
    for function in module.functions:
        for call in function.calls:
            if (dotted(call.func) or "").rpartition(".")[2] in names and _is_one(machine, call.func, module, family):
                harmless.add(id(call.func))
                if function not in found:
                    found.append(function)
    for item in walk_all(module.facts.body):
        name = item.id if isinstance(item, ir.Name) else item.attr if isinstance(item, ir.Attribute) else ""
        if name in names and id(item) not in harmless and _is_one(machine, item, module, family):
            return None
    return found


def _is_one(machine: Machine, expr: ir.Expr, module: Module, family: list[ClassInfo]) -> bool:
    value = modules.static_value(machine, expr, module)
    return value is None or any(isinstance(term, ClassValue) and term.cls in family for term in value.terms)


def _harmless(module: Module) -> Iterator[int]:
    """Expressions that name a class without giving it away: annotations, type tests, bases."""
    for item in walk_all(module.facts.body):
        parts: list[object] = []
        if isinstance(item, (ir.Assign, ir.Parameter)):
            parts = [item.annotation]
        elif isinstance(item, ir.FunctionDef):
            parts = [item.returns]
        elif isinstance(item, ir.ClassDef):
            parts = list(item.bases)
        elif isinstance(item, ir.Call) and (dotted(item.func) or "").rpartition(".")[2] in _TYPE_TESTS:
            parts = list(item.args)
        for part in parts:
            if part is not None:
                yield from (id(inner) for inner in walk_all(part))


def _assigned(machine: Machine, attr: str) -> set[str]:
    """``{attr}`` if some file assigns such an attribute, or copies an object with another value for it; else nothing."""
    for path in machine.project.source.mentioning(attr):
        module = machine.project.module(path)
        for item in walk_all(module.facts.body) if module is not None else ():
            if any(isinstance(stored, ir.Attribute) and stored.attr == attr for stored in stores(item)):
                return {attr}
            if isinstance(item, ir.Call) and any(a.name == attr for a in item.args):
                if (dotted(item.func) or "").rpartition(".")[2] in _COPIES:
                    return {attr}
    return set()
