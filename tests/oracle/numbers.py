"""Forms of arithmetic, and of numbers that come out of something optional."""

from __future__ import annotations

from tests.oracle.forms import MOST, NUMBERS, OFTEN, form
from tests.oracle.values import atom, bind, literal, optional, value, window
from tests.oracle.writer import Block


def _factor(b: Block, kind: str, depth: int) -> str:
    """An operand of a product, a quotient, a power: mostly a number that the source tells."""
    return atom(b, "num", depth)


@form("arithmetic.plus_minus", NUMBERS, MOST)
def plus_minus(b: Block, kind: str, depth: int) -> str:
    left = atom(b, kind, depth)
    return f"{left} {b.program.pick('+-')} {atom(b, b.program.pick([kind, 'num']), depth - 1)}"


@form("arithmetic.times", NUMBERS)
def times(b: Block, kind: str, depth: int) -> str:
    return f"{atom(b, kind, depth)} * {b.program.pick(['2', '-1', '3', '0', '(1 + 1)'])}"


@form("arithmetic.floor_division", NUMBERS)
def floor_division(b: Block, kind: str, depth: int) -> str:
    return f"{_factor(b, kind, depth)} // {b.program.pick(['2', '-2', '3', '16'])}"


@form("arithmetic.modulo", NUMBERS)
def modulo(b: Block, kind: str, depth: int) -> str:
    return f"{_factor(b, kind, depth)} % {b.program.pick(['2', '-3', '5', '128'])}"


@form("arithmetic.power", NUMBERS)
def power(b: Block, kind: str, depth: int) -> str:
    of_two, square = f"2 ** {b.program.number(0, 12)}", f"{_factor(b, kind, 0)} ** 2"
    return b.program.pick([of_two, square, "2 ** 31 - 1", "-2 ** 2", "10 ** 3 - 1"])


@form("arithmetic.shift", NUMBERS)
def shift(b: Block, kind: str, depth: int) -> str:
    return f"{_factor(b, kind, depth)} {b.program.pick(['<<', '>>'])} {b.program.number(0, 4)}"


@form("arithmetic.bit_or", NUMBERS)
def bit_or(b: Block, kind: str, depth: int) -> str:
    return f"{_factor(b, kind, depth)} | {b.program.number(0, 9)}"


@form("arithmetic.minus", NUMBERS)
def minus(b: Block, kind: str, depth: int) -> str:
    return f"-{atom(b, kind, depth)}"


@form("arithmetic.int", NUMBERS)
def int_of(b: Block, kind: str, depth: int) -> str:
    if kind == "num":
        return f"int({value(b, 'num', depth)})"
    return f"int({value(b, b.program.pick(['int', 'bool']), depth)})"


@form("arithmetic.min_max", NUMBERS, OFTEN)
def extremum(b: Block, kind: str, depth: int) -> str:
    operands = [value(b, b.program.pick([kind, "num"]), depth) for _ in range(b.program.number(2, 3))]
    return f"{b.program.pick(['min', 'max'])}({', '.join(operands)})"


@form("arithmetic.abs", NUMBERS)
def absolute(b: Block, kind: str, depth: int) -> str:
    return f"abs({value(b, 'num', depth)})"


@form("arithmetic.bool", ("int",))
def of_bool(b: Block, kind: str, depth: int) -> str:
    """A boolean is a number."""
    flag = atom(b, "bool", depth)
    return b.program.pick([f"{literal(b)} + {flag}", f"bool({flag})", f"{flag} * 4", f"{literal(b)} - (not {flag})"])


@form("arithmetic.len", NUMBERS)
def length(b: Block, kind: str, depth: int) -> str:
    items = ", ".join(value(b, "num", 0) for _ in range(b.program.number(2, 4)))
    name = b.program.fresh("t")
    b.put(f"{name} = ({items})")
    return b.program.pick([f"len({name})", f"len({name} + (1,))", f"len({name}[1:])"])


@form("arithmetic.limits", NUMBERS)
def limits(b: Block, kind: str, depth: int) -> str:
    b.module.want("import sys")
    b.module.want("import torch")
    return b.program.pick(["torch.iinfo(torch.int32).max", "torch.iinfo(torch.int64).max", "sys.maxsize", "sys.maxsize - 1"])


def _subject(b: Block, depth: int) -> str:
    """Something that may be None: an input, or a computed one."""
    return bind(b, "opt", depth) if b.program.chance(60) else optional(b)


@form("optional.or", ("int",), OFTEN)
def falls_back(b: Block, kind: str, depth: int) -> str:
    subject = _subject(b, depth)
    return subject and f"({subject} or {literal(b)})"


@form("optional.conditional", ("int",), MOST)
def by_condition(b: Block, kind: str, depth: int) -> str:
    subject = _subject(b, depth)
    if not subject:
        return ""
    there, away = f"{subject}{b.program.pick(['', '', ' - 1', ' + 1', ' // 2'])}", value(b, "num", depth)
    return b.program.pick([f"({there} if {subject} is not None else {away})", f"({away} if {subject} is None else {there})"])


@form("optional.window_test", ("int",), MOST)
def by_window(b: Block, kind: str, depth: int) -> str:
    """The usual spelling of next_tokens."""
    subject = window(b)
    return subject and f"({literal(b)} if {subject} is not None else {value(b, 'int', depth)})"


@form("optional.assert", ("int",))
def asserted(b: Block, kind: str, depth: int) -> str:
    subject = optional(b)
    if not subject or not b.program.chance(50):
        return ""
    b.put(f"assert {subject} is not None")
    return f"{subject} {b.program.pick(['+', '-'])} {b.program.number(0, 2)}"


@form("optional.int", ("opt",), 5 * MOST)
def number(b: Block, kind: str, depth: int) -> str:
    return bind(b, b.program.pick(["int", "num"]), depth)


@form("optional.chosen", ("opt",), 5 * MOST)
def none_or_number(b: Block, kind: str, depth: int) -> str:
    return f"({value(b, 'int', depth)} if {value(b, 'bool', depth)} else None)"
