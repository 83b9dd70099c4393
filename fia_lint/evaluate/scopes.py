"""What stands in a scope of lowered code, and which names that binds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fia_lint.extract import ir
from fia_lint.extract.walk import parts, target_names, walk


def _flat(body: object) -> list[object]:
    """The items of nested lists, or the item itself."""
    if isinstance(body, (list, tuple)):
        return [item for part in body for item in _flat(part)]
    return [body]


def walk_all(body: object) -> Iterator[object]:
    """Every lowered item below ``body`` (an item, or nested lists of them), itself included, parents first."""
    return walk(*_flat(body))


_DEFINITIONS = frozenset({ir.FunctionDef, ir.Lambda, ir.ClassDef})


def walk_scope(body: object, definitions: bool = False) -> Iterator[object]:
    """Items that belong to the scope of ``body``: the insides of nested functions, lambdas and classes are left out.

    With ``definitions``, only the nested definitions themselves are given, without their insides.
    """
    pending = _flat(body)[::-1]
    while pending:
        item = pending.pop()
        if type(item) in _DEFINITIONS:
            yield item
            outside: list[object] = []
            if isinstance(item, ir.ClassDef):
                outside = [*item.decorators, *item.bases]
            elif isinstance(item, ir.FunctionDef):
                outside = [*item.decorators, *(p.default for p in item.params if p.default)]
            else:
                outside = [p.default for p in item.params if p.default]
            pending.extend(outside[::-1])
            continue
        if not definitions:
            yield item
        pending.extend(parts(item)[::-1])


def words_in(body: object) -> list[str]:
    """The texts below ``body`` that may be names, each once, in order."""
    texts = (item.value for item in walk_all(body) if isinstance(item, ir.Constant) and isinstance(item.value, str))
    return list(dict.fromkeys(text for text in texts if text.isidentifier()))


def dotted(expr: object) -> str | None:
    """``a.b.c`` of a chain of attribute reads, else None."""
    parts = []
    while isinstance(expr, ir.Attribute):
        parts.append(expr.attr)
        expr = expr.value
    if not isinstance(expr, ir.Name):
        return None
    return ".".join([expr.id, *reversed(parts)])


#: What binds a name, or declares whose it is.
_BINDING = frozenset(
    {
        ir.Assign, ir.For, ir.AugAssign, ir.WithItem, ir.Walrus, ir.FunctionDef, ir.ClassDef, ir.Handler, ir.Import,
        ir.ImportFrom, ir.Scope, ir.Pattern, ir.Delete,
    }
)  # fmt: skip


def bindings(items: Iterable[object], bound: set[str], outside: set[str]) -> None:
    """Add the names that items of one scope bind, and those that they declare to be of another."""
    for item in items:
        if type(item) not in _BINDING:
            continue
        if isinstance(item, ir.Assign):
            for target in item.targets:
                bound.update(target_names(target))
        elif isinstance(item, (ir.For, ir.AugAssign)):
            bound.update(target_names(item.target))
        elif isinstance(item, ir.WithItem):
            bound.update(target_names(item.target) if item.target else ())
        elif isinstance(item, ir.Walrus):
            bound.add(item.target.id)
        elif isinstance(item, (ir.FunctionDef, ir.ClassDef)):
            bound.add(item.name)
        elif isinstance(item, ir.Handler) and item.name:
            bound.add(item.name)
        elif isinstance(item, ir.Import):
            bound.update(alias or name.partition(".")[0] for name, alias in item.names)
        elif isinstance(item, ir.ImportFrom):
            bound.update(alias or name for name, alias in item.names)
        elif isinstance(item, ir.Scope):
            outside.update(item.names)
        elif isinstance(item, ir.Pattern) and item.name:
            bound.add(item.name)
        elif isinstance(item, ir.Delete):
            for target in item.targets:
                bound.update(target_names(target))
