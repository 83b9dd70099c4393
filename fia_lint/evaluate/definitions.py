"""The definitions of a tree: modules, classes and functions, and what their form alone tells of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import dirname

from fia_lint.evaluate.scopes import bindings, dotted, walk_all, walk_scope, words_in
from fia_lint.evaluate.stores import attribute_writes, changed_in_place, is_hidden_store, local_parts
from fia_lint.extract import ir
from fia_lint.spans import Span

#: What opens a task group for the update of captured calls.
_UPDATE = "graph_task_update_begin"


@dataclass(eq=False, repr=False)
class FunctionInfo:
    """A function, method or lambda (``node``), with where it is defined."""

    node: ir.FunctionDef | ir.Lambda
    module: Module
    qualname: str
    owner: ClassInfo | None = None
    parent: FunctionInfo | None = None

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def params(self) -> list[ir.Parameter]:
        return self.node.params

    @property
    def passed(self) -> list[ir.Parameter]:
        """The parameters that a call passes something for: all but the receiver."""
        return self.params[1:] if self.binding in ("method", "class") else self.params

    @property
    def body(self) -> Sequence[ir.Stmt | ir.Expr]:
        """The statements of a function, or the expression of a lambda."""
        return self.node.body if isinstance(self.node, ir.FunctionDef) else [self.node.body]

    @cached_property
    def items(self) -> list[object]:
        """Everything that stands in the function's own scope, parents first."""
        return list(walk_scope(self.body))

    @cached_property
    def decorators(self) -> list[str]:
        """The dotted names of the decorators, without their arguments."""
        found = getattr(self.node, "decorators", [])
        return [dotted(d.func if isinstance(d, ir.Call) else d) or "?" for d in found]

    @cached_property
    def binding(self) -> str:
        """``static``, ``class``, ``property``, ``method`` or ``function``."""
        if self.owner is None or self.parent is not None:
            return "function"
        last = {name.rpartition(".")[2] for name in self.decorators}
        if "staticmethod" in last:
            return "static"
        if "classmethod" in last or self.name in ("__new__", "__init_subclass__"):
            return "class"
        return "property" if last & {"property", "cached_property"} else "method"

    @cached_property
    def is_thin(self) -> bool:
        """Whether all that the function does is one call, the value of which it may give back."""
        body = [stmt for stmt in self.body if not (isinstance(stmt, ir.ExprStmt) and isinstance(stmt.value, ir.Constant))]
        only = body[0] if len(body) == 1 else None
        value = only.value if isinstance(only, (ir.Return, ir.ExprStmt)) else only
        return isinstance(value, ir.Call) and sum(isinstance(item, ir.Call) for item in walk_all(value)) == 1

    @property
    def is_abstract(self) -> bool:
        return any(name.rpartition(".")[2] == "abstractmethod" for name in self.decorators)

    @cached_property
    def is_replay(self) -> bool:
        """Whether the function updates captured calls: it opens a task group for that, or lets a function near it do so."""
        names = {(dotted(call.func) or "").rpartition(".")[2] for call in self.calls}
        return _UPDATE in names or not names.isdisjoint(self.module.update_openers)

    @property
    def accessor(self) -> bool:
        """Whether this is what a property does on assignment or deletion: decorated with ``@name.setter`` or ``.deleter``."""
        return any(name in (f"{self.name}.setter", f"{self.name}.deleter") for name in self.decorators)

    @property
    def is_cached(self) -> bool:
        """Whether this is a property that keeps its first value."""
        return any(name.rpartition(".")[2] == "cached_property" for name in self.decorators)

    @cached_property
    def local_names(self) -> frozenset[str]:
        """Names that the function binds: parameters and assigned names, less those declared global or nonlocal."""
        bound = {p.name for p in self.params}
        outside: set[str] = set()
        bindings(self.items, bound, outside)
        return frozenset(bound - outside)

    @cached_property
    def calls(self) -> list[ir.Call]:
        """Calls that stand in this function, nested functions not included."""
        return [item for item in self.items if isinstance(item, ir.Call)]

    @cached_property
    def free_names(self) -> frozenset[str]:
        """Names that the function, or one inside it, reads or binds in a scope outside."""
        found: set[str] = set()
        for item in walk_all(self.body):
            if isinstance(item, ir.Name):
                found.add(item.id)
            elif isinstance(item, ir.Scope):
                found.update(item.names)
        return frozenset(found - self.local_names)


@dataclass(eq=False, repr=False)
class Maker:
    """A function, and those of its calls that make objects of a class, or lead to a maker of them."""

    function: FunctionInfo
    calls: list[ir.Call] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class ClassInfo:
    """A class of the tree."""

    node: ir.ClassDef
    module: Module
    qualname: str
    parent: FunctionInfo | None = None
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    setters: dict[str, FunctionInfo] = field(default_factory=dict)
    bases: list[ClassInfo] = field(default_factory=list)
    external_bases: list[str] = field(default_factory=list)
    subclasses: list[ClassInfo] = field(default_factory=list)
    linked: bool = False
    _order: list[ClassInfo] | None = None

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def key(self) -> str:
        return f"{self.module.path}:{self.qualname}"

    def mro(self) -> list[ClassInfo]:
        """Method resolution order over the classes of the tree (C3; depth first where that has no answer)."""
        if self._order is None:
            self._order = _linearise(self, ())
        return list(self._order)

    def add_base(self, base: ClassInfo) -> None:
        """Inherit from another class of the tree."""
        self.bases.append(base)
        base.subclasses.append(self)
        below = [self]
        for cls in below:
            cls._order = None
            below.extend(sub for sub in cls.subclasses if sub not in below)

    def find(self, name: str, after: ClassInfo | None = None) -> FunctionInfo | None:
        """The method that resolution gives, optionally only behind the class ``after``."""
        order = self.mro()
        if after in order:
            order = order[order.index(after) + 1 :]
        nearest = next((c for c in order if name in c.methods or name in c.rebinds), None)
        return None if nearest is None or name in nearest.rebinds else nearest.methods[name]

    def candidates(self, name: str) -> list[FunctionInfo]:
        """The methods that ``name`` may be: those that stand under a condition, and what they would hide, too."""
        found: list[FunctionInfo] = []
        for cls in self.mro():
            if name in cls.methods:
                found.append(cls.methods[name])
            if name in cls.always_binds:
                break
        return found

    @cached_property
    def rebinds(self) -> frozenset[str]:
        """Names that the class body binds in another way than by plain definitions: assigned, or under a condition."""
        bound: set[str] = set()
        bindings(walk_scope([stmt for stmt in self.node.body if not _is_declaration(stmt)]), bound, set())
        return frozenset(bound)

    @cached_property
    def always_binds(self) -> frozenset[str]:
        """Names that the class body binds whatever happens."""
        plain = {stmt.name for stmt in self.node.body if isinstance(stmt, (ir.FunctionDef, ir.ClassDef))}
        return frozenset(plain | self.body_assigns.keys())

    @cached_property
    def body_assigns(self) -> dict[str, ir.Assign]:
        """Plain assignments in the class body by name (the last one wins)."""
        found: dict[str, ir.Assign] = {}
        for stmt in self.node.body:
            if isinstance(stmt, ir.Assign) and stmt.value is not None:
                for target in stmt.targets:
                    if isinstance(target, ir.Name):
                        found[target.id] = stmt
        return found

    @cached_property
    def attribute_writes(self) -> dict[str, set[str]]:
        """Which methods of this class store to, delete or change in place ``self.x``, by attribute."""
        found: dict[str, set[str]] = {}
        for method in self.methods.values():
            if method.params and method.binding in ("method", "property"):
                for attr in attribute_writes(method.node.body, method.params[0].name):
                    found.setdefault(attr, set()).add(method.name)
        return found

    @property
    def is_enum(self) -> bool:
        return any(
            base.rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
            for cls in self.mro()
            for base in cls.external_bases
        )

    @cached_property
    def member_values(self) -> dict[str, int | str | None]:
        """The members of an enum in their order, with their values; None for one that is not written as a number or text."""
        found: dict[str, int | str | None] = {}
        bases = {base.rpartition(".")[2] for cls in self.mro() for base in cls.external_bases}
        for name, stmt in self.body_assigns.items():
            written = stmt.value
            if isinstance(written, ir.Call) and (dotted(written.func) or "").rpartition(".")[2] == "auto":
                found[name] = name.lower() if "StrEnum" in bases else _next(list(found.values()), bases)
            else:
                constant = isinstance(written, ir.Constant) and isinstance(written.value, (int, str))
                found[name] = written.value if constant else None
        return found

    @property
    def is_abstract(self) -> bool:
        """Whether no object can be of this very class: a method is abstract and nothing gives it a body."""
        return any(method.is_abstract and self.find(name) is method for cls in self.mro() for name, method in cls.methods.items())

    @property
    def fields_kind(self) -> str:
        """``dataclass``, ``namedtuple`` or ``""``."""
        if any("NamedTuple" in base for cls in self.mro() for base in cls.external_bases):
            return "namedtuple"
        for cls in self.mro():
            for decorator in cls.node.decorators:
                name = dotted(decorator.func if isinstance(decorator, ir.Call) else decorator) or ""
                if name.rpartition(".")[2] in ("dataclass", "define", "frozen", "attrs"):
                    return "dataclass"
        return ""

    @property
    def keywords_only(self) -> bool:
        """Whether the fields of this dataclass can only be given by keyword."""
        calls = [d for d in self.node.decorators if isinstance(d, ir.Call)]
        return any(
            a.name == "kw_only" and isinstance(a.value, ir.Constant) and a.value.value is True for d in calls for a in d.args
        )

    def setter(self, name: str) -> FunctionInfo | None:
        """What an assignment to a property runs."""
        return next((c.setters[name] for c in self.mro() if name in c.setters), None)

    def overrides(self, name: str) -> bool:
        """Whether a subclass gives ``name`` another meaning than this class."""
        pending, own = list(self.subclasses), self.find(name)
        while pending:
            cls = pending.pop()
            if cls.find(name) is not own or name in cls.rebinds or name in cls.attribute_writes:
                return True
            pending.extend(cls.subclasses)
        return False

    def declared_fields(self) -> list[tuple[str, ir.Expr | None, ir.Expr | None]]:
        """``(name, default, annotation)`` of annotated names in definition order, bases first."""
        found: dict[str, tuple[str, ir.Expr | None, ir.Expr | None]] = {}
        for cls in reversed(self.mro()):
            for stmt in cls.node.body:
                if isinstance(stmt, ir.Assign) and stmt.annotation is not None and isinstance(stmt.targets[0], ir.Name):
                    if "ClassVar" not in cls.module.text(stmt.annotation.span):
                        name = stmt.targets[0].id
                        found[name] = (name, stmt.value, stmt.annotation)
        return list(found.values())


def _next(before: list[int | str | None], bases: set[str]) -> int | None:
    """What ``auto()`` gives after some members; None where versions of Python differ, or a member is not known."""
    numbers = [value for value in before if isinstance(value, int)]
    if bases & {"Flag", "IntFlag", "str"} or len(numbers) < len(before) or numbers != sorted(numbers):
        return None
    return numbers[-1] + 1 if numbers else 1


def _is_declaration(stmt: ir.Stmt) -> bool:
    """A definition at the top of a class body, or a name that is annotated and not bound."""
    return isinstance(stmt, (ir.FunctionDef, ir.ClassDef)) or (isinstance(stmt, ir.Assign) and stmt.value is None)


def _linearise(cls: ClassInfo, seen: tuple[ClassInfo, ...]) -> list[ClassInfo]:
    if cls in seen:
        return []
    known = [
        list(base._order) if base._order is not None and cls not in base._order else _linearise(base, (*seen, cls))
        for base in cls.bases
    ]
    sequences = [*known, list(cls.bases)]
    result = [cls]
    while any(sequences):
        for sequence in sequences:
            if sequence and not any(sequence[0] in other[1:] for other in sequences):
                head = sequence[0]
                break
        else:
            head = next(s[0] for s in sequences if s)
        if head not in result:
            result.append(head)
        sequences = [[c for c in s if c is not head] for s in sequences]
    return result


@dataclass(eq=False, repr=False)
class Module:
    """A file of the tree with its definitions."""

    path: str
    facts: ir.Facts
    group: str
    in_tests: bool
    functions: list[FunctionInfo] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    by_node: dict[int, FunctionInfo | ClassInfo] = field(default_factory=dict)
    toplevel: dict[str, FunctionInfo | ClassInfo] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._index(self.facts.body, "", None, None)

    def _index(self, body: Iterable[object], prefix: str, owner: ClassInfo | None, parent: FunctionInfo | None) -> None:
        for item in walk_scope(body, definitions=True):
            if isinstance(item, (ir.FunctionDef, ir.Lambda)):
                name = item.name if isinstance(item, ir.FunctionDef) else "<lambda>"
                function = FunctionInfo(item, self, prefix + name, owner, parent)
                self.functions.append(function)
                self.by_node[id(item)] = function
                if isinstance(item, ir.FunctionDef):
                    if owner is not None and parent is None:
                        if function.accessor:
                            owner.setters[name] = function
                        else:
                            owner.methods[name] = function
                    elif not prefix:
                        self.toplevel[name] = function
                    self._index(item.body, f"{prefix}{name}.", owner, function)
                else:
                    self._index([item.body], f"{prefix}{name}.", owner, function)
            elif isinstance(item, ir.ClassDef):
                cls = ClassInfo(item, self, prefix + item.name, parent)
                self.classes.append(cls)
                self.by_node[id(item)] = cls
                if not prefix:
                    self.toplevel[item.name] = cls
                self._index(item.body, f"{prefix}{item.name}.", cls, None)

    @cached_property
    def lines(self) -> list[str]:
        return self.facts.source.split("\n")

    def text(self, span: Span) -> str:
        """The source of a span."""
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = self.lines[span.line - 1][span.column - 1 :]
        last = self.lines[span.end_line - 1][: span.end_column - 1]
        return "\n".join([first, *self.lines[span.line : span.end_line - 1], last])

    @property
    def name(self) -> str:
        """The last part of the dotted name."""
        return self.path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]

    @property
    def package(self) -> str:
        """The dotted package that relative imports start from, as a folder."""
        return dirname(self.path)

    @cached_property
    def items(self) -> list[object]:
        """Everything that stands in the module's own scope, parents first."""
        return list(walk_scope(self.facts.body))

    @cached_property
    def _class_items(self) -> list[object]:
        return list(walk_scope([cls.node.body for cls in self.classes]))

    def own_items(self, function: FunctionInfo | None) -> list[object]:
        """What stands in a function; without one, in the module and its classes."""
        return function.items if function is not None else [*self.items, *self._class_items]

    @cached_property
    def words(self) -> list[str]:
        """The texts in the module that may be names, in the order in which they first stand there."""
        return words_in(self.facts.body)

    @cached_property
    def bound_names(self) -> frozenset[str]:
        """Names that the module's own statements bind."""
        bound: set[str] = set()
        bindings(self.items, bound, set())
        return frozenset(bound)

    @cached_property
    def imports(self) -> list[ir.Import | ir.ImportFrom]:
        return [s for s in walk_all(self.facts.body) if isinstance(s, (ir.Import, ir.ImportFrom))]

    @cached_property
    def changed_names(self) -> frozenset[str]:
        """Module-level names that some function rebinds (``global``) or changes in place."""
        found: set[str] = set(self.rebound_names)
        for function in self.functions:
            parts = local_parts(function.items)
            for item in function.items:
                name = changed_in_place(item)
                if name in parts:
                    whole = parts[name]
                    name = whole.id if isinstance(whole, ir.Name) else None
                if name and name not in function.local_names:
                    found.add(name)
        return frozenset(found | self._other_names(found))

    @cached_property
    def rebound_names(self) -> frozenset[str]:
        """Module-level names that some function declares ``global``."""
        scopes = [item for function in self.functions for item in function.items if isinstance(item, ir.Scope)]
        return frozenset(name for scope in scopes if scope.kind == "global" for name in scope.names)

    def _other_names(self, names: set[str]) -> set[str]:
        """Module-level names for the same objects: ``OTHER = NAME``."""
        pairs = [
            {stmt.value.id, target.id}
            for stmt in self.facts.body
            if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Name)
            for target in stmt.targets
            if isinstance(target, ir.Name)
        ]
        found = set(names)
        for _ in pairs:
            found.update(*(pair for pair in pairs if pair & found))
        return found

    @cached_property
    def update_openers(self) -> frozenset[str]:
        """The functions of the module that open a task group for an update, and the classes whose objects do so."""
        opening = [f for f in self.functions if any((dotted(c.func) or "").endswith(_UPDATE) for c in f.calls)]
        return frozenset(f.owner.name if f.name == "__enter__" and f.owner is not None else f.name for f in opening)

    @cached_property
    def is_rewritten(self) -> bool:
        """Whether names of the module are set in ways that no assignment shows: ``exec``, ``globals()[…] = …`` and the like."""
        return any(is_hidden_store(item) for item in walk_all(self.facts.body))
