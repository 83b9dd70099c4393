"""Whether an edit can break or change the program elsewhere: what the analysis of calls alone does not see.

- Every name in the new text has a value where it is written.
- What the old text does beside having a value, the new one does too, and nothing else.
- The old value goes nowhere but into the arguments that deviate (``fia_lint.fix.uses``).
- What other code decides (a method that subclasses override) is decided there.
"""

from __future__ import annotations

from collections.abc import Iterable

from fia_lint.errors import SourceError
from fia_lint.evaluate.sites import Site, SiteKey
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.edits import Add, Drop, Edit, Replace
from fia_lint.fix.effects import effects, is_pure
from fia_lint.fix.handed import handed
from fia_lint.fix.names import Unsafe, check_names
from fia_lint.fix.scope import Scope, scope_of
from fia_lint.fix.spelled import keyword_of
from fia_lint.fix.uses import Elsewhere, Uses
from fia_lint.fix.world import World
from fia_lint.operators import MASK_ARGUMENTS


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
        check_names(scope, *new, world.parents(facts))
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
    check_names(scope, *new, world.parents(scope.facts))
    _check_decided_elsewhere(scope, node, new[1])
    _follow(world, edit.path, node)


def _keep_effects(scope: Scope, old: list[ir.Expr], new: tuple[ir.Facts, ir.Expr] | None) -> None:
    before = [effect for expr in old for effect in effects(scope.facts, expr, scope)]
    after = effects(*new, scope) if new else []
    if before != after:
        differing = [text for text, tests in (*before, *after) if ((text, tests) in before) != ((text, tests) in after)]
        what = differing[0] if differing else before[0][0]
        raise Unsafe(f"{what} may do more than have a value: it can neither be left out nor added")


def _check_addition(world: World, edit: Add, node: ir.Expr) -> None:
    site = world.sites.get(SiteKey(edit.path, node.span))
    if site is None:
        _follow(world, edit.path, node, edit.name)
        return
    missing = [name for name in MASK_ARGUMENTS if edit.name in _names(world, site, name) and world.deviates(site, name)]
    if not missing:
        raise Unsafe("the call does not deviate in this argument")
    if (site.key, missing[0]) in world.partly:
        raise Unsafe(f"{edit.name} is right in other classes that run this code")


def _names(world: World, site: Site, argument: str) -> tuple[str, ...]:
    """By what names a call can pass an argument: the operator's, or a wrapper's."""
    given = handed(world, site, argument)
    return (given.parameter.name,) if given else (keyword_of(site, argument),)


def _check_decided_elsewhere(scope: Scope, node: ir.Expr, new: ir.Expr) -> None:
    """What a call returns is not passed over."""
    kept = {item.id for item in walk(new) if isinstance(item, ir.Name)}
    gone = {item.id for item in walk(node) if isinstance(item, ir.Name)} - kept
    for item in walk(*scope.body):
        if isinstance(item, ir.Assign) and isinstance(item.value, ir.Call) and not is_pure(item.value, scope):
            bound = {part.id for target in item.targets for part in walk(target) if isinstance(part, ir.Name)}
            if gone & bound:
                raise Unsafe(f"{scope.text(item.value.func)} decides about {', '.join(sorted(gone & bound))}")


def _follow(world: World, path: str, node: ir.Expr, key: str | None = None) -> None:
    """The value goes into arguments that deviate and nowhere else, and in no class that runs the code is it right."""
    uses = Uses(world)
    uses.follow(path, node, key)
    partly = sorted(argument for key, argument in uses.reached if (key, argument) in world.partly)
    if partly:
        raise Unsafe(f"{partly[0]} is right in other classes that run this code")
