"""Changes from outside: names of modules, attributes of classes and of objects that other code assigns or changes in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fia_lint.algebra.terms import Term
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.stores import ANY, local_parts, stores
from fia_lint.evaluate.values import ClassValue, ModuleValue
from fia_lint.extract import ir

if TYPE_CHECKING:
    from fia_lint.evaluate.machine import Machine


class Patches:
    """Finds changes, and enters them into the machine's tables: those of files that are read anyway, and those of the files
    that change a module from elsewhere, which are looked for when a value of that module is asked for."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.project = machine.project
        self._read: set[str] = set()
        self._looked_up: set[tuple[str, str]] = set()
        #: Attributes that functions set on what they are given, and the names of what they are given, by their own names.
        self._setters: dict[str, set[str]] = {}
        self._given: dict[str, set[str]] = {}

    def look(self, module: Module) -> None:
        """Read the files that change something of a module."""
        self._look(module.package.rpartition("/")[2] if module.name == "__init__" else module.name, module)

    def look_for_class(self, cls: ClassInfo) -> None:
        """Read the files that change something of a class, wherever they import it from."""
        self.look(cls.module)
        self._look(cls.name, cls.module)

    def _look(self, word: str, module: Module) -> None:
        """Read the files of a module's group that change what they import by a word."""
        if (word, module.group) in self._looked_up:
            return
        self._looked_up.add((word, module.group))
        for path in self.project.source.patching(word) if word else ():
            if path != module.path and self.project.group_of(path) == (module.group, False):
                found = self.project.module(path)
                if found is not None:
                    self.read(found)

    def read(self, module: Module) -> None:
        """Enter what the code of a module changes."""
        if module.path in self._read:
            return
        self._read.add(module.path)
        for function in [*module.functions, None]:
            items = module.own_items(function)
            parts = local_parts(items)
            others = {item.targets[0].id: item.value for item in items if _is_alias(item)}
            for item in items:
                named = list(_by_name(item))
                direct = {id(target) for target in (*named, *(item.targets if isinstance(item, ir.Assign) else ()))}
                for changed in (*stores(item), *named):
                    if isinstance(changed, ir.Name) and id(changed) not in direct:
                        changed = parts.get(changed.id, changed)
                    if isinstance(changed, ir.Attribute):
                        if not (id(changed) in direct and _is_of_self(changed, function)):
                            self._attribute(changed, others, module)
                        self._of_class(changed, function, items)
                    elif isinstance(changed, ir.Name) and id(changed) not in direct and not _is_local(changed.id, function):
                        self.machine.patched.update(self._imported_from(changed.id, module))

        self._hand(module)

    def _of_class(self, expr: ir.Attribute, function: FunctionInfo | None, items: list[object]) -> None:
        """``x.attr = …`` where ``x`` may be a class: ``cls``, a parameter, what a loop goes over."""
        attr = ANY if expr.attr == "__dict__" else expr.attr
        root = expr.value.id if isinstance(expr.value, ir.Name) else ""
        if _is_of_self(expr, function):
            if function is not None and function.binding == "class" and function.owner is not None:
                self.machine.rebound.add((function.owner.name, attr))
            return
        for item in items:
            if isinstance(item, ir.For) and isinstance(item.target, ir.Name) and item.target.id == root:
                self.machine.rebound.update((name, attr) for name in _last_names(getattr(item.iterable, "items", [])))
        inside = False
        while function is not None:
            inside = inside or any(param.name == root for param in function.params)
            if inside:
                self._setters.setdefault(function.name, set()).add(attr)
            function = function.parent

    def _hand(self, module: Module) -> None:
        """Note what is given to functions, decorated classes included, and what functions set on what they are given."""
        for function in [*module.functions, None]:
            for item in module.own_items(function):
                if isinstance(item, ir.Call):
                    names = _last_names([a.value for a in item.args])
                    self._given.setdefault((dotted(item.func) or "").rpartition(".")[2], set()).update(names)
        for cls in module.classes:
            for decorator in cls.node.decorators:
                callee = dotted(decorator.func if isinstance(decorator, ir.Call) else decorator) or ""
                self._given.setdefault(callee.rpartition(".")[2], set()).add(cls.name)
        for name in self._setters.keys() & self._given.keys():
            self.machine.rebound.update((given, attr) for given in self._given[name] for attr in self._setters[name])

    def _attribute(self, expr: ir.Attribute, others: dict[str, ir.Expr], module: Module) -> None:
        """``x.attr = …`` and the like: of an object, of a class, of a module."""
        attr = ANY if expr.attr == "__dict__" else expr.attr
        self.machine.changed_attributes.add(attr)
        name = dotted(expr.value) or ""
        self.machine.rebound.add((name.rpartition(".")[2], attr))
        owner = others.get(expr.value.id, expr.value) if isinstance(expr.value, ir.Name) else expr.value
        for term in self._owners(owner, module):
            if isinstance(term, ModuleValue):
                self.machine.patched.add((term.path, attr))
            elif isinstance(term, ClassValue):
                self.machine.rebound.add((term.cls.name, attr))

    def _owners(self, expr: ir.Expr, module: Module) -> Sequence[Term]:
        """The modules and classes that an expression with an imported name in it may be."""
        from fia_lint.evaluate.modules import static_value

        path = _module_by_name(expr)
        if path is not None:
            found = self.project.find_module(path, 0, module)
            return [ModuleValue(found)] if found is not None else []
        root = (dotted(expr) or "").partition(".")[0]
        if not any(root == (alias or name.partition(".")[0]) for stmt in module.imports for name, alias in stmt.names):
            return []
        value = static_value(self.machine, expr, module)
        return value.terms if value is not None else []

    def _imported_from(self, name: str, module: Module) -> Iterable[tuple[str, str]]:
        """Where a name that a module imports may be defined, over re-exports."""
        pending, seen = [(module, name)], set()
        while pending:
            here, wanted = pending.pop()
            for stmt in here.imports:
                for original, alias in stmt.names if isinstance(stmt, ir.ImportFrom) else ():
                    path = self.project.find_module(stmt.module, stmt.level, here) if (alias or original) == wanted else None
                    source = self.project.module(path) if path else None
                    if source is not None and (source.path, original) not in seen:
                        seen.add((source.path, original))
                        pending.append((source, original))
        return seen


def is_patched(machine: Machine, module: Module, name: str) -> bool:
    """Whether another module assigns or changes a name of this one. A definition is replaced by its name only."""
    machine.patches.look(module)
    if (module.path, name) in machine.patched:
        return True
    return (module.path, ANY) in machine.patched and name not in module.toplevel


def is_rebound(machine: Machine, classes: Iterable[ClassInfo], attr: str) -> bool:
    """Whether code outside of them assigns an attribute of one of some classes."""
    for cls in classes:
        machine.patches.look_for_class(cls)
        if (cls.name, attr) in machine.rebound or (cls.name, ANY) in machine.rebound:
            return True
    return False


def _by_name(item: object) -> Iterator[ir.Attribute]:
    """``setattr(x, "name", …)`` changes ``x.name``."""
    if isinstance(item, ir.Call) and (dotted(item.func) or "").rpartition(".")[2] in ("setattr", "delattr"):
        if len(item.args) > 1 and not item.args[0].star:
            name = item.args[1].value
            known = isinstance(name, ir.Constant) and isinstance(name.value, str)
            yield ir.Attribute(item.span, item.args[0].value, name.value if known else ANY)


def _last_names(exprs: Iterable[ir.Expr]) -> list[str]:
    """The last parts of dotted names."""
    return [name.rpartition(".")[2] for expr in exprs if (name := dotted(expr))]


def _is_alias(item: object) -> bool:
    """Whether an item gives a module, or something in one, a single other name."""
    if not isinstance(item, ir.Assign) or len(item.targets) != 1 or not isinstance(item.targets[0], ir.Name):
        return False
    return isinstance(item.value, (ir.Name, ir.Attribute)) or _module_by_name(item.value) is not None


def _module_by_name(expr: object) -> str | None:
    """``a.b`` of ``importlib.import_module("a.b")`` and ``sys.modules["a.b"]``."""
    name: object = None
    if isinstance(expr, ir.Call) and (dotted(expr.func) or "").rpartition(".")[2] == "import_module" and expr.args:
        name = expr.args[0].value
    elif isinstance(expr, ir.Subscript) and dotted(expr.value) == "sys.modules":
        name = expr.index
    return name.value if isinstance(name, ir.Constant) and isinstance(name.value, str) else None


def _is_of_self(expr: ir.Attribute, function: FunctionInfo | None) -> bool:
    """Whether an attribute is one of the object that a method runs on."""
    if function is None or function.owner is None or not function.params:
        return False
    return isinstance(expr.value, ir.Name) and expr.value.id == function.params[0].name


def _is_local(name: str, function: FunctionInfo | None) -> bool:
    while function is not None:
        if name in function.local_names:
            return True
        function = function.parent
    return False
