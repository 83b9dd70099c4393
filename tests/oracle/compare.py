"""What the tool says of a call against what the operator received there, under the same inputs.

The values are read where the evaluator keeps them, as decision diagrams over subjects; a subject is evaluated by its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from fia_lint.algebra.diagram import Diagram
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Extremum, Kind, Linear, Subject, Term, Unknown
from tests.oracle.execute import Frame, Received
from tests.oracle.inputs import Environment, NotComparable, root
from tests.oracle.stub import UNBOUNDED, Tensor

if TYPE_CHECKING:
    from fia_lint.evaluate.sites import Evaluation, Record, Site

ARGUMENTS = ("pre_tokens", "next_tokens", "sparse_mode", "atten_mask")
OPAQUE = object()
UNKNOWN = object()


@dataclass(frozen=True)
class Problem:
    """Something that the tool says and that is not so. ``kind`` is ``value``, ``no record`` or ``no path``."""

    kind: str
    path: str
    line: int
    argument: str
    said: str
    received: str

    def __str__(self) -> str:
        what = f"{self.argument} is said to be {self.said}, received was {self.received}" if self.argument else self.said
        return f"{self.path}:{self.line}: {self.kind}: {what}"


@dataclass
class Tally:
    """The count of a comparison; ``determined`` are the arguments of calls that the program determines."""

    calls: int = 0
    compared: int = 0
    determined: int = 0
    known: int = 0
    unknown: int = 0
    opaque: int = 0
    unseen: int = 0
    problems: list[Problem] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for name in ("calls", "compared", "determined", "known", "unknown", "opaque", "unseen"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.problems += other.problems
        self.reasons.update(other.reasons)
        self.texts.update(other.texts)

    @property
    def share(self) -> float:
        """The share of determined arguments whose value the tool does not tell."""
        return (self.unknown + self.opaque + self.unseen) / max(self.determined, 1)


def subject_value(subject: Subject, environment: Environment) -> object:
    """The value of a subject in a run. Raises NotComparable."""
    if subject.kind is Kind.WINDOW:
        return environment.window()
    if subject.kind is Kind.OPAQUE and " or " in subject.text:
        raise NotComparable(subject.text)  # of masks this means one of several, not the operator
    return environment.evaluate(subject.text)


def _in_region(value: object) -> object:
    if isinstance(value, Enum):
        return Named(f"{type(value).__name__}.{value.name}")
    return Named(repr(value)) if isinstance(value, str) and value else value


def leaves(diagram: Diagram, environment: Environment) -> list[Term]:
    """The terms that the diagram can have under the inputs: one, unless they do not decide every test."""
    found: list[Term] = []
    pending, seen = [diagram], set()
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if item.subject is None:
            found.append(item.term)
            continue
        try:
            value = _in_region(subject_value(item.subject, environment))
        except NotComparable:
            pending += [child for _, child in item.edges]
        else:
            pending += [child for region, child in item.edges if value in region]
    return found


def term_value(term: Term, environment: Environment) -> object:
    """What a term is under the inputs: a value, ``OPAQUE`` or ``UNKNOWN``."""
    if isinstance(term, Unknown):
        return UNKNOWN
    if isinstance(term, Const):
        return term.value
    try:
        if isinstance(term, Linear):
            if term.symbol is not None:
                return subject_value(term.symbol, environment)
            parts = ((factor, subject_value(subject, environment)) for subject, factor in term.parts)
            return term.constant + sum(factor * value for factor, value in parts)  # type: ignore[operator]
        if isinstance(term, Extremum):
            values = [term_value(inner, environment) for inner in term.terms]
            return (min if term.name == "min" else max)(values)  # type: ignore[type-var]
    except (NotComparable, TypeError):
        return OPAQUE
    return OPAQUE


def normal(value: object) -> object:
    """A value as the comparison sees it: unbounded is one value, a view of a tensor is the tensor."""
    if isinstance(value, Tensor):
        return root(value)
    if isinstance(value, int):
        return min(int(value), UNBOUNDED)
    return str(value) if isinstance(value, Named) else value


def evaluated(diagram: Diagram, environment: Environment) -> tuple[list[object], list[Term]]:
    """The possible values of an argument, and the terms behind them."""
    terms = leaves(diagram, environment)
    return [v if (v := term_value(t, environment)) in (OPAQUE, UNKNOWN) else normal(v) for t in terms], terms


def _fits(record: Record, site: Site, received: Received) -> bool:
    """Whether this is the record of the way in which the call was reached: the same entry, the same class.

    What the module's own code was evaluated for (no entry) is about every call of the functions that it leaves behind.
    """
    if not record.entry:
        return True
    function = record.entry.rpartition(".")[2]
    frames = [frame for frame in received.stack if frame.function == function]
    if not frames:
        return False
    name = record.cls.partition(":")[2].rpartition(".")[2]
    return site.role == "update" or not name or any(frame.owner in ("", name) for frame in frames)


def judge(evaluation: Evaluation, received: Received, environment: Environment, doubtful: Mapping[Any, frozenset[str]]) -> Tally:
    """Hold one call of the operator against all sites that it went through, and count what is told of it."""
    tally = Tally(calls=1)
    told = told_of(evaluation, received, environment, tally)
    marked = [frame for frame in received.stack if (frame.path, frame.line) in doubtful]
    for name in ARGUMENTS:
        if all(name in doubtful[frame.path, frame.line] for frame in marked):
            continue
        tally.determined += 1
        _count(name, told[name], marked, tally)
    return tally


def told_of(evaluation: Evaluation, received: Received, environment: Environment, tally: Tally) -> dict[str, set[str]]:
    """What is told of each argument at some site that the call went through: ``known``, or why not. Problems go to the tally."""
    told: dict[str, set[str]] = {name: set() for name in ARGUMENTS}
    for site in evaluation.sites:
        if received.frame(site.key.path, site.key.span.line) is not None:
            _at_site(site, received, environment, tally, told)
    return told


def _count(name: str, told: set[str], marked: list[Frame], tally: Tally) -> None:
    if "known" in told:
        tally.known += 1
    elif not told:
        tally.unseen += 1
        tally.reasons["the call is not found"] += 1
    elif any(word.startswith("unknown") for word in told):
        tally.unknown += 1
        tally.reasons[min(word for word in told if word.startswith("unknown"))[8:]] += 1
    else:
        tally.opaque += 1
        tally.texts[min(told)] += 1


def _at_site(site: Site, received: Received, environment: Environment, tally: Tally, told: dict[str, set[str]]) -> None:
    path, line = site.key.path, site.key.span.line
    records = [record for record in site.records if _fits(record, site, received)]
    if not records:
        entries = ", ".join(sorted({record.entry for record in site.records})) or "none"
        way = " < ".join(f"{frame.owner}.{frame.function}" for frame in received.stack)
        tally.problems.append(Problem("no record", path, line, "", f"records are of {entries}", way))
        return
    possible = [r for r in records if any(t == Const(True) for t in leaves(r.path, environment))]
    if not possible:
        tally.problems.append(Problem("no path", path, line, "", f"no path holds among {[r.path for r in records]}", ""))
        return
    for name in ARGUMENTS:
        wanted = normal(received.values[name])
        values, terms = [], []
        for record in possible:
            more, behind = evaluated(record.values[name], environment)
            values += more
            terms += behind
        _hold(site, name, wanted, values, terms, tally, told[name])


def _hold(
    site: Site, name: str, wanted: object, values: list[object], terms: list[Term], tally: Tally, told: set[str]
) -> None:
    tally.compared += 1
    for value, term in zip(values, terms, strict=True):
        if value is UNKNOWN:
            told.add(f"unknown {term.reason}")  # type: ignore[attr-defined]
        elif value is OPAQUE:
            told.add(f"opaque {term}")
    if UNKNOWN in values or OPAQUE in values:
        return
    if wanted in values and all(type(value) is type(wanted) for value in values if value == wanted):
        told.add("known" if len(set(map(repr, values))) == 1 else f"opaque one of {sorted(set(map(str, terms)))}")
    else:
        said = " or ".join(sorted({f"{term} = {value!r}" for term, value in zip(terms, values, strict=True)}))
        tally.problems.append(Problem("value", site.key.path, site.key.span.line, name, said, repr(wanted)))
