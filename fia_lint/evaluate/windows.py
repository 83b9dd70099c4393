"""Which names are the sliding window, and what an assignment to such a name means."""

from __future__ import annotations

from collections.abc import Iterable

from fia_lint.algebra.diagram import Diagram, permanent_leaf
from fia_lint.algebra.terms import Const, Extremum, Kind, Linear, Subject, Term, symbol
from fia_lint.evaluate.values import Ref

#: All window symbols of a group are this one.
WINDOW = Subject(("window",), "sliding_window", Kind.WINDOW)
THE_WINDOW = permanent_leaf(symbol(WINDOW))

#: Arithmetic that is no sum: its result is known by its operands only.
_OPERATIONS = frozenset({"//", "/", "%", "*", "**", "<<", ">>", "int"})

_NOT_A_WINDOW = frozenset({"use", "is", "has", "enable", "disable", "no", "num", "max", "update", "get"})


class WindowNames:
    """The configured names. ``name in names`` tells whether the last part of a name makes it a window."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names)
        self._known: dict[str, bool] = {}

    def __contains__(self, name: str) -> bool:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._matches(name.lower())
        return found

    def _matches(self, name: str) -> bool:
        if any(word in _NOT_A_WINDOW for word in name.split("_")):
            return False
        return name in self._names or name.endswith(("_sliding_window", "_sliding_window_size"))


def is_raw(subject: Subject) -> bool:
    """Whether a subject is a parameter as such: what the callers pass for it is not looked at."""
    return subject.key[0] == "param"


def as_window(value: Diagram) -> Diagram:
    """What a window name holds after ``value`` was assigned to it.

    It is the window, whatever the value is, except for arithmetic on a window, one constant under every condition, and
    what is known to be a boolean or a tuple. A number that stands in for a missing window (``if window is None: window =
    LARGE``) is no window either: it counts where it stands.
    """
    terms = value.terms
    if THE_WINDOW.term in terms and all(term == THE_WINDOW.term or _stands_in(term) for term in terms):
        return value
    if len(terms) == 1 and isinstance(terms[0], Const):
        return value
    if any(_keeps(term) for term in terms):
        return value
    return THE_WINDOW


def _stands_in(term: Term) -> bool:
    return isinstance(term, Const) and type(term.value) is int and term.value > 0


def _keeps(term: Term) -> bool:
    if isinstance(term, Ref) or (isinstance(term, Const) and isinstance(term.value, bool)):
        return True
    if isinstance(term, Linear):
        if term.symbol is not None and term.symbol.key[:1] == ("pure",):
            return term.symbol.key[1] in _OPERATIONS and WINDOW in term.subjects
        if term.symbol is not None and term.symbol.kind is not Kind.OPAQUE:
            return is_raw(term.symbol)
        return any(s.kind is Kind.WINDOW or is_raw(s) for s in term.subjects) and _is_arithmetic(term)
    return isinstance(term, Extremum) and any(s.kind is Kind.WINDOW for s in term.subjects)


def _is_arithmetic(term: Linear) -> bool:
    return term.symbol is None or term.symbol.key[0] == "pure"
