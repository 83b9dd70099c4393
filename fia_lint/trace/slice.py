"""The state of a trace: the steps found so far, what has been looked at, the bounds."""

from __future__ import annotations

from abc import ABC, abstractmethod

from fia_lint.evaluate.definitions import Module
from fia_lint.evaluate.sites import Place
from fia_lint.extract import ir
from fia_lint.spans import Span
from fia_lint.trace.definitions import Definition, Guards
from fia_lint.trace.resolve import Frame, Resolver
from fia_lint.trace.steps import MAX_DEPTH, MAX_TEXT, MAX_VISITS, WHOLE, Step, Want


class Slice(ABC):
    """A backward walk from an expression: everything that its value may have passed through, sources first.

    A step is added when what it gets its value from has been gone through, so that the steps read from the source of the
    value to the place where it is used.
    """

    def __init__(self, resolver: Resolver, tensor: bool = False) -> None:
        """``tensor``: the value is a mask. Which tensor it is matters, and whether it is None, not what is in it."""
        self.resolver = resolver
        self.tensor = tensor
        self.code = resolver.code
        self.steps: dict[tuple[str, Place], Step] = {}
        self._seen: set[tuple[object, ...]] = set()
        self._depth = 0
        self._visits = 0
        self._cut = False

    @abstractmethod
    def value(self, expr: ir.Expr, frame: Frame, want: Want = WHOLE) -> None:
        """Go through what the wanted part of an expression's value comes from."""

    @abstractmethod
    def definition(self, made: Definition, frame: Frame, want: Want, passed: Guards) -> None:
        """Go through a definition. ``passed`` are the tests that stand around its use too."""

    def emit(self, kind: str, frame: Frame, span: Span, name: str = "", text: str = "", index: str = "") -> None:
        """Add a step, unless the same is there already."""
        place = Place(frame.module.path, span, frame.symbol)
        key = f"{kind} {name}" if kind == "test" else ""
        self.steps.setdefault((key, place), Step(kind, place, name, text, index))

    def enter(self, *what: object) -> bool:
        """Whether to look at something: not twice, and not beyond the bounds. ``leave`` ends it."""
        if what in self._seen:
            return False
        self._seen.add(what)
        self._visits += 1
        self._depth += 1
        return True

    def leave(self) -> None:
        self._depth -= 1

    def exhausted(self, frame: Frame, span: Span) -> bool:
        """Whether a bound is reached; the first time that something is left out, a step says so."""
        if self._depth <= MAX_DEPTH and self._visits <= MAX_VISITS:
            return False
        if not self._cut:
            self._cut = True
            self.emit("bound", frame, span)
        return True

    @staticmethod
    def text(item: ir.Expr | None, module: Module) -> str:
        """The source of an expression, in one line."""
        return "" if item is None else one_line(module.text(item.span))


def one_line(source: str) -> str:
    """Source text in one line: no blanks inside brackets that were broken over lines, and not without end."""
    text = ""
    for line in source.split("\n"):
        part = line.strip()
        tight = not text or text[-1] in "([{" or part[:1] in tuple(")]}")
        text += part if tight else f" {part}"
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
