"""Arguments that a call hands to a parameter of a wrapper, which passes them on to the operator."""

from __future__ import annotations

from dataclasses import dataclass

from fia_lint.evaluate.sites import Site, SiteKey
from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.world import World


@dataclass(frozen=True, eq=False)
class Handed:
    """What a call hands to a parameter: ``value``, or None where it leaves it to the default."""

    parameter: ir.Parameter
    function: ir.FunctionDef
    value: ir.Expr | None


def written(world: World, site: Site, argument: str) -> ir.Expr | None:
    """The expression that a call has for an argument, by whatever name, or at whatever position, it hands it on."""
    call = world.scope(site).call
    span = site.arguments[argument].span
    if call is None:
        return None
    if span is not None:
        return next((each.value for each in call.args if each.value.span == span), None)
    given = handed(world, site, argument)
    return given and given.value


def handed(world: World, site: Site, argument: str) -> Handed | None:
    """What a call of a wrapper hands to the one parameter that an argument comes from; None if there is none, or it cannot
    be told what it hands."""
    call = world.scope(site).call
    if not site.via or call is None or any(each.star for each in call.args):
        return None
    place = site.via[0]
    inner, next_site = world.scope_at(place.path, place.span), world.sites.get(SiteKey(place.path, place.span))
    passed = written(world, next_site, argument) if next_site is not None else None
    name = call.func.attr if isinstance(call.func, ir.Attribute) else getattr(call.func, "id", "")
    function = next((each for each in inner.functions if each.name == name), None)
    if passed is None or function is None:
        return None
    names = {item.id for item in walk(passed) if isinstance(item, ir.Name)}
    found = [each for each in function.params if each.name in names and each.kind in ("normal", "positional", "keyword")]
    return Handed(found[0], function, given_to(call, function, found[0])) if len(found) == 1 else None


def given_to(call: ir.Call, function: ir.FunctionDef, parameter: ir.Parameter) -> ir.Expr | None:
    """What a call without stars gives to a parameter; None if it leaves it to the default."""
    named = next((each.value for each in call.args if each.name == parameter.name), None)
    if named is not None or parameter.kind == "keyword":
        return named
    at = next(i for i, each in enumerate(function.params) if each is parameter) - is_bound(call, function)
    positional = [each.value for each in call.args if not each.name]
    return positional[at] if 0 <= at < len(positional) else None


def is_bound(call: ir.Call, function: ir.FunctionDef) -> bool:
    """Whether a call leaves out the first parameter, ``self``: it is one of a method of an object."""
    static = any(isinstance(each, ir.Name) and each.id == "staticmethod" for each in function.decorators)
    first = function.params[0].name if function.params else ""
    return isinstance(call.func, ir.Attribute) and not static and first in ("self", "cls")
