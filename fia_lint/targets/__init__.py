"""Where source comes from. Everything becomes a tree: a read-only mapping of paths to bytes."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType

from fia_lint.targets import kinds
from fia_lint.targets.target import Options, Target
from fia_lint.targets.tree import Tree

__all__ = ["Options", "Target", "Tree", "kind_of", "open_targets"]


@lru_cache(maxsize=1)
def _kinds() -> list[ModuleType]:
    found = [importlib.import_module(f"{kinds.__name__}.{item.name}") for item in pkgutil.iter_modules(kinds.__path__)]
    return sorted(found, key=lambda kind: kind.ORDER)


def kind_of(spec: str) -> ModuleType:
    """The kind of target that a user's word names."""
    return next(kind for kind in _kinds() if kind.recognises(spec))


def open_targets(specs: Sequence[str], options: Options) -> list[Target]:
    """All targets, those of one project together. Raises ``UsageError`` for one that cannot be read."""
    groups: dict[ModuleType, list[str]] = {}
    for spec in dict.fromkeys(specs):
        groups.setdefault(kind_of(spec), []).append(spec)
    targets = [target for kind, group in groups.items() for target in kind.open_all(group, options)]
    return sorted(targets, key=lambda target: list(specs).index(target.specs[0]) if target.specs[0] in specs else 0)
