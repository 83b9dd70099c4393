"""Whether an edit can break or change the program elsewhere: what the analysis of calls alone does not see.

- Every name in the new text has a value where it is written.
- What the old text does beside having a value, the new one does too, and nothing else.
- The old value goes nowhere but into the arguments that deviate (``fia_lint.fix.uses``).
- What other code decides (a method that subclasses override) is decided there.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from fia_lint.errors import SourceError
from fia_lint.evaluate.sites import SiteKey
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bound import covers
from fia_lint.fix.edits import Add, Drop, Edit, Replace
from fia_lint.fix.effects import effects, is_pure
from fia_lint.fix.meaning import attributes_read
from fia_lint.fix.scope import Scope, is_attribute_of, scope_of
from fia_lint.fix.uses import Elsewhere, Uses
from fia_lint.fix.world import World


class Unsafe(Exception):
    """An edit that may break or change something. The message says what, in words."""


def danger(world: World, edits: Iterable[Edit]) -> str:
    """What is to be said against some edits, empty if nothing is."""
    try:
        for edit in edits:
            _check(world, edit)
    except (Unsafe, Elsewhere) as no:
        return str(no)
    return ""


def _check(world: World, edit: Edit) -> None:
    facts = world.whole.facts(edit.path)
    node = world.parents(facts).at(edit.span) if facts else None
    if facts is None or node is None:
        raise Unsafe("the place of the change cannot be told for certain")
    scope = scope_of(facts, edit.span)
    if isinstance(edit, Drop):
        dropped = [argument.value for argument in node.args if argument.name == edit.name] if isinstance(node, ir.Call) else []
        _keep_effects(scope, dropped, None)
    elif isinstance(edit, Add):
        new = parsed(edit.text)
        _keep_effects(scope, [], new)
        _check_names(scope, new, ())
        _check_addition(world, edit, node)
    elif isinstance(edit, Replace):
        _check_replacement(world, edit, scope, node)


def parsed(text: str) -> tuple[ir.Facts, ir.Expr]:
    """An expression by itself."""
    from fia_lint.extract import extract

    try:
        facts = extract("", f"({text})\n".encode())
    except (SourceError, UnicodeError):
        raise Unsafe("what would be written is no expression") from None
    (statement,) = facts.body
    if not isinstance(statement, ir.ExprStmt):
        raise Unsafe("what would be written is no expression")
    return facts, statement.value


def _check_replacement(world: World, edit: Replace, scope: Scope, node: ir.Expr) -> None:
    new = parsed(edit.text)
    old = scope.text(node)
    if "\n" in old and "#" in old:
        raise Unsafe("a comment would be lost")
    if world.parents(scope.facts).stands_on_the_left(node):
        if not isinstance(node, ir.Name):
            raise Unsafe("what is assigned to is no plain name")
        Uses(world, any_argument=True).name(edit.path, node.id, node, None)
        return
    _keep_effects(scope, [node], new)
    _check_names(scope, new, walk(node))
    _check_decided_elsewhere(world, edit, scope, node, new[1])
    Uses(world).follow(edit.path, node)


def _keep_effects(scope: Scope, old: list[ir.Expr], new: tuple[ir.Facts, ir.Expr] | None) -> None:
    before = [effect for expr in old for effect in effects(scope.facts, expr, scope)]
    after = effects(*new, scope) if new else []
    if before != after:
        text = next(
            (text for text, _ in chain(before, after) if (text in [t for t, _ in before]) != (text in [t for t, _ in after])),
            "",
        )
        raise Unsafe(f"{text or 'what it does'} may do more than have a value: it can neither be left out nor added")


def _check_addition(world: World, edit: Add, node: ir.Expr) -> None:
    site = world.sites.get(SiteKey(edit.path, node.span))
    if site is None:
        Uses(world).follow(edit.path, node, edit.name)
    elif not world.deviates_in(site, edit.name):
        raise Unsafe("the call does not deviate in this argument")


def _check_names(scope: Scope, new: tuple[ir.Facts, ir.Expr], old: Iterable[object]) -> None:
    """What the text speaks of and the old one did not must have a value at the place."""
    kept = {item.id for item in old if isinstance(item, ir.Name)} if not isinstance(old, tuple) else set()
    for item in walk(new[1]):
        if isinstance(item, ir.Name) and item.id not in kept:
            if item.id != scope.receiver and not scope.at_hand(item.id):
                raise Unsafe(f"{item.id} has no value there for certain")
        if isinstance(item, ir.Attribute) and isinstance(item.value, ir.Name):
            if is_attribute_of(item, scope.receiver):
                if not _has_attribute(scope, item.attr):
                    raise Unsafe(f"{item.value.id}.{item.attr} has no value there for certain")
            elif item.value.id not in kept and item.value.id in scope.local and _may_be_none(scope, item.value.id):
                raise Unsafe(f"{item.value.id} may be None there")


def _has_attribute(scope: Scope, attr: str) -> bool:
    """Whether ``self`` is sure to have an attribute: the class speaks of it, and it is not only about to be set."""
    if attr not in scope.attributes:
        return False
    method = next((f for f in scope.functions[::-1] if scope.owner and covers(scope.owner.span, f.span)), None)
    stores = [
        item for item in walk(*(method.body if method else ())) if isinstance(item, ir.Assign)
        and any(is_attribute_of(t, scope.receiver) and t.attr == attr for t in item.targets)  # type: ignore[attr-defined]
    ]  # fmt: skip
    if method is None or (method.name not in ("__init__", "__new__") and not stores):
        return True
    return any(store in method.body and store.span[2:] <= scope.span[:2] for store in stores)


def _may_be_none(scope: Scope, name: str) -> bool:
    """Whether a function asks if a name has a value, or its default is None."""
    if any(isinstance(value, ir.Constant) and value.value is None for value in scope.local.get(name, ())):
        return True
    for item in walk(*scope.body):
        operands = item.operands if isinstance(item, ir.Compare) else item.values if isinstance(item, ir.Boolean) else []
        tests = [item.test] if isinstance(item, (ir.If, ir.Conditional, ir.Assert)) else []
        if any(isinstance(each, ir.Name) and each.id == name for each in (*operands, *tests)):
            return True
    return not any(attributes_read(scope, name))


def _check_decided_elsewhere(world: World, edit: Replace, scope: Scope, node: ir.Expr, new: ir.Expr) -> None:
    """What a call returns is not passed over, and nothing that is right in some classes is changed in the code that they share."""
    kept = {item.id for item in walk(new) if isinstance(item, ir.Name)}
    gone = {item.id for item in walk(node) if isinstance(item, ir.Name)} - kept
    for item in walk(*scope.body):
        if isinstance(item, ir.Assign) and isinstance(item.value, ir.Call) and not is_pure(item.value, scope):
            bound = {part.id for target in item.targets for part in walk(target) if isinstance(part, ir.Name)}
            if gone & bound:
                raise Unsafe(f"{scope.text(item.value.func)} decides about {', '.join(sorted(gone & bound))}")
    for site, argument in world.partly:
        around = world.scope(site).functions
        if around and covers(around[0].span, edit.span):
            raise Unsafe(f"{argument} is right in other classes that run this code")
