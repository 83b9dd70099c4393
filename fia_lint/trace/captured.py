"""Containers that outlive the function: from where a stored value is read to where it was stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fia_lint.evaluate.definitions import ClassInfo, Module
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.trace.code import last_name
from fia_lint.trace.names import Names
from fia_lint.trace.resolve import Frame
from fia_lint.trace.shapes import lengths
from fia_lint.trace.steps import MAX_BRANCHES, WHOLE, Field, Key, Slot, Some, Want

_ADDS = ("append", "add", "insert", "extend", "setdefault")


@dataclass(frozen=True, eq=False)
class Stored:
    """A value that is put into a container."""

    value: ir.Expr
    frame: Frame
    method: str


class Captured(Names):
    """Reading captured values. Containers of one name are one thing, as in the evaluation."""

    def captured(self, expr: ir.Expr, frame: Frame, want: Want) -> bool:
        """Go through what was stored in the container that an expression names; whether it names one."""
        name = _container(expr, frame)
        if name is None:
            return False
        shape = list(want)
        while shape and (isinstance(shape[0], Some) or isinstance(shape[0], (Slot, Key)) and not getattr(shape[0], "count", 0)):
            shape.pop(0)
        found = self._nearest(name, frame, [each for each in self._stores(name) if self._fits(each, shape)])
        for each in found[:MAX_BRANCHES]:
            self._stored(name, each, tuple(shape))
        return bool(found)

    def _stored(self, name: str, stored: Stored, want: Want) -> None:
        """One store: the item that is wanted, then the place where it is put in."""
        value, frame = stored.value, stored.frame
        rest = want
        while rest and isinstance(rest[0], Slot) and isinstance(value, ir.Sequence) and rest[0].index < len(value.items):
            if any(isinstance(item, ir.Starred) for item in value.items):
                break
            value, rest = value.items[rest[0].index], rest[1:]
        self.value(value, frame, rest)
        index = ", ".join(str(part.index) for part in want if isinstance(part, Slot))
        self.guarded(self.code.flow(frame.scope).guards_of(stored.value), (), frame)
        self.emit("store", frame, value.span, name, self.text(value, frame.module), index)

    def _stores(self, name: str) -> list[Stored]:
        """Everything that is put into a container of that name, in path and source order."""
        if name not in self.code.stored:
            modules = [module for module in self.code.modules if not module.in_tests and name in module.facts.source]
            self.code.stored[name] = [stored for module in modules for stored in self._stores_of(name, module)]
        return self.code.stored[name]

    def _stores_of(self, name: str, module: Module) -> Iterator[Stored]:
        """The stores of one module, in functions that mention the name."""
        for scope in (None, *(each for each in module.functions if name in module.text(each.span))):
            frame = Frame(module, scope)
            flow = self.code.flow(frame.scope)
            for made in flow.all:
                if made.kind not in ("change", "store") or not self._is_container(made.name, made.item, name, frame):
                    continue
                if made.kind == "store" and made.value is not None and not made.want:
                    yield Stored(made.value, frame, "=")
                elif isinstance(made.item, ir.Call) and last_name(made.item.func) in _ADDS:
                    values = [a.value for a in made.item.args if not a.star]
                    if values:
                        yield Stored(values[-1], frame, last_name(made.item.func))
            if scope is None or isinstance(scope.node, ir.FunctionDef):
                yield from self._chained(name, frame)

    def _chained(self, name: str, frame: Frame) -> Iterator[Stored]:
        """``….name.setdefault(k, []).append(v)``: the receiver is a call."""
        calls = frame.function.calls if frame.function is not None else ()
        for call in calls:
            func = call.func
            if isinstance(func, ir.Attribute) and func.attr in _ADDS and isinstance(func.value, ir.Call) and call.args:
                inner = func.value.func
                if isinstance(inner, ir.Attribute) and last_name(_bare(inner.value)) == name:
                    yield Stored(call.args[-1].value, frame, func.attr)

    def _is_container(self, dotted_name: str, item: object, name: str, frame: Frame) -> bool:
        """Whether what is stored to is the container, by its own name or by a local one."""
        last = dotted_name.rpartition(".")[2]
        if "." in dotted_name:
            return last == name
        if frame.function is None or last not in frame.function.local_names:
            return last == name
        target = item.func if isinstance(item, ir.Call) else item
        for part in walk(target):
            if isinstance(part, ir.Name) and part.id == last:
                known = self.resolver.definitions(last, part, frame)
                return any(made.kind == "assign" and made.value is not None and _names(made.value, name) for made, _ in known)
        return False

    # ------------------------------------------------------------------------------------------ which

    def _fits(self, stored: Stored, shape: list) -> bool:
        """Whether a stored value has the wanted shape: tuples match by length, records by having the field."""
        value, first = stored.value, shape[0] if shape else None
        if isinstance(value, ir.Sequence) and value.kind == "list" and not value.items:
            return False
        if isinstance(first, Slot) and first.count:
            known = lengths(value, stored.frame, self.resolver)
            return (
                known is None
                and not isinstance(value, (ir.DictDisplay, ir.Constant))
                or known is not None
                and first.count in known
            )
        if isinstance(first, Field):
            types = self.resolver.types(value, stored.frame)
            return not types or any(self._has(cls, first.name) for cls in types)
        return True

    def _has(self, cls: ClassInfo, attr: str) -> bool:
        names = {name for each in self.code.mro(cls) for name in (*each.body_assigns, *each.attribute_writes)}
        return attr in names or attr in {name for name, _, _ in cls.declared_fields()}

    def _nearest(self, name: str, frame: Frame, stores: list[Stored]) -> list[Stored]:
        """The stores at the nearest place that has any: class, bases, subclasses, module, group."""
        method = frame.method
        owner = method.owner if method is not None else None
        stores = [each for each in stores if each.frame.module.group == frame.module.group]
        if owner is not None:
            bases, family = self.code.mro(owner)[1:], self.code.family(owner)[1:]
            for near in ([owner], bases, family):
                found = [each for each in stores if each.frame.method is not None and each.frame.method.owner in near]
                if found:
                    return found
        return [each for each in stores if each.frame.module is frame.module] or stores


def _bare(expr: ir.Expr) -> ir.Expr:
    while isinstance(expr, ir.Subscript):
        expr = expr.value
    return expr


def _names(expr: ir.Expr, name: str) -> bool:
    """Whether an expression is (a part of) what is called ``name``."""
    inner = _bare(expr)
    if isinstance(inner, ir.Call) and last_name(inner.func) in ("get", "setdefault") and isinstance(inner.func, ir.Attribute):
        inner = _bare(inner.func.value)
    return isinstance(inner, (ir.Attribute, ir.Name)) and last_name(inner) == name


def _container(expr: ir.Expr, frame: Frame) -> str | None:
    """The name of what may be a container that outlives the function: an attribute, or a module-level name."""
    if isinstance(expr, ir.Attribute):
        return expr.attr
    if isinstance(expr, ir.Name) and (frame.function is None or expr.id not in frame.function.local_names):
        return expr.id
    return None


__all__ = ["Captured", "WHOLE"]
