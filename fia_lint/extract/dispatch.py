"""One method per class of node: ``expr_Call`` for ``Call``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class Methods(dict[type, Callable[[Any], Any]]):
    """The methods of an object whose names begin with a prefix, by the class in ``module`` that each is for.

    A class that this version of the module does not have is left out; NotImplementedError for one without a method.
    """

    def __init__(self, owner: object, prefix: str, module: Any) -> None:
        names = [name.removeprefix(prefix) for name in dir(owner) if name.startswith(prefix)]
        super().__init__((getattr(module, name), getattr(owner, prefix + name)) for name in names if hasattr(module, name))

    def __missing__(self, kind: type) -> NoReturn:
        raise NotImplementedError(kind.__name__)
