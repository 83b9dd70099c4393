"""The code that the evaluation read, and how names in it lead to functions, classes and modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.project import FactsSource, Project
from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.sites import ClassFacts
from fia_lint.extract import ir
from fia_lint.extract.walk import parts
from fia_lint.spans import Span
from fia_lint.trace.definitions import Definition
from fia_lint.trace.flow import Flow

#: What a name stands for, where that is a definition of the tree; or a module-level name as (module, name).
Thing = FunctionInfo | ClassInfo | Module | tuple[Module, str]

#: A call, the function around it, and its module.
Called = tuple[ir.Call, FunctionInfo | None, Module]


class _Read:
    """The files that were read already: a trace asks for no others, so that it is the same whatever was traced before."""

    def __init__(self, source: FactsSource, paths: frozenset[str]) -> None:
        self._source = source
        self._wanted = paths

    @property
    def paths(self) -> list[str]:
        return self._source.paths

    def mentioning(self, word: str) -> list[str]:
        return [path for path in self._source.mentioning(word) if path in self._wanted]

    def patching(self, word: str) -> list[str]:
        return [path for path in self._source.patching(word) if path in self._wanted]

    def knows_all(self, word: str) -> bool:
        """Whether every file of the tree that holds a word was read."""
        return all(path in self._wanted for path in self._source.mentioning(word))

    def facts(self, path: str) -> ir.Facts | None:
        return self._source.facts(path) if path in self._wanted else None


class Code:
    """Modules with their flows. ``classes`` is what the evaluation says about bases and subclasses."""

    def __init__(self, source: FactsSource, paths: list[str], classes: dict[str, ClassFacts]) -> None:
        self._read = _Read(source, frozenset(paths))
        self.project = Project(self._read)
        self.modules = [module for module in map(self.project.module, paths) if module is not None]
        self._facts = classes
        self._flows: dict[int, Flow] = {}
        self._only: dict[str, FunctionInfo | None] = {}
        self._calls: dict[str, list[Called]] = {}
        self._by_callee: dict[str, list[Called]] = {}
        #: What is stored in containers, by their names: filled by whoever looks for it.
        self.stored: dict[str, list[Any]] = {}

    @cached_property
    def classes(self) -> dict[str, ClassInfo]:
        return {cls.key: cls for module in self.modules for cls in module.classes}

    # ------------------------------------------------------------------------------------------ places

    def call_at(self, path: str, span: Span) -> tuple[ir.Call, FunctionInfo | None, Module] | None:
        """The call at a place, with the function and the module that it stands in."""
        module = self.project.module(path)
        if module is None:
            return None
        around = [f for f in module.functions if f.span[:2] <= span[:2] and span[2:] <= f.span[2:]]
        for function in [*reversed(around), None]:
            for item in module.own_items(function):
                if isinstance(item, ir.Call) and item.span == span:
                    return item, function, module
        return None

    def calls(self, name: str) -> list[Called]:
        """The calls outside tests of what is last called ``name``, in path and source order."""
        if name not in self._by_callee:
            modules = [module for module in self.modules if not module.in_tests and name in module.facts.source]
            self._by_callee[name] = [
                each for module in modules for each in self._calls_of(module) if last_name(each[0].func) == name
            ]
        return self._by_callee[name]

    def _calls_of(self, module: Module) -> list[Called]:
        """All calls of a module, each with the innermost function around it."""
        if module.path not in self._calls:
            self._calls[module.path] = list(_calls(module))
        return self._calls[module.path]

    def flow(self, scope: FunctionInfo | ClassInfo | Module) -> Flow:
        """The flow of a function, of a class body, of a module's own statements."""
        if id(scope) not in self._flows:
            if isinstance(scope, Module):
                flow = Flow(scope.facts.body)
            elif isinstance(scope, ClassInfo):
                flow = Flow(scope.node.body)
            elif isinstance(scope.node, ir.Lambda):
                flow = Flow([ir.Return(scope.node.body.span, scope.node.body)], scope.params)
            else:
                flow = Flow(scope.node.body, scope.params)
            self._flows[id(scope)] = flow
        return self._flows[id(scope)]

    # ------------------------------------------------------------------------------------------ classes

    def mro(self, cls: ClassInfo) -> list[ClassInfo]:
        """A class and its bases in the order of resolution."""
        facts = self._facts.get(cls.key)
        return [cls, *(self.classes[key] for key in (facts.bases if facts else ()) if key in self.classes)]

    def family(self, cls: ClassInfo) -> list[ClassInfo]:
        """The classes that an instance may have where code of ``cls`` runs: the class and its subclasses."""
        facts = self._facts.get(cls.key)
        return [
            cls,
            *(self.classes[key] for key in (facts.subclasses if facts else ()) if key in self.classes and key != cls.key),
        ]

    def method(self, cls: ClassInfo, name: str, after: ClassInfo | None = None) -> FunctionInfo | None:
        """The method that resolution gives, optionally behind a class."""
        order = self.mro(cls)
        if after in order:
            order = order[order.index(after) + 1 :]
        return next((each.methods[name] for each in order if name in each.methods), None)

    def only_method(self, name: str) -> FunctionInfo | None:
        """The method of a name that only one function of the tree has; tests do not count."""
        if name not in self._only:
            modules = [module for module in self.modules if not module.in_tests]
            found = [function for module in modules for function in module.functions if function.name == name]
            single = len(found) == 1 and found[0].owner is not None and self._read.knows_all(name)
            self._only[name] = found[0] if single else None
        return self._only[name]

    # ------------------------------------------------------------------------------------------ names

    def global_name(self, module: Module, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> list[Thing]:
        """What a module-level name may stand for, imports followed: definitions, modules, or a name that is assigned."""
        if (module.path, name) in seen:
            return []
        seen = seen | {(module.path, name)}
        found: list[Thing] = []
        known = self.at_end(module, name)
        for made in known:
            found += self.defined(made, module, seen)
        if not known:
            for star in module.imports:
                if isinstance(star, ir.ImportFrom) and star.names and star.names[0][0] == "*":
                    other = self._module(star.module, star.level, module)
                    found += self.global_name(other, name, seen) if other is not None else []
        return list(dict.fromkeys(found))

    def at_end(self, module: Module, name: str) -> list[Definition]:
        """The definitions of a module-level name that last."""
        end = self.flow(module).end or {}
        return sorted(end.get(name, ()), key=lambda made: made.order)

    def defined(self, made: Definition, module: Module, seen: frozenset[tuple[str, str]] = frozenset()) -> list[Thing]:
        """What a definition at module level, or an import anywhere, stands for."""
        if made.kind in ("function", "class"):
            thing = module.by_node.get(id(made.item))
            return [thing] if thing is not None else []
        if isinstance(made.item, ir.Import):
            for name, alias in made.item.names:
                if (alias or name.partition(".")[0]) == made.name:
                    other = self._module(name if alias else name.partition(".")[0], 0, module)
                    return [other] if other is not None else []
        if isinstance(made.item, ir.ImportFrom):
            return self._from(made.item, made.name, module, seen)
        return [(module, made.name)] if made.kind != "entry" else []

    def _from(self, stmt: ir.ImportFrom, bound: str, module: Module, seen: frozenset[tuple[str, str]]) -> list[Thing]:
        for name, alias in stmt.names:
            if (alias or name) == bound:
                other = self._module(stmt.module, stmt.level, module)
                found = self.global_name(other, name, seen) if other is not None else []
                inner = self._module(f"{stmt.module}.{name}" if stmt.module else name, stmt.level, module)
                return found or ([inner] if inner is not None else [])
        return []

    def source_of(self, made: Definition, module: Module) -> tuple[Module, str] | None:
        """The module and the name there of ``from module import name``, if the module was read."""
        if not isinstance(made.item, ir.ImportFrom):
            return None
        other = self._module(made.item.module, made.item.level, module)
        name = next((name for name, alias in made.item.names if (alias or name) == made.name), None)
        return (other, name) if other is not None and name is not None else None

    def submodule(self, module: Module, name: str) -> list[Thing]:
        """A module of a package, as ``import package.name`` leaves it."""
        if not module.path.endswith("__init__.py"):
            return []
        inner = self._module(name, 1, module)
        return [inner] if inner is not None else []

    def _module(self, name: str, level: int, importer: Module) -> Module | None:
        path = self.project.find_module(name, level, importer)
        return self.project.module(path) if path else None


def _calls(module: Module) -> Iterator[Called]:
    """All calls of a module in source order. What stands in a definition's head belongs to the code around it."""
    pending: list[tuple[object, FunctionInfo | None]] = [(stmt, None) for stmt in reversed(module.facts.body)]
    while pending:
        item, function = pending.pop()
        if isinstance(item, ir.Call):
            yield item, function, module
        inner = module.by_node.get(id(item))
        if isinstance(item, (ir.FunctionDef, ir.Lambda)) and isinstance(inner, FunctionInfo):
            body = item.body if isinstance(item, ir.FunctionDef) else [item.body]
            pending += [(each, inner) for each in reversed(body)]
            pending += [(param.default, function) for param in reversed(item.params) if param.default is not None]
            pending += [(each, function) for each in reversed(getattr(item, "decorators", []))]
        else:
            pending += [(part, function) for part in reversed(parts(item))]


def last_name(expr: ir.Expr) -> str:
    """The last part of a dotted name; empty for anything else."""
    if isinstance(expr, ir.Attribute):
        return expr.attr
    return expr.id if isinstance(expr, ir.Name) else ""


__all__ = ["Code", "Thing", "dotted", "last_name"]
