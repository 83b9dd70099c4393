"""The inputs of a run by the names that the tool prints: evaluating the texts of subjects and conditions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

from tests.oracle.execute import Frozen, Received
from tests.oracle.stub import Tensor, modules

WINDOWS = re.compile(
    r"(?i)^(sliding_window|sliding_window_size|window_size|swa_window|swa_window_size|local_window|local_window_size"
    r"|attn_window|window|sw|.*_sliding_window|.*_sliding_window_size)$"
)
_SAFE = {
    "int": int, "min": min, "max": max, "abs": abs, "bool": bool, "len": len, "isinstance": isinstance, "str": str, "sum": sum,
    "getattr": getattr, "hasattr": hasattr, "tuple": tuple, "list": list, "dict": dict, "float": float, "range": range,
    "type": lambda item: type(item.__dict__["_original"]) if isinstance(item, Frozen) else type(item),
}  # fmt: skip
_METHODS = {"contiguous", "to", "unsqueeze", "view", "size", "get", "items", "keys", "values", "upper", "lower"}
_STUBS = modules(lambda *_: None)


class NotComparable(Exception):
    """The inputs do not say what this text stands for."""


def single_names(sources: Iterable[str]) -> frozenset[str]:
    """Local names that are assigned exactly once in a program, and not in a loop: they keep their value."""
    stores: Counter[str] = Counter()
    for source in sources:
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
                stores[node.id] += 1
            if isinstance(node, (ast.For, ast.While)):
                stores.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
                stores[node.name] += 2
    return frozenset(name for name, count in stores.items() if count == 1)


@lru_cache(maxsize=20_000)
def _compiled(text: str) -> Any:
    """The code of a text that can be evaluated again without changing anything, else None."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            harmless = called.id in _SAFE if isinstance(called, ast.Name) else getattr(called, "attr", "") in _METHODS
            if not harmless:
                return None
    return compile(tree, "<subject>", "eval")


class Environment:
    """What names meant when the operator was called in one run."""

    def __init__(self, received: Received, single: frozenset[str], window: str | None = None) -> None:
        self.received = received
        frames = [frame.arguments for frame in reversed(received.stack)]
        once = {name: values[0] for name, values in received.inputs.everywhere.items() if _one(values)}
        local = {name: value for frame in received.stack for name, value in frame.local.items() if name in single}
        everywhere: dict[str, object] = {}
        for module in received.inputs.globals.values():
            everywhere.update(module)
        # The first of these in which a text can be evaluated counts.
        self.spaces: list[Mapping[str, object]] = [received.inputs.entries, *frames, once, local, everywhere]
        self.window_name = window
        self.known: dict[str, object] = {}

    def evaluate(self, text: str) -> object:
        """The value of a text. Raises NotComparable."""
        if text not in self.known:
            self.known[text] = self._evaluate(text)
        value = self.known[text]
        if isinstance(value, NotComparable):
            raise value
        return value

    def _evaluate(self, text: str) -> object:
        code = _compiled(text)
        if code is None:
            return NotComparable(text)
        merged: dict[str, object] = {}
        for space in reversed(self.spaces):
            merged.update(space)
        for space in [*self.spaces, merged]:
            names = {**_STUBS, **_SAFE, **self._classes, "unbounded": 2**31 - 1, **space}
            try:
                return eval(code, {"__builtins__": {}}, _Names(names, self))  # noqa: S307
            except Exception:  # a name is missing here; an attribute, of an object that is not the one that is meant
                continue
        return self._attribute(text)

    def _attribute(self, text: str) -> object:
        """An attribute of an object that has another name here: attributes of one name are one thing to the tool."""
        name = text.rpartition(".")[2]
        if text.replace(".", "").isidentifier() and "." in text and not text.startswith("self."):
            found = [v.__dict__["_held"][name] for v in self.received.inputs.entries.values()
                     if isinstance(v, Frozen) and name in v.__dict__["_held"]]  # fmt: skip
            if found and _one(found):
                return found[0]
        return NotComparable(text)

    @cached_property
    def _classes(self) -> dict[str, object]:
        """Classes by name: those of enum members among the inputs, and that of self."""
        found: dict[str, object] = {}
        for value in self.received.inputs.entries.values():
            if isinstance(value, Frozen):
                found.update((cls.__name__, cls) for cls in type(value.__dict__["_original"]).__mro__)
        for frame in self.received.stack:
            for value in (*frame.local.values(), *self.received.inputs.entries.values()):
                for item in vars(value).values() if hasattr(value, "__dict__") else ():
                    for inner in item.values() if isinstance(item, dict) else (item,):
                        if isinstance(inner, Enum):
                            found[type(inner).__name__] = type(inner)
        return found

    def window(self) -> object:
        """The sliding window of the run, whatever it is called. Raises NotComparable if there are several, or none."""
        if self.window_name is not None:
            return self.evaluate(self.window_name)
        found: list[object] = []
        for value in self.received.inputs.entries.items():
            _collect(value, found)
        for frame in self.received.stack:
            for value in frame.arguments.items():
                _collect(value, found)
        for name, values in self.received.inputs.everywhere.items():
            if WINDOWS.match(name):
                found += values
        if not found or not _one(found):
            raise NotComparable("sliding_window")
        return found[0]


class _Names(dict[str, object]):
    """Names of one space; the window by its printed name."""

    def __init__(self, names: dict[str, object], environment: Environment) -> None:
        super().__init__(names)
        self.environment = environment

    def __missing__(self, name: str) -> object:
        if name == "sliding_window" and self.environment.window_name != name:
            return self.environment.window()
        raise KeyError(name)


def _collect(named: tuple[str, object], found: list[object]) -> None:
    name, value = named
    if WINDOWS.match(name) and not isinstance(value, Frozen):
        found.append(value)
    attributes = value.__dict__["_held"] if isinstance(value, Frozen) else {}
    found += [item for key, item in attributes.items() if WINDOWS.match(key) and not isinstance(item, Frozen)]


def _one(values: list[object]) -> bool:
    """Whether these are one value."""
    return all(value is values[0] or (type(value) is type(values[0]) and _equal(value, values[0])) for value in values)


def _equal(left: object, right: object) -> bool:
    try:
        return bool(left == right)
    except Exception:
        return False


def root(tensor: Tensor) -> str:
    """What a view is a view of."""
    return tensor.name.partition(".")[0]
