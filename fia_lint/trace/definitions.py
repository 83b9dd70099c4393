"""What gives a name its value, and the tests that stand around a statement."""

from __future__ import annotations

from dataclasses import dataclass, field

from fia_lint.extract import ir
from fia_lint.spans import Span
from fia_lint.trace.steps import WHOLE, Part, Want


@dataclass(eq=False, slots=True)
class Guard:
    """A test that decides whether a statement runs: ``holds`` tells which way. ``kind`` is ``if``, ``while``, ``for``,
    ``case``, ``except`` or ``exit`` (the other way leaves before this is reached)."""

    kind: str
    test: ir.Expr | None
    holds: bool
    span: Span
    statement: ir.Stmt


Guards = tuple[Guard, ...]


@dataclass(eq=False, slots=True)
class Definition:
    """A place where ``name`` (dotted, for an attribute) gets a value, or part of one.

    ``kind``: ``assign``, ``augment``, ``loop``, ``with``, ``walrus``, ``parameter``, ``import``, ``function``, ``class``,
    ``except``, ``case``; ``entry`` for whatever the name was where the code begins; and what only adds to a value:
    ``store`` (an item or key), ``change`` (a method that changes the object in place), ``delete``, ``hand`` (the object
    is passed to a call), ``extend`` (``a += b`` as its other names see it). ``value`` is the expression it comes from, ``want``
    what of that is taken, ``part`` what is stored to; ``item`` the lowered thing that does it.
    """

    kind: str
    name: str
    span: Span
    item: object
    value: ir.Expr | None = None
    want: Want = WHOLE
    part: Part | None = None
    guards: Guards = ()
    statement: ir.Stmt | None = None
    others: tuple[Definition, ...] = field(default=())

    @property
    def order(self) -> tuple[Span, str, str]:
        """Source order; what one place does in several ways has an order of its own, not one of chance."""
        return self.span, self.kind, self.name


#: The names that are known at a point, each with the definitions that may have given it its value there.
Env = dict[str, frozenset[Definition]]


def joined(envs: list[Env | None], entry: dict[str, Definition]) -> Env | None:
    """What is known where several ways meet; a way that defines nothing leaves a name what it was at the entry."""
    live = [env for env in envs if env is not None]
    if len(live) < 2:
        return live[0] if live else None
    first = live[0]
    if all(env is first for env in live):
        return first
    result = dict(first)
    for env in live[1:]:
        for name, found in env.items():
            known = result.get(name)
            if known is not found:
                result[name] = found | (known if known is not None else at_entry(name, entry))
        for name in result.keys() - env.keys():
            result[name] = result[name] | at_entry(name, entry)
    return result


def at_entry(name: str, entry: dict[str, Definition]) -> frozenset[Definition]:
    """The definition that stands for whatever a name was before."""
    if name not in entry:
        entry[name] = Definition("entry", name, Span(1, 1, 1, 1), None)
    return frozenset({entry[name]})
