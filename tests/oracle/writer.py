"""Programs under construction: modules, classes, inputs, and blocks of code that are written line by line."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

T = TypeVar("T")
INDENT = "    "


@dataclass(frozen=True)
class Known:
    """An expression that can be used where it stands: its text, the kind of its value.

    ``doubtful``: the source does not determine it, so that nobody may be blamed for not knowing it.
    """

    text: str
    kind: str
    doubtful: bool = False
    #: A parameter of an entry: where its value reaches a mask argument, the entry is a wrapper, and the value unknown in it.
    direct: bool = False


@dataclass
class Shape:
    """An object that is handed in: its attributes with their kinds. ``builder`` is the function of the tree that makes
    it, if only the tree may make it."""

    name: str
    attributes: list[tuple[str, str]] = field(default_factory=list)
    builder: tuple[str, str, list[tuple[str, str]]] | None = None


@dataclass
class Parameter:
    """An input: ``kind`` as in ``forms``, or ``tensor``, ``text``, ``state`` (an enum member), ``window``, or a shape."""

    name: str
    kind: str
    shape: Shape | None = None


@dataclass
class Step:
    """A call that the run makes: a function of a module, or a method of a class that is made for it (``owner``)."""

    module: str
    function: str
    parameters: list[Parameter]
    owner: str | None = None
    #: An attribute's setter to call before, now and then: its name and the kind of its argument.
    setters: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Module:
    """A module under construction, in the order in which its parts are written out."""

    name: str
    imports: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def want(self, line: str) -> None:
        """Import something, once."""
        if line not in self.imports:
            self.imports.append(line)

    def source(self) -> str:
        stars = [line for line in self.imports if line.endswith("*")]
        others = [line for line in self.imports if not line.endswith("*")]
        return "\n".join([*stars, *others, "", *self.constants, "", *self.body, ""])


@dataclass
class Class:
    """A class under construction. Its attributes can be asked for by ``kind``; constructor lines follow."""

    name: str
    module: str
    base: Class | None = None
    head: list[str] = field(default_factory=list)
    constructor: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    attributes: list[Known] = field(default_factory=list)
    setters: list[tuple[str, str]] = field(default_factory=list)

    def all_parameters(self) -> list[Parameter]:
        return [*(self.base.all_parameters() if self.base else []), *self.parameters]

    def all_attributes(self) -> list[Known]:
        return [*(self.base.all_attributes() if self.base else []), *self.attributes]

    def all_setters(self) -> list[tuple[str, str]]:
        return [*(self.base.all_setters() if self.base else []), *self.setters]


class Program:
    """A program under construction, and the source of its random choices."""

    def __init__(self, rng: random.Random, size: int = 45) -> None:
        self.rng = rng
        self.size = size
        self.modules: dict[str, Module] = {}
        self.classes: list[Class] = []
        self.scenarios: list[list[Step]] = []
        self.counts: Counter[str] = Counter()
        self.lines = 0
        self.end = size
        self.doubts = 0
        self.sites: dict[int, frozenset[str]] = {}
        self.flags: set[str] = set()
        self._names: Counter[str] = Counter()

    # choices ------------------------------------------------------------------------------------

    def pick(self, options: Sequence[T]) -> T:
        return options[self.rng.randrange(len(options))]

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def number(self, low: int, high: int) -> int:
        return self.rng.randrange(low, high + 1)

    def weighted(self, options: Sequence[T], weights: Sequence[int]) -> T:
        point = self.rng.randrange(sum(weights))
        for option, weight in zip(options, weights, strict=True):
            point -= weight
            if point < 0:
                return option
        raise AssertionError("weights do not add up")

    # bookkeeping --------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        """A name that stands for one thing in the whole program."""
        self._names["all"] += 1
        return f"{prefix}{self._names['all']}"

    def count(self, name: str) -> None:
        self.counts[name] += 1

    def doubt(self, name: str | None = None) -> None:
        """What is being written cannot be determined from the source."""
        self.doubts += 1
        if name:
            self.count(name)

    def module(self, name: str) -> Module:
        return self.modules.setdefault(name, Module(name))

    def part(self) -> None:
        """A new part of the program begins: it may grow to ``size`` lines (what has begun is finished)."""
        self.end = self.lines + self.size

    @property
    def full(self) -> bool:
        return self.lines > self.end


class Block:
    """A place in a function body where statements are written, with what can be used there."""

    def __init__(
        self,
        program: Program,
        module: Module,
        known: list[Known],
        *,
        owner: Class | None = None,
        shapes: list[tuple[str, Shape]] | None = None,
        lines: list[str] | None = None,
        indent: int = 1,
        loop: bool = False,
    ) -> None:
        self.program = program
        self.module = module
        self.known = known
        self.owner = owner
        self.shapes = shapes or []
        self.lines = [] if lines is None else lines
        self.indent = indent
        self.loop = loop

    def put(self, *lines: str) -> None:
        for line in lines:
            self.lines.append(INDENT * self.indent + line)
            self.program.lines += 1

    def child(self, header: str, **changes: object) -> Block:
        """Write a header and give the block under it; what it comes to know ends with it."""
        self.put(header)
        inner = Block(
            self.program, self.module, list(self.known), owner=self.owner, shapes=list(self.shapes),
            lines=self.lines, indent=self.indent + 1, loop=self.loop,
        )  # fmt: skip
        for name, value in changes.items():
            setattr(inner, name, value)
        return inner

    def learn(self, text: str, kind: str, doubts_before: int | None = None) -> str:
        """From here on ``text`` can be used; it is doubtful if doubts arose since ``doubts_before``."""
        doubtful = doubts_before is not None and self.program.doubts > doubts_before
        self.known.append(Known(text, kind, doubtful))
        return text

    def use(self, known: Known, tested: bool = False) -> str:
        if known.doubtful or (known.direct and not tested):
            self.program.doubt()
        return known.text

    def candidates(self, *kinds: str) -> list[Known]:
        found = [item for item in self.known if item.kind in kinds]
        if self.owner is not None:
            found += [replace(item, text=f"self.{item.text}") for item in self.owner.all_attributes() if item.kind in kinds]
        return found

    def shape(self) -> tuple[str, Shape] | None:
        """An object that was handed in and may get more attributes."""
        growing = [(text, shape) for text, shape in self.shapes if shape.builder is None]
        return self.program.pick(growing) if growing else None
