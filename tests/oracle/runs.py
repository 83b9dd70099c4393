"""Runs of a generated program under random inputs."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.oracle.execute import Loaded, Received, Watcher, watching
from tests.oracle.programs import Generated
from tests.oracle.stub import Tensor
from tests.oracle.writer import Parameter, Shape, Step

INTEGERS = (0, 1, 2, 3, 4, 5, 8, 64, 512, -1, 7, 2**31 - 1)
WINDOWS = (None, None, None, 1, 4, 8, 512, 512, 0, -1)


class Draw:
    """Random inputs of one run. There is one window in a run, whatever it is called."""

    def __init__(self, rng: random.Random, load: Callable[[str], Any]) -> None:
        self.rng = rng
        self.load = load
        self.window = rng.choice(WINDOWS)
        self.objects: dict[str, object] = {}

    def value(self, name: str, kind: str, shape: Shape | None = None) -> object:
        """A value for an input. What has one name has one value."""
        if kind == "window":
            return self.window
        key = shape.name if shape else name
        if key not in self.objects:
            self.objects[key] = self._shaped(shape) if shape else self._plain(name, kind)
        return self.objects[key]

    def _plain(self, name: str, kind: str) -> object:
        if kind in ("int", "num"):
            return self.rng.choice(INTEGERS)
        if kind == "opt":
            return self.rng.choice((None, *INTEGERS[:9]))
        if kind == "bool":
            return self.rng.random() < 0.5
        if kind == "mask":
            return self.rng.choice((None, Tensor(name), Tensor(name)))
        if kind == "text":
            return self.rng.choice("abc")
        if kind == "state":
            return self.rng.choice(list(self.load("pkg.states").State))
        return Tensor(name)

    def _shaped(self, shape: Shape) -> object:
        if shape.builder is not None:
            module, function, _ = shape.builder
            return getattr(self.load(f"pkg.{module}"), function)()
        return SimpleNamespace(**{name: self.value(name, kind) for name, kind in shape.attributes})


def run(generated: Generated, loaded: Loaded, scenario: list[Step], seed: int) -> tuple[list[Received], str]:
    """What the operator received in one run, and the error that ended it, if one did."""
    rng = random.Random(seed)
    with loaded.fresh() as (watcher, load):
        draw = Draw(rng, load)
        error = ""
        try:
            load("pkg.core")
            load("pkg.replay")
            made: dict[str, object] = {}
            for step in scenario:
                function = _function(generated, step, draw, made, watcher)
                arguments = [draw.value(item.name, item.kind, item.shape) for item in step.parameters]
                loaded.keep_globals(watcher)
                with watching(watcher):
                    function(*arguments)
        except Exception as caught:  # a program may fail: None - 1
            error = f"{type(caught).__name__}: {caught}"
    return watcher.received, error


def _function(
    generated: Generated, step: Step, draw: Draw, made: dict[str, object], watcher: Watcher
) -> Callable[..., object]:
    """What a step calls; an object that it needs is made, and changed by its setters now and then."""
    module = draw.load(f"pkg.{step.module}")
    if step.owner is None:
        found = module
        for part in step.function.split("."):
            found = getattr(found, part)
        return found  # type: ignore[return-value]
    if step.owner not in made:
        parameters: list[Parameter] = generated.constructors[step.owner]
        arguments = [draw.value(item.name, item.kind, item.shape) for item in parameters]
        with watching(watcher):
            made[step.owner] = getattr(module, step.owner)(*arguments)
        for name, kind in step.setters:
            if draw.rng.random() < 0.4:
                getattr(made[step.owner], name)(draw.value(f"set_{name}", kind))
    return getattr(made[step.owner], step.function)  # type: ignore[no-any-return]
