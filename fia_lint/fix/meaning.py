"""Whether a name of one scope means the same in another."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bindings import bindings
from fia_lint.fix.scope import Scope, is_attribute_of

#: How many names a name is traced back through.
_DEPTH = 3


def same_name(name: str, source: Scope, target: Scope, depth: int = _DEPTH) -> bool:
    """Whether a name can be used in another scope: it has a value there, and the same one.

    Two functions' locals are the same if both are bound once, to the same words, which mean the same.
    """
    if name == source.receiver:
        return name == target.receiver
    if name in source.local or name in target.local:
        if name not in source.local or name not in target.before:
            return False
        return _same_function(name, source, target) or (depth > 0 and _same_binding(name, source, target, depth))
    if source.path == target.path:
        return target.at_hand(name) or _is_global_of_both(name, source, target)
    if name not in source.module and name not in target.module:
        return target.at_hand(name)
    return target.at_hand(name) and _origin(name, source.facts) == _origin(name, target.facts) is not None


def _is_global_of_both(name: str, source: Scope, target: Scope) -> bool:
    """Whether two functions of a file look a name up in the same place, a star import say."""
    stars = any(bound == "*" for bound, _, _ in bindings(source.facts.body))
    return stars and bool(source.functions and target.functions) and name not in source.module


def _same_function(name: str, source: Scope, target: Scope) -> bool:
    """Whether two places have a name from the same function."""
    one, other = binder(name, source), binder(name, target)
    return one is not None and one is other


def binder(name: str, scope: Scope) -> ir.FunctionDef | None:
    """The innermost function around a place that binds a name."""
    for function in scope.functions:
        parameters = {parameter.name for parameter in function.params}
        if name in parameters or any(bound == name for bound, _, _ in bindings(function.body)):
            return function
    return None


def _same_binding(name: str, source: Scope, target: Scope, depth: int) -> bool:
    ours, theirs = source.local[name], target.local[name]
    if len(ours) != 1 or len(theirs) != 1 or ours[0] is None or theirs[0] is None:
        return False
    one, other = ours[0], theirs[0]
    if source.text(one) != target.text(other) or any(isinstance(item, ir.Call) for item in walk(one)):
        return False
    parameters = {p.name for scope in (source, target) for function in scope.functions for p in function.params}
    if name in parameters:
        return False
    return all(same_name(item.id, source, target, depth - 1) for item in walk(one) if isinstance(item, ir.Name))


def same_attribute(item: ir.Attribute, source: Scope, target: Scope) -> bool:
    """Whether ``self.x``, or the attribute of another name, is the same thing in another scope.

    Parameters of one name are taken for the same kind of thing where the function reads that attribute of it, too.
    """
    if not isinstance(item.value, ir.Name):
        return True
    name = item.value.id
    if name == source.receiver:
        return target.receiver == name and (source.owner is target.owner or item.attr in target.attributes)
    if same_name(name, source, target):
        return True
    handed_in = all(any(p.name == name for function in scope.functions for p in function.params) for scope in (source, target))
    return handed_in and name in target.before and item.attr in {each.attr for each in attributes_read(target, name)}


def attributes_read(scope: Scope, name: str) -> Iterator[ir.Attribute]:
    """The attributes of a name that the function around a place reads."""
    for item in walk(*scope.body):
        if isinstance(item, ir.Attribute) and is_attribute_of(item, name):
            yield item


def _origin(name: str, facts: ir.Facts) -> tuple[object, ...] | None:
    """Where a name of a file comes from: ``(module, name)``, or the number that it is. None if that cannot be told."""
    package = tuple(facts.path.removesuffix(".py").split("/"))
    found: list[tuple[object, ...]] = []
    for item in facts.body:
        if isinstance(item, ir.ImportFrom):
            base = tuple(item.module.split(".")) if item.module else ()
            base = (package[: -item.level] if item.level else ()) + base
            found += [(*base, original) for original, alias in item.names if (alias or original) == name]
        elif isinstance(item, ir.Import):
            found += [(full,) for full, alias in item.names if (alias or full.partition(".")[0]) == name]
    bound = [value for one, value, _ in bindings(facts.body) if one == name]
    if len(bound) != 1:
        return None
    if found:
        return found[0]
    value = bound[0]
    plain = value is not None and not any(isinstance(part, (ir.Name, ir.Call)) for part in walk(value))
    return ("is", facts.text(value.span)) if plain and value is not None else (*package, name)
