"""The code that the evaluation read, and how names in it lead to functions, classes and modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from fia_lint.evaluate.project import ClassInfo, FactsSource, FunctionInfo, Module, Project, dotted, walk_all
from fia_lint.evaluate.sites import ClassFacts
from fia_lint.extract import ir
from fia_lint.spans import Span
from fia_lint.trace.definitions import Definition
from fia_lint.trace.flow import Flow

#: What a name stands for, where that is a definition of the tree; or a module-level name as (module, name).
Thing = FunctionInfo | ClassInfo | Module | tuple[Module, str]


class Code:
    """Modules with their flows. ``classes`` is what the evaluation says about bases and subclasses."""

    def __init__(self, source: FactsSource, paths: list[str], classes: dict[str, ClassFacts]) -> None:
        self.project = Project(source)
        self.modules = [module for module in map(self.project.module, paths) if module is not None]
        self._facts = classes
        self._flows: dict[int, Flow] = {}

    @cached_property
    def classes(self) -> dict[str, ClassInfo]:
        return {cls.key: cls for module in self.modules for cls in module.classes}

    # ------------------------------------------------------------------------------------------ places

    def call_at(self, path: str, span: Span) -> tuple[ir.Call, FunctionInfo | None, Module] | None:
        """The call at a place, with the function and the module that it stands in."""
        module = self.project.module(path)
        if module is None:
            return None
        for call, function in self._calls_of(module):
            if call.span == span:
                return call, function, module
        return None

    def _calls_of(self, module: Module) -> Iterator[tuple[ir.Call, FunctionInfo | None]]:
        """All calls of a module, each with the innermost function around it."""
        inner: dict[int, FunctionInfo] = {}
        for function in module.functions:
            inner.update((id(call), function) for call in function.calls)
        for item in walk_all(module.facts.body):
            if isinstance(item, ir.Call):
                yield item, inner.get(id(item))

    @cached_property
    def calls(self) -> dict[str, list[tuple[ir.Call, FunctionInfo | None, Module]]]:
        """All calls outside tests by the last name of what is called, in path and source order."""
        found: dict[str, list[tuple[ir.Call, FunctionInfo | None, Module]]] = {}
        for module in self.modules:
            if not module.in_tests:
                for call, function in self._calls_of(module):
                    name = last_name(call.func)
                    if name == "super" and isinstance(call.func, ir.Call):
                        continue
                    found.setdefault(name, []).append((call, function, module))
        return found

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
        return [cls, *(self.classes[key] for key in (facts.subclasses if facts else ()) if key in self.classes and key != cls.key)]

    def method(self, cls: ClassInfo, name: str, after: ClassInfo | None = None) -> FunctionInfo | None:
        """The method that resolution gives, optionally behind a class."""
        order = self.mro(cls)
        if after in order:
            order = order[order.index(after) + 1 :]
        return next((each.methods[name] for each in order if name in each.methods), None)

    @cached_property
    def by_name(self) -> dict[str, list[FunctionInfo]]:
        """Functions outside tests by their name."""
        found: dict[str, list[FunctionInfo]] = {}
        for module in self.modules:
            for function in module.functions if not module.in_tests else ():
                found.setdefault(function.name, []).append(function)
        return found

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
        return sorted(end.get(name, ()), key=lambda made: made.span)

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

    def _module(self, name: str, level: int, importer: Module) -> Module | None:
        path = self.project.find_module(name, level, importer)
        return self.project.module(path) if path else None


def last_name(expr: ir.Expr) -> str:
    """The last part of a dotted name; empty for anything else."""
    if isinstance(expr, ir.Attribute):
        return expr.attr
    return expr.id if isinstance(expr, ir.Name) else ""


__all__ = ["Code", "Thing", "dotted", "last_name"]
