"""Which functions can reach a call site, and what has to be read to know it."""

from __future__ import annotations

from collections.abc import Iterable

from fia_lint.evaluate import modules
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.project import ClassInfo, FunctionInfo, Module, target_names, walk_scope
from fia_lint.evaluate.values import BoundMethod, ClassValue, FunctionValue, ModuleValue
from fia_lint.extract import ir

#: A name that stands in more files than this is too common to search callers by.
MOST_FILES = 40

_COMMON = frozenset({"forward", "__init__", "__call__", "run", "main", "update", "build", "apply", "get", "call"})


class Reach:
    """Loads what is needed, and finds the functions that lead to call sites and the entries among them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.project = machine.project
        self.carriers: set[str] = set(machine.operators)
        self.names: set[str] = set()
        self.searched: set[str] = set()
        self.mentions: dict[FunctionInfo, set[str]] = {}
        self.module_mentions: dict[str, set[str]] = {}
        self._seen_modules: set[str] = set()

    def run(self) -> None:
        """Load files and grow the set of reaching functions until nothing is new."""
        for name in sorted(self.machine.operators):
            for path in self.project.source.mentioning(name):
                self.project.module(path)
        while True:
            before = (len(self.project.modules), len(self.names), len(self.carriers))
            self._index_new_modules()
            self._grow()
            self._search()
            if before == (len(self.project.modules), len(self.names), len(self.carriers)):
                break
        self.machine.reaching = self.names
        self.machine.reaching_functions = set(self._functions())

    def _functions(self) -> Iterable[FunctionInfo]:
        for module in self.project.modules:
            for function in module.functions:
                if self._reaches(function):
                    yield function

    def _reaches(self, function: FunctionInfo) -> bool:
        return bool(self.mentions.get(function, set()) & (self.names | self.carriers))

    def _index_new_modules(self) -> None:
        """Index what was loaded; linking a class may load more."""
        while new := [m for m in self.project.modules if m.path not in self._seen_modules]:
            self._index(new)

    def _index(self, new: list[Module]) -> None:
        for module in new:
            self._seen_modules.add(module.path)
            self.module_mentions[module.path] = _mentioned(module.facts.body)
            for function in module.functions:
                self.mentions[function] = _function_mentions(function)
                self.machine.by_name.setdefault(function.name, []).append(function)
            for cls in module.classes:
                modules.link_class(self.machine, cls)

    def _grow(self) -> None:
        """Names that carry the operator, and functions that mention them, to a fixed point."""
        while True:
            size = len(self.names) + len(self.carriers)
            wanted = self.names | self.carriers
            for module in self.project.modules:
                for stmt in _carrying_statements(module):
                    self._carry(stmt, wanted)
                for function in module.functions:
                    if self.mentions[function] & wanted:
                        outer = function
                        while outer is not None:
                            self.names.add(outer.name)
                            if outer.name == "__init__" and outer.owner is not None:
                                self.names.add(outer.owner.name)
                            outer = outer.parent  # type: ignore[assignment]
            self.names -= {"<lambda>", "__init__"}
            if size == len(self.names) + len(self.carriers):
                return

    def _carry(self, stmt: object, wanted: set[str]) -> None:
        if isinstance(stmt, ir.Assign) and stmt.value is not None and _mentioned([stmt.value], calls=False) & self.carriers:
            for target in stmt.targets:
                self.carriers.update(target_names(target))
                if isinstance(target, ir.Attribute):
                    self.carriers.add(target.attr)
        elif isinstance(stmt, ir.ImportFrom):
            for name, alias in stmt.names:
                if alias and name in wanted:
                    (self.names if name in self.names else self.carriers).add(alias)

    def _search(self) -> None:
        """Read the files that mention a new name, unless it is too common; and subclasses of classes that matter."""
        classes = {f.owner.name for f in self._functions() if f.owner is not None}
        for name in sorted((self.names | self.carriers | classes) - self.searched):
            self.searched.add(name)
            if name in _COMMON or len(name) < 4:
                continue
            paths = self.project.source.mentioning(name)
            if len(paths) <= MOST_FILES:
                for path in paths:
                    if not self.project.group_of(path)[1]:
                        self.project.module(path)

    # ------------------------------------------------------------------------------------------ entries

    def entries(self) -> list[tuple[FunctionInfo, ClassInfo | None]]:
        """Functions that reach a site and that nothing known calls, with the concrete classes they run in."""
        callers = self._known_callers()
        found: list[tuple[FunctionInfo, ClassInfo | None]] = []
        for function in sorted(self.machine.reaching_functions, key=_position):
            if function.parent is not None or (function in callers and function not in self.other_uses):
                continue
            for cls in self.classes_of(function):
                found.append((function, cls))
        return found

    def classes_of(self, function: FunctionInfo) -> list[ClassInfo | None]:
        """The concrete classes in which a function runs: its own, and those that inherit it."""
        if function.owner is None:
            return [None]
        if function.binding == "static":
            return [function.owner]
        order = [function.owner]
        for cls in order:
            order.extend(s for s in cls.subclasses if s not in order)
        found = [cls for cls in order if cls.find(function.name) is function]
        return sorted(found, key=lambda c: (c is not function.owner, c.key))  # type: ignore[return-value]

    def _known_callers(self) -> set[FunctionInfo]:
        called: set[FunctionInfo] = set()
        self.other_uses: set[FunctionInfo] = set()
        for module in self.project.modules:
            for function in [*module.functions, None]:
                body = _own_body(function, module)
                callees = {id(item.func) for item in walk_scope(body) if isinstance(item, ir.Call)}
                for item in walk_scope(body):
                    if not isinstance(item, (ir.Attribute, ir.Name)):
                        continue
                    name = item.attr if isinstance(item, ir.Attribute) else item.id
                    if name not in self.names:
                        continue
                    for target in self.resolve(item, function, module):
                        if target is function or target.module.in_tests != module.in_tests:
                            continue
                        (called if id(item) in callees else self.other_uses).add(target)
        return called

    def resolve(self, expr: ir.Expr, function: FunctionInfo | None, module: Module) -> list[FunctionInfo]:
        """The functions of the tree that a callee expression may be, as far as names, classes and imports tell."""
        if isinstance(expr, ir.Name):
            return self._resolve_name(expr, function, module)
        assert isinstance(expr, ir.Attribute)
        owner = expr.value
        home = _home(function)
        if home is not None and home.owner is not None:
            if isinstance(owner, ir.Name) and home.params and owner.id == home.params[0].name and home.binding != "static":
                return self._in_family(home.owner, expr.attr, None)
            if isinstance(owner, ir.Call) and isinstance(owner.func, ir.Name) and owner.func.id == "super":
                return self._in_family(home.owner, expr.attr, home.owner)
        value = modules.static_value(self.machine, owner, module) if isinstance(owner, (ir.Name, ir.Attribute)) else None
        found: list[FunctionInfo] = []
        for term in value.terms if value is not None else ():
            if isinstance(term, ClassValue):
                method = term.cls.find(expr.attr)
                found.extend([method] if method else [])
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
            method = cls.find(attr)
            return [method] if method else []
        named = self.machine.by_name.get(attr, [])
        if len(named) == 1 and named[0].owner is not None and named[0].module.group == module.group:
            return named
        return []

    def _in_family(self, cls: ClassInfo, name: str, after: ClassInfo | None) -> list[FunctionInfo]:
        order = [cls]
        for each in order:
            order.extend(s for s in each.subclasses if s not in order)
        found = [each.find(name, after) for each in order]
        return list(dict.fromkeys(f for f in found if f is not None))

    def _resolve_name(self, expr: ir.Name, function: FunctionInfo | None, module: Module) -> list[FunctionInfo]:
        scope = function
        while scope is not None:
            if expr.id in scope.local_names:
                nested = [f for f in module.functions if f.parent is scope and f.name == expr.id]
                if nested:
                    return nested
                imported = modules._imported(self.machine, module, expr.id)
                return self._from_value(imported)
            scope = scope.parent
        direct = module.toplevel.get(expr.id)
        if direct is not None:
            return self._as_functions(direct)
        return self._from_value(modules.static_value(self.machine, expr, module))

    def _from_value(self, value) -> list[FunctionInfo]:
        found: list[FunctionInfo] = []
        for term in value.terms if value is not None else ():
            if isinstance(term, (FunctionValue, BoundMethod)):
                found.append(term.function)
            elif isinstance(term, ClassValue):
                found.extend(self._as_functions(term.cls))
        return found

    @staticmethod
    def _as_functions(target: FunctionInfo | ClassInfo | None) -> list[FunctionInfo]:
        if isinstance(target, FunctionInfo):
            return [target]
        if isinstance(target, ClassInfo):
            found = [target.find("__init__"), target.find("__call__")]
            return [f for f in found if f is not None]
        return []


def _position(function: FunctionInfo) -> tuple[str, object]:
    return function.module.path, function.span


def _home(function: FunctionInfo | None) -> FunctionInfo | None:
    while function is not None and function.parent is not None:
        function = function.parent
    return function


def _own_body(function: FunctionInfo | None, module: Module) -> object:
    if function is None:
        body: list[object] = [module.facts.body]
        body.extend(cls.node.body for cls in module.classes)
        return body
    return function.node.body if isinstance(function.node, ir.FunctionDef) else [function.node.body]


def _mentioned(body: object, calls: bool = True) -> set[str]:
    """Identifiers, attribute names and plain strings in a scope (without nested definitions)."""
    found: set[str] = set()
    for item in walk_scope(body):
        if isinstance(item, ir.Name):
            found.add(item.id)
        elif isinstance(item, ir.Attribute):
            found.add(item.attr)
        elif isinstance(item, ir.Constant) and isinstance(item.value, str) and item.value.isidentifier():
            found.add(item.value)
    return found


def _function_mentions(function: FunctionInfo) -> set[str]:
    from fia_lint.evaluate.project import walk_all

    body = function.node.body if isinstance(function.node, ir.FunctionDef) else [function.node.body]
    found = set()
    for item in walk_all(body):
        if isinstance(item, ir.Name):
            found.add(item.id)
        elif isinstance(item, ir.Attribute):
            found.add(item.attr)
        elif isinstance(item, ir.Constant) and isinstance(item.value, str) and item.value.isidentifier():
            found.add(item.value)
        elif isinstance(item, ir.ImportFrom):
            found.update(name for name, _ in item.names)
    return found


def _carrying_statements(module: Module) -> Iterable[object]:
    """Statements that can give the operator another name."""
    yield from module.imports
    for item in walk_scope(module.facts.body):
        if isinstance(item, ir.Assign):
            yield item
    for cls in module.classes:
        for stmt in cls.node.body:
            if isinstance(stmt, ir.Assign):
                yield stmt
    for function in module.functions:
        if isinstance(function.node, ir.FunctionDef):
            for item in walk_scope(function.node.body):
                if isinstance(item, ir.Assign) and any(isinstance(t, ir.Attribute) for t in item.targets):
                    yield item
