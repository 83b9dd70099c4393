"""Values that outlive a function: module-level names, class bodies, what constructors assign."""

from __future__ import annotations

from collections.abc import Callable

from fia_lint.algebra.diagram import Diagram, ite, leaf, map_leaves, test, where
from fia_lint.algebra.region import TRUTHY, Named
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.patches import is_patched, is_rebound
from fia_lint.evaluate.scopes import dotted, walk_scope
from fia_lint.evaluate.stores import ANY, stores
from fia_lint.evaluate.values import ABSENT, ClassValue, Deferred, External, FunctionValue, ModuleValue, OperatorValue, Ref
from fia_lint.evaluate.windows import THE_WINDOW, WINDOW, as_window
from fia_lint.extract import ir


def _once(table: dict, key: object, run: Callable[[], dict[str, Diagram]]) -> dict[str, Diagram] | None:
    """The result of ``run``, kept in ``table``; None while it is running."""
    if key not in table:
        table[key] = None
        table[key] = run()
    return table[key]


def global_value(machine: Machine, module: Module, name: str) -> Diagram | None:
    """The value of a module-level name as a function reads it, or None if the module does not bind it."""
    names = _once(machine.modules, module.path, lambda: machine.run_module(module))
    if names is None:
        return _while_running(machine, module, name)
    value = names.get(name)
    if value is None:
        return None
    if any(isinstance(term, Deferred) for term in value.terms):
        # Guards against two modules that import a name from each other without either defining it.
        names[name] = _own_symbol(machine, module, name, None)
        names[name] = value = resolved(machine, value)
    if not _is_operator(value) and is_patched(machine, module, name):
        return _or_replaced(machine, module, name, value)
    if (name in module.changed_names or module.is_rewritten) and not _is_definition(value):
        kept = None if name in module.rebound_names or module.is_rewritten else _class_of(machine, value)
        return _own_symbol(machine, module, name, kept)
    return _kept(machine, module, name, value)


def resolved(machine: Machine, value: Diagram) -> Diagram:
    """A value with imported names replaced by what they stand for."""
    if not any(isinstance(term, Deferred) for term in value.terms):
        return value
    return map_leaves(value, lambda term: _import(machine, term) if isinstance(term, Deferred) else leaf(term))


def _import(machine: Machine, wanted: Deferred) -> Diagram:
    """``from module import name``, asked for at last."""
    importer = machine.project.module(wanted.importer)
    assert importer is not None
    path = machine.project.find_module(wanted.module, wanted.level, importer)
    module = machine.project.module(path) if path else None
    if module is not None:
        value = global_value(machine, module, wanted.name)
        if value is not None and not _is_operator(value) and is_patched(machine, module, wanted.name):
            # The importer has what it was at that time, which is not what the module's attribute is now.
            return _own_symbol(machine, importer, wanted.name, None)
        if value is not None:
            return value
    full = f"{wanted.module}.{wanted.name}" if wanted.module else wanted.name
    inner = machine.project.find_module(full, wanted.level, importer)
    if inner is not None and inner != path:
        return leaf(ModuleValue(inner))
    if wanted.name in machine.operators:
        return leaf(OperatorValue(wanted.name))
    return unnamed_global(machine, module, wanted.name) if module is not None else leaf(External(full))


def unnamed_global(machine: Machine, module: Module, name: str) -> Diagram:
    """A name of a module of the tree that its body does not define, as far as it can be read."""
    return _own_symbol(machine, module, name, None)


def _while_running(machine: Machine, module: Module, name: str) -> Diagram | None:
    """A name in a circle of imports: definitions are known, everything else is opaque."""
    found = module.toplevel.get(name)
    if isinstance(found, FunctionInfo) and not found.decorators:
        return leaf(FunctionValue(found))
    if isinstance(found, ClassInfo):
        link_class(machine, found)
        return leaf(ClassValue(found))
    return _own_symbol(machine, module, name, None) if found is not None or name in module.bound_names else None


def _is_operator(value: Diagram) -> bool:
    return all(isinstance(t, OperatorValue) for t in value.terms)


def _is_definition(value: Diagram) -> bool:
    return all(isinstance(t, (FunctionValue, ClassValue, ModuleValue, OperatorValue)) for t in value.terms)


def _class_of(machine: Machine, value: Diagram) -> ClassInfo | None:
    """The class of the tree that a value is an object of: a method call that changes the object leaves it that."""
    term = value.term if value.is_leaf else None
    return machine.heap[term.address].cls if isinstance(term, Ref) and term.kind == "instance" else None


def _kept(machine: Machine, module: Module, name: str, value: Diagram) -> Diagram:
    """Instances keep their type only: their attributes may have changed since."""

    def of(term: Term) -> Diagram:
        if isinstance(term, Ref) and term.kind == "instance":
            thing = machine.heap[term.address]
            if thing.cls is not None and thing.cls.fields_kind != "namedtuple":
                return _own_symbol(machine, module, name, thing.cls)
            if thing.cls is None and not machine.changed_attributes.isdisjoint(map(str, thing.fields)):
                return _own_symbol(machine, module, name, None)
        return leaf(term)

    return map_leaves(value, of)


def _or_replaced(machine: Machine, module: Module, name: str, value: Diagram) -> Diagram:
    """A name that other code assigns. A function that leads to call sites may still be what it is defined as."""
    other = _own_symbol(machine, module, name, None)
    functions = [t.function for t in value.terms if isinstance(t, FunctionValue)]
    known = machine.reaching_functions
    if not functions or known and not any(function in known for function in functions):
        return other
    return ite(replaced(f"{module.name}.{name}", ("global", module.path, name)), other, value)


def replaced(text: str, key: tuple[object, ...]) -> Diagram:
    """The condition that other code has put something else in the place of a definition."""
    return test(Subject(("replaced", *key), f"{text} is replaced", Kind.OPAQUE), TRUTHY)


def _own_symbol(machine: Machine, module: Module, name: str, cls: ClassInfo | None) -> Diagram:
    if name in machine.windows and cls is None:
        return THE_WINDOW
    text = f"{module.name}.{name}" if is_patched(machine, module, name) else name
    subject = Subject(("global", module.path, name, cls.key if cls else ""), text, Kind.LOCAL)
    if cls is not None:
        machine.types[subject] = cls
    return leaf(symbol(subject))


def member(machine: Machine, module: Module, name: str) -> Diagram | None:
    """``module.name`` as an importer sees it."""
    return global_value(machine, module, name)


def public_names(machine: Machine, module: Module) -> dict[str, Diagram]:
    """What ``from module import *`` binds."""
    names = _once(machine.modules, module.path, lambda: machine.run_module(module))
    if names is None:
        return {}
    wanted = _declared_public(module)
    chosen = wanted if wanted is not None else [name for name in names if not name.startswith("_")]
    found = {name: global_value(machine, module, name) for name in chosen}
    return {name: value for name, value in found.items() if value is not None}


def _declared_public(module: Module) -> list[str] | None:
    for stmt in module.facts.body:
        if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Sequence):
            if any(isinstance(t, ir.Name) and t.id == "__all__" for t in stmt.targets):
                return [str(i.value) for i in stmt.value.items if isinstance(i, ir.Constant)]
    return None


# ----------------------------------------------------------------------------------------------- classes


def link_class(machine: Machine, cls: ClassInfo) -> None:
    """Find the bases of a class, and make it known to them."""
    if cls.linked:
        return
    cls.linked = True
    for base in cls.node.bases:
        if base.name is not None or base.star:
            continue
        expr = base.value.value if isinstance(base.value, ir.Subscript) else base.value
        found = static_value(machine, expr, cls.module)
        term = found.term if found is not None and found.is_leaf else None
        if isinstance(term, ClassValue) and term.cls is not cls:
            link_class(machine, term.cls)
            cls.add_base(term.cls)
        else:
            cls.external_bases.append(dotted(expr) or "?")


def static_value(machine: Machine, expr: ir.Expr, module: Module) -> Diagram | None:
    """The value of a dotted name at module level, without running anything but module bodies; None if it has none."""
    if isinstance(expr, ir.Name):
        found = module.toplevel.get(expr.id)
        if isinstance(found, ClassInfo):
            link_class(machine, found)
            return leaf(ClassValue(found))
        imported = _imported(machine, module, expr.id)
        return imported if imported is not None else global_value(machine, module, expr.id)
    if isinstance(expr, ir.Attribute):
        owner = static_value(machine, expr.value, module)
        term = owner.term if owner is not None and owner.is_leaf else None
        if isinstance(term, ModuleValue):
            inner = machine.project.module(term.path)
            if inner is None:
                return None
            found = static_value(machine, ir.Name(expr.span, expr.attr), inner)
            is_package = inner.path.endswith("__init__.py")
            below = machine.project.find_module(expr.attr, 1, inner) if found is None and is_package else None
            return found if below is None else leaf(ModuleValue(below))
    return None


def _imported(machine: Machine, module: Module, name: str) -> Diagram | None:
    """A class or module that an import statement anywhere in the module binds to ``name``."""
    for stmt in module.imports:
        for original, alias in stmt.names:
            if original == "*" and isinstance(stmt, ir.ImportFrom):
                found = _through_star(machine, module, stmt, name)
                if found is not None:
                    return found
            if isinstance(stmt, ir.Import) and alias is None:
                original = original.partition(".")[0]
            if (alias or original) != name:
                continue
            if isinstance(stmt, ir.ImportFrom):
                path = machine.project.find_module(stmt.module, stmt.level, module)
                target = machine.project.module(path) if path else None
                if target is not None and target is not module:
                    found = static_value(machine, ir.Name(stmt.span, original), target)
                    if found is not None:
                        return found
            path = _module_path(machine, stmt, original, module)
            if path is not None:
                return leaf(ModuleValue(path))
    return None


def _through_star(machine: Machine, module: Module, stmt: ir.ImportFrom, name: str) -> Diagram | None:
    """A class that ``from module import *`` brings in under its own name."""
    path = machine.project.find_module(stmt.module, stmt.level, module)
    source = machine.project.module(path) if path else None
    found = source.toplevel.get(name) if source is not None and not name.startswith("_") else None
    if not isinstance(found, ClassInfo):
        return None
    link_class(machine, found)
    return leaf(ClassValue(found))


def _module_path(machine: Machine, stmt: ir.Import | ir.ImportFrom, name: str, module: Module) -> str | None:
    if isinstance(stmt, ir.ImportFrom):
        full = f"{stmt.module}.{name}" if stmt.module else name
        path = machine.project.find_module(full, stmt.level, module)
    else:
        path = machine.project.find_module(name, 0, module)
    return path if path and machine.project.module(path) is not None else None


def is_hooked(machine: Machine, cls: ClassInfo, attr: str) -> bool:
    """Whether something but the class's own code decides what an attribute is: an assignment to the class from outside,
    a class decorator or a metaclass of the tree, or a method that intercepts reads or stores."""
    if is_rebound(machine, cls.mro(), attr):
        return True
    for owner in cls.mro():
        if {"__getattribute__", "__setattr__"} & owner.methods.keys():
            return True
        makers = [*owner.node.decorators, *(b.value for b in owner.node.bases if b.name == "metaclass")]
        for maker in makers:
            value = static_value(machine, maker.func if isinstance(maker, ir.Call) else maker, owner.module)
            if value is not None and any(isinstance(t, (FunctionValue, ClassValue)) for t in value.terms):
                return True
    return False


def only_init_assigns(cls: ClassInfo, attr: str) -> bool:
    """Whether no method but a constructor of the class or its bases assigns an attribute through self."""
    return all(c.attribute_writes.get(attr, set()) <= _CONSTRUCTORS for c in cls.mro())


_CONSTRUCTORS = {"__init__", "__post_init__"}


def class_attribute(machine: Machine, cls: ClassInfo, attr: str, instance: bool) -> Diagram | None:
    """The value of an attribute that is not a method, or None if it has no value that is known to stay.

    On an instance, what only ``__init__`` assigned; on both, what the class body says, if no method assigns it.
    """
    order = cls.mro()
    written = any(attr in c.attribute_writes for c in order)
    if instance and attr in machine.changed_attributes:
        return None  # some object is given another value, from outside
    if instance and written:
        if not only_init_assigns(cls, attr) or is_hooked(machine, cls, attr):
            return None
        names = _once(machine.bodies, ("init", id(cls)), lambda: machine.run_init(cls))
        if names is None or attr not in names:
            return None
        if ABSENT.term in names[attr].terms:
            # Assigned under a condition: elsewhere the class's own value shows through.
            shared = _body_value(machine, cls, attr)
            if shared is None or any(isinstance(term, FunctionValue) for term in shared.terms):
                return None
            there = where(names[attr], lambda term: leaf(term) is not ABSENT)
            return _own_name(ite(there, names[attr], shared))
        return _own_name(as_window(names[attr]) if attr in machine.windows else names[attr])
    if instance and (written or cls.fields_kind and any(f[0] == attr for f in cls.declared_fields())):
        return None
    return _body_value(machine, cls, attr)


def kept_parameters(machine: Machine, cls: ClassInfo) -> dict[Subject, str]:
    """Parameters of the constructor that it keeps as they are, with the attributes that nothing else assigns."""
    found: dict[Subject, str] = {}
    for attr, value in (machine.bodies.get(("init", id(cls))) or {}).items():
        subject = value.term.symbol if value.is_leaf and isinstance(value.term, Linear) else None
        if subject is not None and subject.key[0] == "init" and only_init_assigns(cls, attr):
            found.setdefault(subject, attr)
    return found


def _body_value(machine: Machine, cls: ClassInfo, attr: str) -> Diagram | None:
    """What the class body, or that of a base, says of an attribute.

    None where a plain method says it, or where it stands under a condition and a base has something of that name, too.
    """
    if is_hooked(machine, cls, attr):
        return None
    bearers = [c for c in cls.mro() if attr in c.methods or attr in c.rebinds]
    if not bearers or attr not in bearers[0].rebinds or (len(bearers) > 1 and attr not in bearers[0].always_binds):
        return None
    owner = bearers[0]
    names = _once(machine.bodies, ("class", id(owner)), lambda: machine.run_class(owner))
    return None if names is None else names.get(attr)


def is_replaced(machine: Machine, cls: ClassInfo, method: FunctionInfo) -> bool:
    """Whether code outside assigns something else to the method, on its class or on one between it and ``cls``."""
    order = cls.mro()
    between = order[: order.index(method.owner) + 1] if method.owner in order else order
    if any("__getattribute__" in each.methods for each in order):
        return True
    return is_rebound(machine, between, method.name) or any(_made_otherwise(machine, each) for each in between)


def _made_otherwise(machine: Machine, cls: ClassInfo) -> bool:
    """Whether a metaclass of the tree makes the class."""
    makers = [base.value for base in cls.node.bases if base.name == "metaclass"]
    return any(
        isinstance(term, ClassValue)
        for maker in makers
        for value in [static_value(machine, maker, cls.module)]
        for term in (value.terms if value is not None else ())
    )


def is_assigned(machine: Machine, cls: ClassInfo, attr: str) -> bool:
    """Whether objects are given an attribute of their own, by name or, in the constructor, by a name that is chosen there."""
    order = cls.mro()
    if any(attr in each.attribute_writes for each in order):
        return True
    if not any(ANY in each.attribute_writes for each in order):
        return False
    names = _once(machine.bodies, ("init", id(cls)), lambda: machine.run_init(cls))
    return names is not None and attr in names


def _own_name(value: Diagram) -> Diagram | None:
    """What ``__init__`` assigned, or None where the attribute keeps its own name: flags, tensors, plain parameters.

    Constants, tests of the window, numbers made from others, objects and functions are looked through.
    """
    terms = value.terms
    if value.is_leaf and isinstance(terms[0], Const):
        return value
    if any(isinstance(t, Unknown) for t in terms):
        return None
    if value.support <= {WINDOW}:
        return None if value.is_leaf and _is_plain(terms[0]) else value
    if all(_is_flag(t) or _is_plain(t) for t in terms):
        return None
    return value


def _is_flag(term: Term) -> bool:
    return isinstance(term, Const) and (term.value is None or isinstance(term.value, (bool, Named)))


def _is_plain(term: Term) -> bool:
    return isinstance(term, Linear) and term.symbol is not None and term.symbol != WINDOW and term.symbol.key[0] != "pure"


def annotated_class(machine: Machine, annotation: ir.Expr, module: Module) -> ClassInfo | None:
    """The class of the tree that an annotation names (``X``, ``"X"``, ``X | None``, ``Optional[X]``), if any."""
    expr = annotation
    if isinstance(expr, ir.Constant) and isinstance(expr.value, str):
        text = expr.value.strip()
        if not text.replace(".", "").replace("_", "").isalnum():
            return None
        parts = text.split(".")
        expr = ir.Name(annotation.span, parts[0])
        for part in parts[1:]:
            expr = ir.Attribute(annotation.span, expr, part)
    if isinstance(expr, ir.Binary) and expr.op == "|":
        sides = [annotated_class(machine, side, module) for side in (expr.left, expr.right)]
        found = [side for side in sides if side is not None]
        return found[0] if len(found) == 1 else None
    if isinstance(expr, ir.Subscript) and (dotted(expr.value) or "").rpartition(".")[2] == "Optional":
        return annotated_class(machine, expr.index, module)
    if not isinstance(expr, (ir.Name, ir.Attribute)):
        return None
    value = static_value(machine, expr, module)
    term = value.term if value is not None and value.is_leaf else None
    return term.cls if isinstance(term, ClassValue) and not term.cls.is_enum else None


#: Decorators that call another function in place of the one that they decorate.
_DISPATCHING = {"singledispatch", "singledispatchmethod"}


def dispatches(decorator: ir.Expr) -> bool:
    return (dotted(decorator) or "").rpartition(".")[2] in _DISPATCHING


def passes_through(machine: Machine, decorator: ir.Expr, method: FunctionInfo) -> bool:
    """Whether a decorator of a method leaves its calls as they are: it is not of the tree, or hands everything on."""
    expr = decorator.func if isinstance(decorator, ir.Call) else decorator
    if isinstance(expr, ir.Name):
        near = _defined_around(expr.id, method)
        if near is not None:
            return _hands_on(decorating(machine, near))
    if dispatches(expr):
        return False
    value = static_value(machine, expr, method.module)
    if value is None or not any(isinstance(t, FunctionValue) for t in value.terms):
        return True
    return hands_on(machine, value)


def _defined_around(name: str, method: FunctionInfo) -> FunctionInfo | None:
    """The function of that name in the class body, or in the functions around the class."""
    owner = method.owner
    if owner is not None and name in owner.methods:
        return owner.methods[name]
    scope = owner.parent if owner is not None else None
    while scope is not None:
        for function in method.module.functions:
            if function.parent is scope and function.name == name:
                return function
        scope = scope.parent
    return None


def hands_on(machine: Machine, decorator: Diagram) -> bool:
    """Whether a decorator is a function of the tree that hands every call on as it is."""
    return all(isinstance(t, FunctionValue) and _hands_on(decorating(machine, t.function)) for t in decorator.terms)


def decorating(machine: Machine, decorator: FunctionInfo) -> FunctionInfo:
    """The function that does what a decorator does: itself, or the one to which it only gives what it decorates."""
    seen = {decorator}
    while True:
        given = [p.name for p in decorator.params]
        returned = [s.value for s in decorator.body if isinstance(s, ir.Return)]
        only = returned[0] if len(returned) == 1 and len(decorator.body) <= 2 else None
        if not isinstance(only, ir.Call) or [a.value.id if isinstance(a.value, ir.Name) else "" for a in only.args] != given:
            return decorator
        value = static_value(machine, only.func, decorator.module) if isinstance(only.func, (ir.Name, ir.Attribute)) else None
        term = value.term if value is not None and value.is_leaf else None
        if not isinstance(term, FunctionValue) or term.function in seen:
            return decorator
        decorator = term.function
        seen.add(decorator)


def _hands_on(function: FunctionInfo) -> bool:
    """``def d(f): def g(*a, **k): … return f(*a, **k) …; return g``, or a function that returns its parameter."""
    if not isinstance(function.node, ir.FunctionDef) or not function.params:
        return False
    inner = [s for s in function.node.body if isinstance(s, ir.FunctionDef)]
    returned = [s.value for s in function.node.body if isinstance(s, ir.Return)]
    name = function.params[0].name
    if not inner:
        return all(isinstance(value, ir.Name) and value.id == name for value in returned) and bool(returned)
    nested = inner[-1]
    stars = {p.kind: p.name for p in nested.params if p.kind in ("*", "**")}
    calls = [
        item
        for item in walk_scope(nested.body)
        if isinstance(item, ir.Call) and isinstance(item.func, ir.Name) and item.func.id == name
    ]
    rebound = any(isinstance(item, ir.Name) and item.id in stars.values() for item in _stored_in(nested.body))
    if not calls or rebound or not all(_is_relay(call, nested, stars) for call in calls):
        return False
    return not nested.is_generator and _gives_back(nested, calls)


def _gives_back(nested: ir.FunctionDef, calls: list[ir.Call]) -> bool:
    """Whether all that a function returns is what one of ``calls`` gave it."""
    items = list(walk_scope(nested.body))
    results = [item.value for item in items if isinstance(item, ir.Return)]
    names = {value.id for value in results if isinstance(value, ir.Name)}
    kept = [item for item in items if isinstance(item, ir.Assign) and _without_await(item.value) in calls]
    for item in items:
        changed = any(isinstance(stored, ir.Name) and stored.id in names for stored in stores(item))
        if changed and item not in kept:
            return False
    return bool(results) and all(isinstance(v, ir.Name) or _without_await(v) in calls for v in results)


def _without_await(expr: object) -> object:
    return expr.parts[0] if isinstance(expr, ir.Other) and expr.kind == "await" else expr


def _stored_in(body: list[ir.Stmt]) -> list[object]:
    return [stored for item in walk_scope(body) for stored in stores(item)]


def _is_relay(call: ir.Call, nested: ir.FunctionDef, stars: dict[str, str]) -> bool:
    plain = [p.name for p in nested.params if p.kind in ("normal", "positional")]
    passed = [a.value.id if isinstance(a.value, ir.Name) else "?" for a in call.args]
    return passed == [*plain, *(stars[k] for k in ("*", "**") if k in stars)] and "**" in stars
