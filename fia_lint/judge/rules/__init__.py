"""The rules, one module each, found by walking this package."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import isabstract

from fia_lint.judge.rule import Rule


def _find() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for module in pkgutil.iter_modules(__path__):
        for item in vars(import_module(f"{__name__}.{module.name}")).values():
            if isinstance(item, type) and issubclass(item, Rule) and not isabstract(item):
                found[item.code] = item()
    return dict(sorted(found.items()))


#: Every rule by its code, in the order of the codes.
RULES: dict[str, Rule] = _find()

__all__ = ["RULES"]
