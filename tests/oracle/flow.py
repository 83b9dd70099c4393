"""Statements in any nesting: what two names are after branches, loops, exceptions and early exits around each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.oracle.branches import under
from tests.oracle.forms import NUMBERS, form
from tests.oracle.loops import times
from tests.oracle.values import condition, literal
from tests.oracle.writer import Block


@dataclass(frozen=True)
class Place:
    """Where a statement stands: how deep it may nest, in a loop or not, in a function of its own or not."""

    depth: int
    in_loop: bool = False
    in_function: bool = False
    in_try: bool = False


@form("flow.mixed", NUMBERS)
def mixed(b: Block, kind: str, depth: int) -> str:
    """Any statements, in the function itself."""
    names = _start(b)
    _statements(b, names, Place(3))
    return names[0]


@form("flow.function", NUMBERS)
def in_a_function(b: Block, kind: str, depth: int) -> str:
    """The same in a nested function, which may return in the middle of it."""
    function = b.program.fresh("inner_")
    body = b.child(f"def {function}():", loop=False)
    names = _start(body)
    _statements(body, names, Place(3, in_function=True))
    body.put(f"return {names[0]}")
    return f"{function}()"


def _start(b: Block) -> tuple[str, str]:
    b.program.doubt()
    names = b.program.fresh("v"), b.program.fresh("v")
    b.put(*(f"{name} = {literal(b)}" for name in names))
    return names


def _statements(b: Block, names: tuple[str, str], place: Place) -> None:
    for _ in range(b.program.number(1, 3)):
        options = [_assign, _assign, *(_COMPOUND if place.depth else ()), *_exits(place)]
        b.program.pick(options)(b, names, replace(place, depth=place.depth - 1))


def _exits(place: Place) -> list[Callable[[Block, tuple[str, str], Place], None]]:
    return [
        *([_jump] if place.in_loop else []),
        *([_return] if place.in_function else []),
        *([_raise] if place.in_try else []),
    ]


def _assign(b: Block, names: tuple[str, str], place: Place) -> None:
    name, other = names if b.program.chance(70) else names[::-1]
    values = [f"{name} = {literal(b)}", f"{name} = {other}", f"{name} += {literal(b)}", f"{name}, {other} = {other}, {name}"]
    b.put(b.program.pick(values))


def _jump(b: Block, names: tuple[str, str], place: Place) -> None:
    b.child(f"if {condition(b, 0)}:").put(b.program.pick(["break", "continue"]))


def _return(b: Block, names: tuple[str, str], place: Place) -> None:
    b.child(f"if {condition(b, 0)}:").put(f"return {b.program.pick(names)}")


def _raise(b: Block, names: tuple[str, str], place: Place) -> None:
    b.child(f"if {condition(b, 0)}:").put("raise RuntimeError")


def _if(b: Block, names: tuple[str, str], place: Place) -> None:
    first, second = condition(b, 0), condition(b, 0)
    _statements(b.child(f"if {first}:"), names, place)
    if b.program.chance(30):
        _statements(b.child(f"elif {second}:"), names, place)
    if b.program.chance(50):
        _statements(b.child("else:"), names, place)


def _for(b: Block, names: tuple[str, str], place: Place) -> None:
    item = b.program.fresh("i")
    over = b.program.pick([f"range({times(b)})", f"({literal(b)}, {literal(b)})", "range(2)", "[]"])
    inner = b.child(f"for {item} in {over}:", loop=True)
    if b.program.chance(40):
        inner.put(f"{names[0]} = {item}")
    _statements(inner, names, replace(place, in_loop=True))
    if b.program.chance(30):
        _statements(b.child("else:"), names, place)


def _while(b: Block, names: tuple[str, str], place: Place) -> None:
    left = b.program.fresh("c")
    b.put(f"{left} = {times(b)}")
    inner = b.child(f"while {left} > 0:", loop=True)
    inner.put(f"{left} -= 1")
    _statements(inner, names, replace(place, in_loop=True))


def _try(b: Block, names: tuple[str, str], place: Place) -> None:
    inner = b.child("try:")
    _statements(inner, names, replace(place, in_try=True))
    kind = b.program.number(0, 2)
    if kind:
        _statements(b.child("except RuntimeError:"), names, place)
    if kind == 2:
        _statements(b.child("else:"), names, place)
    if not kind or b.program.chance(40):
        b.child("finally:").put(f"{b.program.pick(names)} = {literal(b)}")


def _with(b: Block, names: tuple[str, str], place: Place) -> None:
    swallows = b.program.chance(50)
    b.module.want("import contextlib" if swallows else "import torch_npu")
    head = "contextlib.suppress(RuntimeError)" if swallows else "torch_npu.npu.stream(None)"
    _statements(b.child(f"with {head}:"), names, replace(place, in_try=place.in_try or swallows))


def _match(b: Block, names: tuple[str, str], place: Place) -> None:
    b.put(f"match {times(b)}:")
    arms = under(b)
    for pattern in ("0", "1 | 2", "_")[: b.program.number(1, 3)]:
        _statements(arms.child(f"case {pattern}:"), names, place)


_COMPOUND = (_if, _if, _for, _for, _while, _try, _with, _match)
