"""Terms that the evaluation needs on the way: objects, functions, modules. None of them reaches the judge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, ite, leaf, permanent_leaf
from fia_lint.algebra.terms import Const, Kind, Linear, Named, Subject, Term, Unknown, symbol

if TYPE_CHECKING:
    from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo


@dataclass(frozen=True)
class Ref(Term):
    """A mutable or structured object: a key of the heap. ``kind`` is tuple, list, dict, set or instance."""

    address: int
    kind: str

    @property
    def order(self) -> tuple[object, ...]:
        return ("Ref", self.address)

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class FunctionValue(Term):
    """A function or lambda; ``frame`` is that of the enclosing function, for a closure."""

    function: FunctionInfo
    frame: int | None = None
    defaults: tuple[tuple[str, Diagram], ...] = ()

    def __str__(self) -> str:
        return self.function.qualname

    @property
    def order(self) -> tuple[object, ...]:
        return ("FunctionValue", self.function.module.path, self.function.span, self.frame or 0)


@dataclass(frozen=True)
class BoundMethod(Term):
    """A method with the object (or class) that it was read from."""

    function: FunctionInfo
    receiver: Diagram

    def __str__(self) -> str:
        return self.function.qualname

    @property
    def order(self) -> tuple[object, ...]:
        return ("BoundMethod", self.function.module.path, self.function.span)


@dataclass(frozen=True)
class ClassValue(Term):
    cls: ClassInfo

    def __str__(self) -> str:
        return self.cls.name

    @property
    def order(self) -> tuple[object, ...]:
        return ("ClassValue", self.cls.module.path, self.cls.node.span)


@dataclass(frozen=True)
class SuperValue(Term):
    """``super()``: method resolution of the receiver's class, after ``after``."""

    receiver: Diagram
    cls: ClassInfo
    after: ClassInfo


@dataclass(frozen=True)
class ModuleValue(Term):
    """A module of the tree, by path."""

    path: str


@dataclass(frozen=True)
class Deferred(Term):
    """An imported name that nobody has asked for yet: ``from module import name`` in the file ``importer``."""

    importer: str
    module: str
    level: int
    name: str


@dataclass(frozen=True)
class External(Term):
    """Something outside the tree, by its dotted name (``torch.ops.npu``)."""

    dotted: str

    def __str__(self) -> str:
        return self.dotted


@dataclass(frozen=True)
class Builtin(Term):
    """A built-in function by name."""

    name: str


@dataclass(frozen=True)
class OperatorValue(Term):
    """An entry point of the catalogue; ``overload`` is ``default`` or ``out``."""

    name: str
    overload: str = "default"


@dataclass(frozen=True)
class PartialValue(Term):
    """``functools.partial``: a callee with leading positional and keyword arguments; with ``method``, ``partialmethod``."""

    func: Diagram
    args: tuple[Bound, ...]
    method: bool = False


@dataclass(frozen=True)
class MethodOf(Term):
    """A method of a built-in object (``d.update``) or of an unknown one (``m.to``)."""

    receiver: Diagram
    name: str


@dataclass(frozen=True)
class Element(Term):
    """What stands ``level`` subscripts or loops below the container ``name`` (an attribute or module-level name)."""

    name: str
    level: int
    serial: int
    #: What it is called, if it was read under a constant key.
    origin: Subject | None = field(default=None, compare=False)

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset() if self.origin is None else frozenset({self.origin})

    def __str__(self) -> str:
        return f"element of {self.name}"


@dataclass(frozen=True)
class Absent(Term):
    """A key that a dict does not have, an argument that is not written."""

    def __str__(self) -> str:
        return "absent"


@dataclass(frozen=True)
class Bound:
    """One evaluated argument of a call. ``star`` as in the syntax; ``source`` is the position in the call, or -1."""

    value: Diagram
    name: str | None = None
    star: str = ""
    source: int = -1


ABSENT = permanent_leaf(Absent())
NONE = permanent_leaf(Const(None))


@dataclass(frozen=True)
class Object:
    """The contents of a heap object.

    ``items`` of a tuple or list in order (None: unknown length); ``fields`` of a dict by constant key, or of an instance by
    attribute; ``rest`` is what any other key holds. ``cls`` is the class of an instance, ``None`` for a namespace.
    ``strays`` are what a dict holds under keys that are not known.
    """

    kind: str
    items: tuple[Diagram, ...] | None = None
    fields: dict[object, Diagram] = field(default_factory=dict)
    rest: Diagram = ABSENT
    cls: ClassInfo | None = None
    source: tuple[object, ...] = ()
    strays: tuple[Diagram, ...] = ()

    def with_field(self, key: object, value: Diagram) -> Object:
        return replace(self, fields={**self.fields, key: value})

    def get(self, key: object) -> Diagram:
        return self.fields.get(key, self.rest)


def number(value: object) -> int | float | None:
    """The number that the value of a constant is; None if it is none."""
    if isinstance(value, int):
        return int(value)
    if not isinstance(value, Named) or not value.text.lstrip("-")[:1].isdigit():
        return None
    try:
        return float(value.text)
    except ValueError:
        return None


def key_of(term: Term) -> object:
    """A dict key for a constant term: its value (strings as ``Named``), else None-like marker ``NotImplemented``."""
    if isinstance(term, Const):
        value = term.value
        found = number(value)
        if isinstance(found, float) and found.is_integer():
            return int(found)
        if isinstance(value, bool):
            return int(value)
        return ("None",) if value is None else value
    return NotImplemented


def text_constant(text: str) -> Const:
    """A string as a term."""
    return Const(Named(repr(text)))


def unknown(reason: str, path: str = "", line: int = 0) -> Diagram:
    """An unknown value with its reason."""
    return leaf(Unknown(reason, path, line))


PARAMETER = "parameter of a wrapper"
#: The entry of an evaluation that only finds out what a function's parameters reach.
PROBE = "probe"
RECURSION = "recursion is not followed"


class Serial:
    """Numbers for what has no other identity; the same in every run that evaluates the same tree."""

    last = 0

    @classmethod
    def next(cls) -> int:
        cls.last += 1
        return cls.last


def either(condition: Diagram, a: Diagram, b: Diagram) -> Diagram:
    """``a`` where the condition holds, else ``b``.

    Two results that are opaque anyway become one opaque result: which of them it is decides nothing that could be told.
    """
    if a is b:
        return a
    if a.is_leaf and b.is_leaf and condition is not TRUE and condition is not FALSE:
        if isinstance(a.term, Element) and isinstance(b.term, Element):
            if (a.term.name, a.term.level) == (b.term.name, b.term.level):
                return a
        left, right = _symbol_of(a), _symbol_of(b)
        if left is not None and right is not None and "opaque" in (left.key[0], right.key[0]):
            roots = {root(left), root(right)}
            known = {key for each in roots for key in known_in(each)}
            text = left.text if left.text == right.text else f"{left.text} or {right.text}"[:80]
            return leaf(
                symbol(
                    Subject(
                        ("opaque", "either", Serial.next(), *sorted(known, key=repr)),
                        text,
                        Kind.OPAQUE,
                        source=roots.pop() if len(roots) == 1 else None,
                    )
                )
            )
    return ite(condition, a, b)


def known_in(subject: Subject) -> tuple[object, ...]:
    """The keys of what is known among the values that a subject may be: its own, or those that ``either`` made one of."""
    if subject.key[0] != "opaque":
        return (subject.key,)
    return subject.key[3:] if subject.key[1] == "either" else ()


def _symbol_of(value: Diagram) -> Subject | None:
    term = value.term
    found = term.symbol if isinstance(term, Linear) else None
    return None if found is None or found.kind is Kind.WINDOW or found.key[0] in ("query", "param") else found


def root(subject: Subject) -> Subject:
    """What a view of something (``weak_ref(m)``) is a view of."""
    while subject.source is not None:
        subject = subject.source
    return subject
