"""Which functions can reach a call site, and what has to be read to know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fia_lint.algebra.terms import Kind, Subject
from fia_lint.evaluate import modules
from fia_lint.evaluate.callees import Callees, family, outermost
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.holders import WRAPPINGS
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.patches import is_patched, is_rebound
from fia_lint.evaluate.scopes import dotted, walk_all, words_in
from fia_lint.extract import ir
from fia_lint.extract.walk import target_names
from fia_lint.operators import MASK_ARGUMENTS

#: A name that stands in more files than this is too common to search callers by.
MOST_FILES = 16

#: Methods that run when the class is called, or an object of it.
_OF_THE_CLASS = frozenset({"__init__", "__call__", "__post_init__"})

#: A caller with no more statements than this is always looked into.
_SMALL = 40

_COMMON = frozenset({"forward", "__init__", "__call__", "run", "main", "update", "build", "apply", "get", "call"})


@dataclass(frozen=True, eq=False)
class Mention:
    """A name or attribute read in a function (or, without one, in a module's own statements). ``guessed``: it may be read."""

    expr: ir.Name | ir.Attribute
    function: FunctionInfo | None
    module: Module
    called: bool
    guessed: bool = False

    @property
    def name(self) -> str:
        return self.expr.attr if isinstance(self.expr, ir.Attribute) else self.expr.id


class Reach(Callees):
    """Loads what is needed, and finds the functions that lead to call sites and the entries among them."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        #: Names that may hold the operator itself; functions that lead to a call of it, and their names.
        self.carriers: set[str] = set(machine.operators)
        self.functions: set[FunctionInfo] = set()
        self.names: set[str] = set()
        self.other_uses: set[FunctionInfo] = set()
        self.called: set[FunctionInfo] = set()
        #: Functions that may be called by a name that is handed over: an entry, unless an evaluation meets the call.
        self.guessed: set[FunctionInfo] = set()
        #: Methods that are called through a subclass: of an object of their own class, that is nobody's call.
        self.extended: set[FunctionInfo] = set()
        self._searched: set[str] = set()
        self._mentions: dict[str, list[Mention]] = {}
        self._seen: set[str] = set()
        self._wanted: set[str] = set()
        self.modules: list[Module] = []
        self._resolved: dict[int, list[FunctionInfo]] = {}
        self._worth: dict[FunctionInfo, bool] = {}

    def run(self) -> None:
        """Load files and grow the set of reaching functions until nothing is new."""
        for name in sorted(self.machine.operators):
            self._wanted.update(self.project.source.mentioning(name))
        size = None
        while size != (size := self._size()):
            self._index_new_modules()
            self._grow()
            self._search()
        self._sort_uses()
        self._measure()
        for module in self.modules:
            self.machine.patches.read(module)
        self._find_recursion()
        self._spell()
        self.machine.reaching = self.names
        self.machine.reaching_functions = self.functions

    def _size(self) -> tuple[int, int, int]:
        return len(self._wanted), len(self.functions), len(self.carriers)

    # ------------------------------------------------------------------------------------------ growing

    def _index_new_modules(self) -> None:
        """Index the files that mention what is looked for."""
        for path in sorted(self._wanted - self._seen):
            self._seen.add(path)
            module = self.project.module(path)
            if module is not None:
                self.modules.append(module)
                self._index(module)
        self._resolved.clear()

    def _index(self, module: Module) -> None:
        for function in [*module.functions, None]:
            items = module.own_items(function)
            called: set[int] = set(_called_by_name(items))
            stored: set[int] = set()
            for item in items:
                if isinstance(item, ir.Call):
                    called.update(id(operand) for operand in _operands(item.func))
                    self._index_getattr(item, function, module)
                if isinstance(item, ir.Assign):
                    stored.update(id(target) for target in item.targets)
                if isinstance(item, (ir.Attribute, ir.Name)) and id(item) not in stored:
                    mention = Mention(item, function, module, id(item) in called)
                    self._mentions.setdefault(mention.name, []).append(mention)
                elif isinstance(item, ir.Constant) and isinstance(item.value, str) and item.value in self.machine.operators:
                    self._mentions.setdefault(item.value, []).append(
                        Mention(ir.Name(item.span, item.value), function, module, False)
                    )
            if function is not None:
                self.machine.by_name.setdefault(function.name, []).append(function)
        for cls in module.classes:
            modules.link_class(self.machine, cls)
        self._holders.index(module)

    def _index_getattr(self, call: ir.Call, function: FunctionInfo | None, module: Module) -> None:
        """``getattr(x, "name")`` mentions ``x.name``; a name that comes with a parameter may be any that the module has."""
        if not isinstance(call.func, ir.Name) or call.func.id != "getattr" or len(call.args) < 2:
            return
        name = call.args[1].value
        given = [a.value for a in _assigned(name.id, module.own_items(function))] if isinstance(name, ir.Name) else []
        handed = isinstance(name, ir.Name) and function is not None and any(p.name == name.id for p in function.params)
        for word in module.words if handed else words_in([name, *given]):
            read = ir.Attribute(call.span, call.args[0].value, word)
            self._mentions.setdefault(word, []).append(Mention(read, function, module, True, handed))

    def _grow(self) -> None:
        """Functions that mention the operator, or that resolve to one that leads to it, to a fixed point."""
        self._carry()
        pending = [m.function for name in sorted(self.carriers) for m in self._mentions.get(name, []) if m.function]
        pending += self.functions
        seen: set[FunctionInfo] = set()
        while pending:
            function = pending.pop()
            if function in seen:
                continue
            seen.add(function)
            self.functions.add(function)
            if function.parent is not None:
                pending.append(function.parent)
            for name in self._callable_names(function):
                self.names.add(name)
                pending.extend(self._callers_that_matter(function, name))

    def _callers_that_matter(self, function: FunctionInfo, name: str) -> Iterable[FunctionInfo]:
        """Callers that may bear on what a call site gets. A large caller that says nothing of it is not looked into:
        then the function counts as one that is used from outside."""
        for mention in self._mentions.get(name, []):
            caller = mention.function
            if caller is None or function not in self._targets(mention):
                continue
            if caller in self.functions or self._matters(caller):
                yield caller
            elif caller.module.in_tests == function.module.in_tests:
                self.other_uses.add(function)

    def _matters(self, caller: FunctionInfo) -> bool:
        found = self._worth.get(caller)
        if found is None:
            found = self._worth[caller] = self._is_worth_it(caller)
        return found

    def _is_worth_it(self, caller: FunctionInfo) -> bool:
        if caller.module.facts.found or caller.owner in self._site_classes():
            return True
        items = list(walk_all(caller.body))
        if sum(isinstance(item, ir.Stmt) for item in items) <= _SMALL:
            return True
        names = {getattr(i, "attr", None) or getattr(i, "id", None) or getattr(i, "name", None) for i in items}
        return any(isinstance(n, str) and (n in MASK_ARGUMENTS or n in self.machine.windows) for n in names)

    def _site_classes(self) -> set[ClassInfo]:
        """Classes that hold a call site, with their bases and subclasses."""
        found: set[ClassInfo] = set()
        for module in self.modules:
            if module.facts.found:
                for cls in module.classes:
                    found.update(cls.mro())
                    found.update(cls.subclasses)
        return found

    def _callable_names(self, function: FunctionInfo) -> set[str]:
        """The names by which a function may be called: its own, that of its class, aliases."""
        if function.name in _OF_THE_CLASS and function.owner is not None:
            below = [cls for cls in family(function.owner) if cls.find(function.name) is function]
            names, made = {cls.name for cls in below}, function.name == "__call__"
        else:
            names, made = {function.name} - {"<lambda>"}, False
        others = set().union(*(self._holders.names_of(name, made) for name in names))
        return names | {name for name in others if name not in _COMMON}

    def _targets(self, mention: Mention) -> list[FunctionInfo]:
        found = self._resolved.get(id(mention))
        if found is None:
            found = self._resolved[id(mention)] = self.resolve(mention.expr, mention.function, mention.module)
        return found

    def _carry(self) -> None:
        """Names that are given to the operator itself: aliases, attributes, partial objects, imports ``as``."""
        size = 0
        while size != len(self.carriers):
            size = len(self.carriers)
            for module in self.modules:
                for stmt in self._carrying(module):
                    self._carry_one(stmt)

    def _carrying(self, module: Module) -> list[object]:
        found = self._carrying_cache.get(module.path)
        if found is None:
            found = self._carrying_cache[module.path] = list(_carrying_statements(module))
        return found

    @cached_property
    def _carrying_cache(self) -> dict[str, list[object]]:
        return {}

    def _carry_one(self, stmt: object) -> None:
        if isinstance(stmt, ir.Assign):
            if stmt.value is not None and _held_names(stmt.value) & self.carriers:
                for target in stmt.targets:
                    self.carriers.update(target_names(target))
                    if isinstance(target, ir.Attribute):
                        self.carriers.add(target.attr)
        elif isinstance(stmt, ir.ImportFrom):
            self.carriers.update(alias for name, alias in stmt.names if alias and name in self.carriers)

    def _search(self) -> None:
        """Read the files that mention a new name, unless it is too common; and subclasses of classes that matter."""
        classes = {f.owner.name for f in self.functions if f.owner is not None}
        for name in sorted((self.names | self.carriers | classes) - self._searched):
            self._searched.add(name)
            if name in _COMMON or len(name) < 4:
                self.machine.common.add(name)
                continue
            paths = self.project.source.mentioning(name)
            if len(paths) <= MOST_FILES:
                self._wanted.update(path for path in paths if not self.project.group_of(path)[1])
            else:
                self.machine.common.add(name)

    def _spell(self) -> None:
        """One subject per attribute name: as written of self, else as written most often where it matters."""
        for name, read in self._mentions.items():
            mentions = [mention for mention in read if not mention.guessed]
            texts = Counter(
                text
                for m in mentions
                if isinstance(m.expr, ir.Attribute) and m.function in self.functions and (text := dotted(m.expr)) is not None
            )
            if not texts:
                continue
            own = f"self.{name}"
            if own in texts:
                owners = {m.function.owner for m in mentions if m.function and dotted(m.expr) == own} - {None}
                layer = all(modules.only_init_assigns(cls, name) for cls in owners if cls)
                self.machine.spelled[name] = Subject(("attr", name), own, Kind.LAYER if layer else Kind.SELF)
            else:
                text = min(texts, key=lambda t: (-texts[t], len(t), t))
                self.machine.spelled[name] = Subject(("attr", name), text, Kind.ATTRIBUTE)
        # What was evaluated so far did not know these yet.
        self.machine.modules.clear()
        self.machine.bodies.clear()

    def _measure(self) -> None:
        """How many calls lie between a reaching function and the nearest call site."""
        level = [m.function for name in sorted(self.carriers) for m in self._mentions.get(name, []) if m.function]
        distance = 0
        while level:
            above: list[FunctionInfo] = []
            for function in level:
                if function in self.machine.distance:
                    continue
                self.machine.distance[function] = distance
                above.extend([function.parent] if function.parent is not None else [])
                for name in self._callable_names(function):
                    above.extend(m.function for m in self._mentions.get(name, []) if m.function and function in self._targets(m))
            level = above
            distance += 1

    def _sort_uses(self) -> None:
        """Which reaching functions are called by a known caller, and which have other uses."""
        for name in sorted(self.names):
            for mention in self._mentions.get(name, []):
                for target in self._targets(mention):
                    if target is mention.function or target.module.in_tests != mention.module.in_tests:
                        continue
                    if mention.guessed:
                        self.guessed.add(target)
                        continue
                    if _is_extension(mention, target):
                        self.extended.add(target)
                    elif target.name == "__call__" and self._names_class(mention, target):
                        continue  # an object is made: who calls it is another question
                    else:
                        (self.called if mention.called else self.other_uses).add(target)

    def _names_class(self, mention: Mention, method: FunctionInfo) -> bool:
        """Whether what is mentioned is the class of a method itself, and no object of it."""
        names = {cls.name for cls in family(method.owner)} if method.owner is not None else set()
        return mention.name in names.union(*(self._holders.names_of(name) for name in names))

    def _find_recursion(self) -> None:
        """Which reaching functions lead back to themselves over calls by name."""
        calls: dict[FunctionInfo, set[FunctionInfo]] = {}
        for name in sorted(self.names):
            for mention in self._mentions.get(name, []):
                if mention.called and mention.function is not None:
                    calls.setdefault(mention.function, set()).update(f for f in self._targets(mention) if f in self.functions)
        for function in self.functions:
            pending, seen = list(calls.get(function, ())), set()
            while pending and function not in seen:
                called = pending.pop()
                if called not in seen:
                    seen.add(called)
                    pending.extend(calls.get(called, ()))
            if function in seen:
                self.machine.recursive.add(function)

    # ------------------------------------------------------------------------------------------ entries

    def entries(self) -> list[tuple[FunctionInfo, ClassInfo | None]]:
        """Functions that reach a site and that nothing known calls, with the concrete classes they run in."""
        found: list[tuple[FunctionInfo, ClassInfo | None]] = []
        for function in sorted(self.functions, key=_position):
            called = function in self.called and function not in self.other_uses and not self._is_replaced(function)
            if function.parent is not None or called:
                continue
            for cls in self.classes_of(function):
                if cls is None or function not in self.extended or not cls.is_abstract:
                    found.append((function, cls))
        return found

    def _is_replaced(self, function: FunctionInfo) -> bool:
        """Whether other code puts something else in a function's place: then its calls may be of that."""
        if function.owner is not None:
            return is_rebound(self.machine, [function.owner], function.name)
        return is_patched(self.machine, function.module, function.name)

    @staticmethod
    def classes_of(function: FunctionInfo) -> list[ClassInfo | None]:
        """The concrete classes in which a function runs: its own, and those that inherit it."""
        if function.owner is None:
            return [None]
        if function.binding == "static":
            return [function.owner]
        found = [cls for cls in family(function.owner) if function in cls.candidates(function.name)]
        return sorted(found, key=lambda c: (c is not function.owner, c.key))  # type: ignore[return-value]


def _operands(expr: ir.Expr) -> Iterable[ir.Expr]:
    """The expressions whose value an expression may have: itself, its arms, the items of what is subscripted."""
    yield expr
    parts: list[ir.Expr] = []
    if isinstance(expr, ir.Conditional):
        parts = [expr.body, expr.orelse]
    elif isinstance(expr, ir.Boolean):
        parts = expr.values
    elif isinstance(expr, ir.Subscript) and isinstance(expr.value, (ir.DictDisplay, ir.Sequence)):
        parts = [expr.value]
    elif isinstance(expr, ir.DictDisplay):
        parts = [value for _, value in expr.entries]
    elif isinstance(expr, ir.Sequence):
        parts = expr.items
    for part in parts:
        yield from _operands(part)


def _called_by_name(items: list[object]) -> Iterable[int]:
    """What is assigned to names that are only ever called: ``f = self.a if x else self.b`` and ``f(…)``."""
    callees = {
        id(part): part.id for item in items if isinstance(item, ir.Call) for part in [_callee_name(item.func)] if part is not None
    }
    targets = {id(t) for item in items if isinstance(item, ir.Assign) for t in item.targets}
    loaded = {item.id for item in items if isinstance(item, ir.Name) and id(item) not in callees and id(item) not in targets}
    only_called = set(callees.values()) - loaded
    for item in items:
        if isinstance(item, ir.Assign) and item.value is not None:
            if any(isinstance(t, ir.Name) and t.id in only_called for t in item.targets):
                yield from (id(operand) for operand in _operands(item.value))


def _assigned(name: str, items: list[object]) -> Iterable[Any]:
    """The statements that give a name its values (as ``value`` of each)."""
    for item in items:
        if isinstance(item, ir.Assign) and item.value is not None and any(name in target_names(t) for t in item.targets):
            yield item
        elif isinstance(item, ir.For) and name in target_names(item.target):
            yield ir.Assign(item.span, [item.target], item.iterable)
        elif isinstance(item, ir.Walrus) and item.target.id == name:
            yield item


def _callee_name(func: ir.Expr) -> ir.Name | None:
    """``f`` of ``f(…)`` and of ``f[…](…)``."""
    inner = func.value if isinstance(func, ir.Subscript) else func
    return inner if isinstance(inner, ir.Name) else None


def _position(function: FunctionInfo) -> tuple[str, object]:
    return function.module.path, function.span


def _is_extension(mention: Mention, target: FunctionInfo) -> bool:
    """Whether a method calls one of its bases for its own objects: ``super().name(…)`` or ``Base.name(self, …)``. In objects of
    the bases themselves, that calls nothing."""
    home = outermost(mention.function)
    owner = mention.expr.value if isinstance(mention.expr, ir.Attribute) and mention.called else None
    if home is None or home.owner is None or target.binding == "static":
        return False
    if isinstance(owner, ir.Call):
        return isinstance(owner.func, ir.Name) and owner.func.id == "super"
    name = (dotted(owner) or "").rpartition(".")[2]
    return any(base.name == name for base in home.owner.mro()[1:])


def _held_names(expr: ir.Expr) -> set[str]:
    """Names in an expression that its value may be, or hold: what is called is not among them, but for ``partial``."""
    if isinstance(expr, ir.Name):
        return {expr.id}
    if isinstance(expr, ir.Attribute):
        return {expr.attr} | (_held_names(expr.value) if expr.attr in ("out", "default") else set())
    if isinstance(expr, ir.Constant):
        return {expr.value} if isinstance(expr.value, str) else set()
    if isinstance(expr, ir.Call):
        name = (dotted(expr.func) or "").rpartition(".")[2]
        return set().union(*(_held_names(a.value) for a in expr.args)) if name in WRAPPINGS else set()
    if isinstance(expr, ir.Conditional):
        return _held_names(expr.body) | _held_names(expr.orelse)
    parts = expr.items if isinstance(expr, ir.Sequence) else expr.values if isinstance(expr, ir.Boolean) else []
    if isinstance(expr, ir.DictDisplay):
        parts = [value for _, value in expr.entries]
    return set().union(*(_held_names(part) for part in parts))


def _carrying_statements(module: Module) -> Iterable[object]:
    """Statements that can give the operator another name."""
    yield from module.imports
    for item in module.items:
        if isinstance(item, ir.Assign):
            yield item
    for cls in module.classes:
        for stmt in cls.node.body:
            if isinstance(stmt, ir.Assign):
                yield stmt
    for function in module.functions:
        if isinstance(function.node, ir.FunctionDef):
            for item in function.items:
                if isinstance(item, ir.Assign) and any(isinstance(t, ir.Attribute) for t in item.targets):
                    yield item
