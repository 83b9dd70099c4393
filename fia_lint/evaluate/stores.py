"""What statements and calls store to or change in place, as far as their form tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.extract import ir

MUTATORS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "update",
        "setdefault",
        "pop",
        "popitem",
        "popleft",
        "appendleft",
        "extendleft",
        "clear",
        "remove",
        "add",
        "discard",
        "sort",
        "reverse",
    }
)


def _stored(target: object) -> Iterator[object]:
    """What an assignment to ``target`` stores into: the target, or the object that is subscripted."""
    if isinstance(target, ir.Sequence):
        for item in target.items:
            yield from _stored(item)
    elif isinstance(target, ir.Starred):
        yield from _stored(target.value)
    elif isinstance(target, ir.Subscript):
        yield part_of(target.value)
    else:
        yield target


#: Methods that give a part of what they are called on, or all of it.
_PARTS = frozenset({"get", "setdefault", "values", "items", "pop", "popitem", "popleft"})


def part_of(expr: object) -> object:
    """What an expression is a part of: ``x`` of ``x[a][b]`` and ``x.get(a)``; ``x.name`` of ``getattr(x, "name")``."""
    while True:
        if isinstance(expr, ir.Subscript):
            expr = expr.value
        elif isinstance(expr, ir.Call) and isinstance(expr.func, ir.Attribute) and expr.func.attr in _PARTS:
            expr = expr.func.value
        elif isinstance(expr, ir.Call) and isinstance(expr.func, ir.Name) and expr.func.id == "getattr" and len(expr.args) > 1:
            name = expr.args[1].value
            if not isinstance(name, ir.Constant) or not isinstance(name.value, str):
                return expr
            return ir.Attribute(expr.span, expr.args[0].value, name.value)
        else:
            return expr


def local_parts(items: Iterable[object]) -> dict[str, ir.Name | ir.Attribute]:
    """Local names for a part of something: ``bucket = x[key]``, ``for bucket in x.values()``."""
    found: dict[str, ir.Name | ir.Attribute] = {}
    for item in items:
        if isinstance(item, ir.Assign):
            if len(item.targets) != 1:
                continue
            target, value = item.targets[0], item.value
        elif isinstance(item, ir.For):
            target, value = item.target, item.iterable
        elif isinstance(item, ir.Walrus):
            target, value = item.target, item.value
        else:
            continue
        whole = part_of(value)
        if isinstance(target, ir.Name) and isinstance(whole, (ir.Name, ir.Attribute)) and whole is not value:
            found[target.id] = whole
        elif isinstance(target, ir.Name) and isinstance(whole, ir.Attribute):
            found[target.id] = whole
    return found


def stores(item: object) -> Iterable[object]:
    """The expressions that a statement or call stores to or changes in place."""
    find = _STORING.get(type(item))
    return find(item) if find is not None else ()


def _stored_by_targets(item: ir.Assign | ir.Delete) -> Iterator[object]:
    for target in item.targets:
        yield from _stored(target)


def _stored_by_target(item: ir.AugAssign | ir.For | ir.WithItem) -> Iterator[object]:
    if item.target is not None:
        yield from _stored(item.target)


def _stored_by_call(item: ir.Call) -> Iterator[object]:
    if isinstance(item.func, ir.Attribute) and item.func.attr in MUTATORS:
        inner = part_of(item.func.value)
        if not isinstance(inner, ir.Call):
            yield inner


#: What stores, by class: most items that are asked about do not.
_STORING: dict[type, Callable[[Any], Iterable[object]]] = {
    ir.Assign: _stored_by_targets,
    ir.Delete: _stored_by_targets,
    ir.AugAssign: _stored_by_target,
    ir.For: _stored_by_target,
    ir.WithItem: _stored_by_target,
    ir.Call: _stored_by_call,
}


#: Stands for every name, where a name is chosen at run time.
ANY = "*"


def attribute_writes(body: object, self_name: str) -> Iterator[str]:
    items = list(walk_all(body))
    parts = local_parts(items)
    for item in items:
        for stored in stores(item):
            if isinstance(stored, ir.Name) and changed_in_place(item) == stored.id:
                stored = parts.get(stored.id, stored)
            if isinstance(stored, ir.Attribute) and isinstance(stored.value, ir.Name) and stored.value.id == self_name:
                yield stored.attr
        if isinstance(item, ir.Call):
            yield from _set_by_name(item, self_name)
        elif isinstance(item, ir.Assign):
            yield from (key for target in item.targets for key in _key_of_namespace(target, self_name))


def _set_by_name(call: ir.Call, self_name: str) -> Iterator[str]:
    """``setattr(self, "x", …)``, ``object.__setattr__(self, "x", …)``, ``super().__setattr__("x", …)``; else ``ANY``."""
    attr = call.func.attr if isinstance(call.func, ir.Attribute) else call.func.id if isinstance(call.func, ir.Name) else ""
    given = [a.value for a in call.args if not a.star]
    if attr in ("setattr", "delattr") or (attr in ("__setattr__", "__delattr__") and dotted(call.func) is not None):
        given = given[1:] if given and isinstance(given[0], ir.Name) and given[0].id == self_name else []
    elif attr not in ("__setattr__", "__delattr__"):
        return
    if given:
        known = isinstance(given[0], ir.Constant) and isinstance(given[0].value, str)
        yield given[0].value if known else ANY


def _key_of_namespace(target: ir.Expr, self_name: str) -> Iterator[str]:
    """``x`` of ``self.__dict__["x"] = …``."""
    if isinstance(target, ir.Subscript) and dotted(target.value) == f"{self_name}.__dict__":
        if isinstance(target.index, ir.Constant) and isinstance(target.index.value, str):
            yield target.index.value


def changed_in_place(item: object) -> str | None:
    for stored in stores(item):
        if isinstance(stored, ir.Name) and not (isinstance(item, ir.Assign) and stored in item.targets):
            if isinstance(item, (ir.Call, ir.Delete)) or _is_subscript_store(item):
                return stored.id
    return None


def is_hidden_store(item: object) -> bool:
    if type(item) not in _STORING:
        return False
    if isinstance(item, ir.Call):
        name = dotted(item.func)
        inner = item.func.value if isinstance(item.func, ir.Attribute) and item.func.attr in MUTATORS else None
        return name == "exec" or _is_namespace(inner)
    if not isinstance(item, (ir.Assign, ir.AugAssign, ir.Delete)):
        return False
    return any(_is_namespace(s) or (isinstance(s, ir.Attribute) and _is_namespace(s.value)) for s in stores(item))


def _is_namespace(expr: object) -> bool:
    """``globals()``, ``vars()``, or ``sys.modules[…]``."""
    if isinstance(expr, ir.Subscript):
        return dotted(expr.value) == "sys.modules"
    return isinstance(expr, ir.Call) and not expr.args and dotted(expr.func) in ("globals", "vars")


def _is_subscript_store(item: object) -> bool:
    targets = item.targets if isinstance(item, ir.Assign) else [getattr(item, "target", None)]
    return any(isinstance(t, ir.Subscript) for t in targets)
