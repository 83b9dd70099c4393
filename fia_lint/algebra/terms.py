"""Subjects and terms: what is tested, and what a value can be once every test has been decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from fia_lint.algebra.region import Named


class Kind(IntEnum):
    """What a subject is about. The order is that of the diagrams, and the reverse of the order of forgetting."""

    WINDOW = 0  #: the sliding window of the group
    LAYER = 1  #: an attribute of self that only __init__ assigns
    SELF = 2  #: another attribute of self
    ATTRIBUTE = 3  #: an attribute of another object
    LOCAL = 4  #: a parameter, a local name, a module-level name
    OPAQUE = 5  #: the result of a call or of another expression that is not followed


@dataclass(frozen=True)
class Subject:
    """Something whose value is not known: it can be tested, and it can stand in a term.

    ``key`` is its identity: two subjects with one key are one thing. ``text`` is how the source
    writes it. ``mentions`` are the subjects inside an opaque expression; ``source`` is the subject
    that this one is a view of (``weak_ref(m)`` of ``m``), so that one is None when the other is.
    """

    key: tuple[object, ...]
    text: str = field(compare=False, repr=False)
    kind: Kind = field(compare=False, repr=False)
    mentions: frozenset[Subject] = field(default=frozenset(), compare=False, repr=False)
    source: Subject | None = field(default=None, compare=False, repr=False)

    @cached_property
    def order(self) -> tuple[object, ...]:
        return (int(self.kind), repr(self.key))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Term:
    """A leaf of a value: one thing, whatever the conditions."""

    @property
    def subjects(self) -> frozenset[Subject]:
        """The subjects that stand in this term, also inside an opaque one."""
        return frozenset()

    def bind(self, subject: Subject, value: object) -> Term:
        """This term where ``subject`` is the constant ``value``."""
        return self

    @property
    def order(self) -> tuple[object, ...]:
        return (type(self).__name__, str(self))


@dataclass(frozen=True, eq=False)
class Const(Term):
    """None, a boolean, an integer, or a named constant (a string, an enum member)."""

    value: object

    def __eq__(self, other: object) -> bool:
        return type(other) is Const and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Linear(Term):
    """``constant + sum(factor * subject)``, with at least one subject. A plain symbol is ``0 + 1 * subject``."""

    constant: int
    parts: tuple[tuple[Subject, int], ...]

    @property
    def subjects(self) -> frozenset[Subject]:
        found = {subject for subject, _ in self.parts}
        for subject, _ in self.parts:
            found |= subject.mentions
        return frozenset(found)

    def bind(self, subject: Subject, value: object) -> Term:
        if not any(part == subject for part, _ in self.parts):
            return self
        if self.symbol is not None:
            return Const(value)
        if not isinstance(value, int):
            return self
        constant = self.constant + sum(factor * int(value) for part, factor in self.parts if part == subject)
        return linear(constant, ((part, factor) for part, factor in self.parts if part != subject))

    @property
    def symbol(self) -> Subject | None:
        """The subject, if this term is nothing but that."""
        if self.constant == 0 and len(self.parts) == 1 and self.parts[0][1] == 1:
            return self.parts[0][0]
        return None

    @cached_property
    def order(self) -> tuple[object, ...]:
        # Two subjects may have one text: the text alone would leave their order to chance.
        return ("Linear", str(self), tuple((subject.order, factor) for subject, factor in self.parts))

    def __str__(self) -> str:
        if self.symbol is not None:
            return self.symbol.text
        text = ""
        for subject, factor in self.parts:
            name = subject.text if subject.text.replace("_", "").replace(".", "").isalnum() else f"({subject.text})"
            size = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
            text += (f" {'-' if factor < 0 else '+'} " if text else "-" if factor < 0 else "") + size
        if self.constant:
            text += f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}"
        return text


@dataclass(frozen=True)
class Extremum(Term):
    """The smallest or the largest (``name`` is ``min`` or ``max``) of several terms."""

    name: str
    terms: tuple[Term, ...]

    @property
    def subjects(self) -> frozenset[Subject]:
        return frozenset().union(*(term.subjects for term in self.terms))

    def bind(self, subject: Subject, value: object) -> Term:
        if subject not in self.subjects or not isinstance(value, int):
            return self
        return extremum(self.name, (term.bind(subject, value) for term in self.terms))

    @property
    def order(self) -> tuple[object, ...]:
        return ("Extremum", self.name, tuple(term.order for term in self.terms))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.terms))})"


@dataclass(frozen=True)
class Unknown(Term):
    """A value that could not be determined: why, and where knowledge ended (a path and a 1-based line, if there is one)."""

    reason: str
    path: str = ""
    line: int = 0

    def __str__(self) -> str:
        return "unknown"

    @property
    def order(self) -> tuple[object, ...]:
        return ("Unknown", self.reason, self.path, self.line)


def symbol(subject: Subject) -> Term:
    """The value of ``subject`` itself."""
    return Linear(0, ((subject, 1),))


def linear(constant: int, parts: Iterable[tuple[Subject, int]]) -> Term:
    """The normal form of a sum: parts of one subject added up, zeros dropped, in a fixed order."""
    factors: dict[Subject, int] = {}
    for subject, factor in parts:
        factors[subject] = factors.get(subject, 0) + factor
    kept = tuple((s, factors[s]) for s in sorted(factors, key=lambda s: s.order) if factors[s])
    return Linear(constant, kept) if kept else Const(constant)


def as_linear(term: Term) -> tuple[int, tuple[tuple[Subject, int], ...]] | None:
    """``(constant, parts)`` of a term that is a number, else None. Booleans count as 0 and 1."""
    if isinstance(term, Linear):
        return term.constant, term.parts
    if isinstance(term, Const) and isinstance(term.value, int):
        return int(term.value), ()
    return None


def add(a: Term, b: Term, sign: int = 1) -> Term | None:
    """``a + sign * b`` in normal form, or None where one of them is no sum."""
    left, right = as_linear(a), as_linear(b)
    if left is None or right is None:
        return None
    return linear(left[0] + sign * right[0], (*left[1], *((s, sign * f) for s, f in right[1])))


def scale(a: Term, factor: int) -> Term | None:
    """``factor * a`` in normal form, or None where ``a`` is no sum."""
    form = as_linear(a)
    return None if form is None else linear(form[0] * factor, ((s, f * factor) for s, f in form[1]))


def difference(a: Term, b: Term) -> int | None:
    """``a - b`` where that is a constant, else None."""
    result = add(a, b, -1)
    return result.value if isinstance(result, Const) and isinstance(result.value, int) else None


def extremum(name: str, terms: Iterable[Term]) -> Term:
    """The normal form of ``min(...)`` or ``max(...)``: flattened, of two that differ by a constant only one kept."""
    kept: list[Term] = []
    flat = [t for term in terms for t in (term.terms if isinstance(term, Extremum) and term.name == name else (term,))]
    for term in flat:
        for other in list(kept):
            gap = difference(term, other)
            if gap is None and term != other:
                continue
            if gap and (gap < 0) == (name == "min"):
                kept.remove(other)
            else:
                break
        else:
            kept.append(term)
    if len(kept) == 1:
        return kept[0]
    return Extremum(name, tuple(sorted(kept, key=lambda t: t.order)))


__all__ = [
    "Const", "Extremum", "Kind", "Linear", "Named", "Subject", "Term", "Unknown",
    "add", "as_linear", "difference", "extremum", "linear", "scale", "symbol",
]  # fmt: skip
