"""Fields of objects that come in from outside: what the constructor calls of their class in the tree pass for them.

A parameter that is annotated with a dataclass of the tree holds an object that some constructor call made. Where all of
those calls pass constants for a field, and nothing assigns the field afterwards, it has one of these constants.
"""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, ite, leaf, test
from fia_lint.algebra.region import identical
from fia_lint.algebra.terms import Const, Linear, Subject
from fia_lint.evaluate.callees import family
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Maker
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.makers import called, callers, makers
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.stores import stores
from fia_lint.extract import ir

#: Over how many calls an argument of a constructor call is followed back to where it comes from.
_FAR = 6

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
        machine.makers[cls] = makers(machine, cls)
    fields = [name for name, _, _ in cls.declared_fields()]
    if attr not in fields:
        return False
    for maker in machine.makers[cls]:
        for call in maker.calls:
            given = _given(call, attr, fields.index(attr))
            if given is None or any(not _looks_constant(machine, value, maker.function, _FAR) for value in given):
                return False
    return bool(machine.makers[cls])


def _given(call: ir.Call, name: str, position: int) -> list[ir.Expr] | None:
    """What a call passes for a parameter: nothing, where the default is taken; None if that cannot be told."""
    if any(a.star for a in call.args):
        return None
    places = [a.value for a in call.args if a.name is None]
    return [a.value for a in call.args if a.name == name] or places[position:][:1]


def _looks_constant(machine: Machine, expr: ir.Expr, function: FunctionInfo, depth: int) -> bool:
    if isinstance(expr, ir.Constant):
        return True
    if isinstance(expr, ir.Conditional):
        return all(_looks_constant(machine, e, function, depth) for e in (expr.body, expr.orelse))
    if isinstance(expr, (ir.Unary, ir.Binary)):
        sides = [expr.operand] if isinstance(expr, ir.Unary) else [expr.left, expr.right]
        return all(_looks_constant(machine, e, function, depth) for e in sides)
    if isinstance(expr, ir.Call):
        targets = called(machine, expr, function) if depth else []
        return bool(targets) and all(_returns_constants(machine, each, depth - 1) for each in targets)
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
    if not all(v is not None and _looks_constant(machine, v, function, depth - 1) for v in stored):
        return False
    names = [param.name for param in function.passed]
    return _is_passed_constants(machine, function, names.index(expr.id), depth - 1) if expr.id in names else bool(stored)


def _is_passed_constants(machine: Machine, function: FunctionInfo, position: int, depth: int) -> bool:
    """Whether all callers of a function pass what can be a constant for a parameter."""
    param = function.passed[position]
    known = _callers(machine, function)
    for caller in known:
        for call in caller.calls:
            given = _given(call, param.name, position)
            if given is None or not all(_looks_constant(machine, value, caller.function, depth) for value in given):
                return False
    return bool(known)


def _returns_constants(machine: Machine, function: FunctionInfo, depth: int) -> bool:
    values = [item.value for item in function.items if isinstance(item, ir.Return)]
    return bool(values) and all(value is None or _looks_constant(machine, value, function, depth) for value in values)


def _collected(machine: Machine, cls: ClassInfo) -> dict[str, set[Const]]:
    made = [fields for maker in machine.makers[cls] for fields in _made(machine, maker, family(cls), _FAR)]
    if not made or any(fields is None for fields in made):
        return {}
    names = {name for name, _, _ in cls.declared_fields()}
    # Fields that the class itself, or somebody else, assigns are what was assigned last.
    names -= {attr for each in family(cls) for owner in each.mro() for attr in owner.attribute_writes}
    names -= {attr for name in sorted(names) for attr in _assigned(machine, name)}
    constants: dict[str, set[Const]] = {}
    for name in names:
        terms = [term for fields in made if fields is not None and name in fields for term in fields[name].terms]
        if terms and all(isinstance(term, Const) for term in terms):
            constants[name] = set(terms)
    return constants


def _made(machine: Machine, maker: Maker, classes: list[ClassInfo], depth: int) -> list[dict[str, Diagram] | None]:
    """The objects that a function makes; by what its callers pass, where its parameters are in them and the callers are known."""
    objects = machine.run_maker(maker, classes)
    if not depth or not any(fields is None or _has_parameter(fields) for fields in objects):
        return objects
    known = _callers(machine, maker.function)
    above = [fields for caller in known for fields in _made(machine, caller, classes, depth - 1)]
    return above if above and None not in above else objects


def _has_parameter(fields: dict[str, Diagram]) -> bool:
    terms = [term for value in fields.values() for term in value.terms]
    return any(isinstance(term, Linear) and term.symbol is not None and term.symbol.key[0] == "param" for term in terms)


def _callers(machine: Machine, function: FunctionInfo) -> list[Maker]:
    if function not in machine.callers:
        machine.callers[function] = callers(machine, function)
    return machine.callers[function]


def _assigned(machine: Machine, attr: str) -> set[str]:
    """``{attr}`` if some file assigns such an attribute, or copies an object with another value for it; else nothing."""
    for path in machine.project.source.mentioning(attr):
        module = machine.project.module(path)
        imported = [pair for stmt in module.imports if isinstance(stmt, ir.ImportFrom) for pair in stmt.names] if module else []
        copies = _COPIES | {alias for name, alias in imported if name in _COPIES and alias}
        for item in walk_all(module.facts.body) if module is not None else ():
            if any(isinstance(stored, ir.Attribute) and stored.attr == attr for stored in stores(item)):
                return {attr}
            if isinstance(item, ir.Call) and any(a.name == attr or a.star == "**" for a in item.args):
                if (dotted(item.func) or "").rpartition(".")[2] in copies:
                    return {attr}
    return set()
