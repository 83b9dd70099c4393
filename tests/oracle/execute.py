"""Running programs for real, in this process, with a stub of the operator.

Each call of the operator is noted with the stack of the program's own frames, and with what the inputs were when the run
began: that is what the conditions of the tool are about.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tests.oracle.stub import Tensor, modules


@dataclass(frozen=True)
class Frame:
    """A frame of the program: where it stands, and what it was called with."""

    path: str
    line: int
    function: str
    owner: str
    arguments: dict[str, object]
    local: dict[str, object]


@dataclass(frozen=True)
class Received:
    """What one call of the operator received. ``stack`` begins with the frame that called it."""

    operator: str
    overload: str
    values: dict[str, object]
    stack: tuple[Frame, ...]
    inputs: Inputs

    def frame(self, path: str, line: int) -> Frame | None:
        return next((frame for frame in self.stack if (frame.path, frame.line) == (path, line)), None)


class Frozen:
    """An object as it was at one moment."""

    def __init__(self, original: object, seen: dict[int, object]) -> None:
        self.__dict__["_original"] = original
        self.__dict__["_held"] = {name: freeze(item, seen) for name, item in vars(original).items()}

    def __getattr__(self, name: str) -> object:
        held = self.__dict__["_held"]
        return held[name] if name in held else getattr(self.__dict__["_original"], name)


def freeze(item: object, seen: dict[int, object] | None = None) -> object:
    """A copy of what can change: records, dicts, lists. Everything else is what it is."""
    seen = {} if seen is None else seen
    if id(item) in seen:
        return seen[id(item)]
    if isinstance(item, dict):
        seen[id(item)] = copy = {}
        copy.update({key: freeze(value, seen) for key, value in item.items()})
        return copy
    if isinstance(item, list):
        return [freeze(value, seen) for value in item]
    plain = isinstance(item, (type, types.ModuleType, Enum, Tensor)) or callable(item)
    return item if plain or not hasattr(item, "__dict__") else Frozen(item, seen)


def same(left: object, right: object) -> bool:
    """Whether two frozen things are equal."""
    if isinstance(left, Frozen) and isinstance(right, Frozen):
        return same(left.__dict__["_held"], right.__dict__["_held"])
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left is right or (type(left) is type(right) and left == right)


@dataclass
class Inputs:
    """What a run began with: arguments of the functions that it called from outside, frozen; those of all functions; globals."""

    entries: dict[str, object] = field(default_factory=dict)
    everywhere: dict[str, list[object]] = field(default_factory=dict)
    globals: dict[str, dict[str, object]] = field(default_factory=dict)


class Watcher:
    """A profile function that keeps the arguments of the program's frames."""

    def __init__(self, paths: set[str]) -> None:
        self.paths = paths
        self.inputs = Inputs()
        self.open: dict[int, dict[str, object]] = {}
        self.received: list[Received] = []
        self.depth = 0

    def __call__(self, frame: types.FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if code.co_filename not in self.paths or not code.co_flags & 2:  # no function
            return
        if event == "call":
            stars = bool(code.co_flags & 4) + bool(code.co_flags & 8)
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
            arguments = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
            if self.depth == 0:
                self.inputs.entries.update({name: freeze(value) for name, value in arguments.items()})
            for name, value in arguments.items():
                self.inputs.everywhere.setdefault(name, []).append(value)
            self.open[id(frame)] = arguments
            self.depth += 1
        elif event == "return":
            self.depth -= 1
            self.open.pop(id(frame), None)

    def note(self, operator: str, overload: str, values: dict[str, object]) -> None:
        stack: list[Frame] = []
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename in self.paths:
                stack.append(self._frame(frame))
            frame = frame.f_back
        inputs = Inputs(dict(self.inputs.entries), self.inputs.everywhere, self._steady_globals())
        self.received.append(Received(operator, overload, values, tuple(stack), inputs))

    def _steady_globals(self) -> dict[str, dict[str, object]]:
        """The globals that are now what they were when the run began: a text does not say which of two values it means.

        Nor does it say of which module the name is: one that changed in some module counts in none.
        """
        changed: set[str] = set()
        for path, before in self.inputs.globals.items():
            now = vars(sys.modules[module_name(path)])
            changed.update(key for key, value in before.items() if not same(value, freeze(now.get(key))))
        return {
            path: {key: value for key, value in before.items() if key not in changed}
            for path, before in self.inputs.globals.items()
        }

    def _frame(self, frame: types.FrameType) -> Frame:
        arguments = self.open.get(id(frame), {})
        first = arguments.get("self", arguments.get("cls"))
        owner = first.__name__ if isinstance(first, type) else type(first).__name__
        code = frame.f_code
        owner = owner if first is not None else ""
        return Frame(code.co_filename, frame.f_lineno, code.co_name, owner, arguments, dict(frame.f_locals))


class Loaded:
    """A program that can be imported again and again."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.code = {path: compile(source, path, "exec") for path, source in files.items() if path.endswith(".py")}
        self.names = {module_name(path): path for path in self.code}

    @contextlib.contextmanager
    def fresh(self) -> Iterator[tuple[Watcher, Callable[[str], Any]]]:
        """Import from scratch, watch, and put everything back. Gives the watcher and an import function."""
        watcher = Watcher(set(self.code))
        stubs = modules(watcher.note)
        tops = {name.partition(".")[0] for name in self.names}
        ours = [*stubs, *(name for name in sys.modules if name.partition(".")[0] in tops)]
        before = {name: sys.modules.pop(name) for name in ours if name in sys.modules}
        finder = _Finder(self)
        sys.meta_path.insert(0, finder)
        sys.modules.update(stubs)
        try:
            yield watcher, importlib.import_module
        finally:
            sys.meta_path.remove(finder)
            for name in [name for name in sys.modules if name in stubs or name.partition(".")[0] in tops]:
                del sys.modules[name]
            sys.modules.update(before)

    def keep_globals(self, watcher: Watcher) -> None:
        """Freeze the globals of all modules that are loaded."""
        for name, path in self.names.items():
            if name in sys.modules:
                kept = {
                    key: freeze(value) for key, value in vars(sys.modules[name]).items()
                    if not key.startswith("__") and not callable(value) and not isinstance(value, types.ModuleType)
                }  # fmt: skip
                watcher.inputs.globals[path] = kept


def module_name(path: str) -> str:
    name = path[: -len(".py")].replace("/", ".")
    return name[: -len(".__init__")] if name.endswith(".__init__") else name


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        file = self.loaded.names.get(name)
        if file is not None:
            return importlib.util.spec_from_loader(name, self, is_package=file.endswith("__init__.py"))
        if any(other.startswith(f"{name}.") for other in self.loaded.names):  # a folder without __init__
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        file = self.loaded.names.get(module.__name__)
        if file is not None:
            exec(self.loaded.code[file], vars(module))  # noqa: S102


@contextlib.contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Watch what the program does in this block."""
    before = sys.getprofile()
    watcher.depth = 0
    sys.setprofile(watcher)
    try:
        yield
    finally:
        sys.setprofile(before)
