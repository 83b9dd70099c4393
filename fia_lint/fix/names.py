"""Whether what a new text speaks of has a value where it is written."""

from __future__ import annotations

from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bound import covers
from fia_lint.fix.effects import Tests, guarded, squeezed
from fia_lint.fix.meaning import attributes_read
from fia_lint.fix.parents import Parents
from fia_lint.fix.scope import Scope, is_attribute_of


class Unsafe(Exception):
    """An edit that may break or change something. The message says what, in words."""


def check_names(scope: Scope, facts: ir.Facts, new: ir.Expr, parents: Parents) -> None:
    """Raise ``Unsafe`` if a name or an attribute in a text (parsed, ``facts``) may have no value at the place of a scope.

    What is evaluated there anyway, under no more tests, has one.
    """
    anyway = [(squeezed(scope.facts, item), tests) for item, tests in _evaluated(scope, parents)]
    for item, tests in guarded(facts, new):
        text = squeezed(facts, item)
        if not any(text == known and tests[: len(under)] == under for known, under in anyway):
            _check(scope, item)


def _evaluated(scope: Scope, parents: Parents) -> list[tuple[ir.Expr, Tests]]:
    """What is evaluated at a place: the expression there, and the arguments of the call around it."""
    node = scope.expr
    if node is None:
        return []
    argument = parents.of(node)
    call = parents.of(argument) if isinstance(argument, ir.Argument) else None
    together = call if isinstance(call, ir.Call) and not any(isinstance(item, ir.Walrus) for item in walk(call)) else node
    return list(guarded(scope.facts, together))


def _check(scope: Scope, item: ir.Expr) -> None:
    if isinstance(item, ir.Name) and item.id != scope.receiver and not scope.at_hand(item.id):
        raise Unsafe(f"{item.id} has no value there for certain")
    if isinstance(item, ir.Attribute) and isinstance(item.value, ir.Name):
        name = item.value.id
        if is_attribute_of(item, scope.receiver):
            if not _has_attribute(scope, item.attr):
                raise Unsafe(f"{name}.{item.attr} has no value there for certain")
        elif name in scope.local and _may_be_none(scope, name):
            raise Unsafe(f"{name} may be None there")


def _has_attribute(scope: Scope, attr: str) -> bool:
    """Whether ``self`` is sure to have an attribute: the class speaks of it, and it is not only about to be set."""
    if attr not in scope.attributes:
        return False
    method = next((f for f in scope.functions[::-1] if scope.owner and covers(scope.owner.span, f.span)), None)
    assigns = [item for item in walk(*(method.body if method else ())) if isinstance(item, ir.Assign)]
    stores = [item for item in assigns if any(_is_own(target, scope.receiver, attr) for target in item.targets)]
    if method is None or (method.name not in ("__init__", "__new__") and not stores):
        return True
    return any(store in method.body and store.span[2:] <= scope.span[:2] for store in stores)


def _is_own(target: ir.Expr, receiver: str, attr: str) -> bool:
    return is_attribute_of(target, receiver) and isinstance(target, ir.Attribute) and target.attr == attr


def _may_be_none(scope: Scope, name: str) -> bool:
    """Whether a function asks if a name has a value, or its default is None, or no attribute of it is read."""
    if any(isinstance(value, ir.Constant) and value.value is None for value in scope.local.get(name, ())):
        return True
    for item in walk(*scope.body):
        operands = item.operands if isinstance(item, ir.Compare) else item.values if isinstance(item, ir.Boolean) else []
        tests = [item.test] if isinstance(item, (ir.If, ir.Conditional, ir.Assert)) else []
        if any(isinstance(each, ir.Name) and each.id == name for each in (*operands, *tests)):
            return True
    return not any(attributes_read(scope, name))
