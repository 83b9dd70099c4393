"""Forms of loops."""

from __future__ import annotations

from tests.oracle.forms import ANY, DOUBTFUL, NUMBERS, form
from tests.oracle.values import condition, some_kind, value
from tests.oracle.writer import Block


@form("loop.literal", ANY)
def literal(b: Block, kind: str, depth: int) -> str:
    """The last item that is taken."""
    name, item = b.program.fresh("v"), b.program.fresh("i")
    items = [value(b, kind, depth) for _ in range(b.program.number(2, 3))]
    left, right = b.program.pick(["()", "[]"])
    b.put(f"{name} = {value(b, kind, 0)}")
    inner = b.child(f"for {item} in {left}{', '.join(items)}{right}:")
    inner.child(f"if {condition(inner, 1)}:").put(f"{name} = {item}")
    return name


@form("loop.accumulate", NUMBERS)
def accumulate(b: Block, kind: str, depth: int) -> str:
    name, item = b.program.fresh("v"), b.program.fresh("i")
    b.put(f"{name} = {value(b, kind, depth)}")
    b.child(f"for {item} in ({value(b, kind, 0)}, {value(b, 'num', 0)}):").put(f"{name} += {item}")
    return name


@form("loop.break", ANY)
def breaks(b: Block, kind: str, depth: int) -> str:
    """The first item for which a test holds, else something else."""
    name, flag, item = b.program.fresh("v"), b.program.fresh("u"), b.program.fresh("i")
    pairs = [f"({condition(b, 1)}, {value(b, kind, depth)})" for _ in range(2)]
    inner = b.child(f"for {flag}, {item} in [{', '.join(pairs)}]:")
    inner.child(f"if {flag}:").put(f"{name} = {item}", "break")
    b.child("else:").put(f"{name} = {value(b, kind, 0)}")
    return name


@form("loop.continue", ANY)
def continues(b: Block, kind: str, depth: int) -> str:
    name, item = b.program.fresh("v"), b.program.fresh("i")
    b.put(f"{name} = {value(b, kind, depth)}")
    inner = b.child(f"for {item} in ({b.program.number(0, 2)}, {b.program.number(0, 2)}, 3):")
    inner.child(f"if {item} == {b.program.number(0, 2)} or {condition(inner, 1)}:").put("continue")
    inner.put(f"{name} = {value(b, kind, 0)}")
    return name


@form("loop.zip", ANY)
def zipped(b: Block, kind: str, depth: int) -> str:
    name, key, item = b.program.fresh("v"), b.program.fresh("k"), b.program.fresh("i")
    b.put(f"{name} = {value(b, kind, 0)}")
    inner = b.child(f'for {key}, {item} in zip(("a", "b"), ({value(b, kind, depth)}, {value(b, kind, 0)})):')
    inner.child(f'if {key} == "{b.program.pick("ab")}":').put(f"{name} = {item}")
    return name


@form("loop.enumerate", ANY)
def enumerated(b: Block, kind: str, depth: int) -> str:
    name, place, item = b.program.fresh("v"), b.program.fresh("k"), b.program.fresh("i")
    b.put(f"{name} = {value(b, kind, 0)}")
    start = b.program.pick(["", ", 1", ", start=1"])
    inner = b.child(f"for {place}, {item} in enumerate([{value(b, kind, depth)}, {value(b, kind, 0)}]{start}):")
    inner.child(f"if {place} == 1:").put(f"{name} = {item}")
    return name


@form("loop.items", ANY)
def items(b: Block, kind: str, depth: int) -> str:
    name, source = b.program.fresh("v"), b.program.fresh("d")
    key, item = b.program.fresh("k"), b.program.fresh("i")
    b.put(f'{source} = {{"a": {value(b, kind, depth)}, "b": {value(b, kind, 0)}}}')
    b.put(f"{name} = {value(b, kind, 0)}")
    inner = b.child(f"for {key}, {item} in {source}.items():")
    inner.child(f'if {key} {b.program.pick(["==", "!="])} "b":').put(f"{name} = {item}")
    return name


@form("loop.once", ANY)
def once(b: Block, kind: str, depth: int) -> str:
    """while True that is left at once, or a loop over one item."""
    name = b.program.fresh("v")
    inner = b.child(b.program.pick(["while True:", "for _ in (None,):"]), loop=True)
    inner.put(f"{name} = {value(inner, kind, depth)}")
    if b.program.chance(50):
        inner.child(f"if {condition(inner, 1)}:").put(f"{name} = {value(inner, kind, 0)}", "break")
        inner.put(f"{name} = {value(inner, kind, 0)}")
    inner.put("break")
    return name


@form("loop.unknown", NUMBERS, DOUBTFUL)
def unknown(b: Block, kind: str, depth: int) -> str:
    """How often the body runs is not in the source."""
    name = b.program.fresh("v")
    b.program.doubt()
    b.put(f"{name} = {value(b, kind, depth)}")
    inner = b.child(f"for _ in range({times(b)}):")
    inner.put(f"{name} = {name} + {value(inner, 'num', 0)}")
    return name


@form("loop.untouched", ANY)
def untouched(b: Block, kind: str, depth: int) -> str:
    """A loop of unknown length that does not concern the value."""
    name, other, item = b.program.fresh("v"), b.program.fresh("v"), b.program.fresh("i")
    b.put(f"{name} = {value(b, kind, depth)}", f"{other} = {value(b, some_kind(b), 0)}")
    b.child(f"for {item} in range({times(b)}):").put(f"{other} = {item}")
    return name


@form("loop.perhaps", ANY)
def perhaps(b: Block, kind: str, depth: int) -> str:
    """A body that runs any number of times, none included, and says what the value is when it does."""
    name = b.program.fresh("v")
    style = b.program.pick(["plain", "continue", "break", "test", "else"])
    b.put(f"{name} = {value(b, kind, depth)}")
    inner = b.child(f"for _ in range({times(b)}):")
    if style == "continue":
        inner.child(f"if {condition(inner, 1)}:").put("continue")
    arm = inner.child(f"if {condition(inner, 1)}:") if style in ("break", "test") else inner
    arm.put(f"{name} = {value(inner, kind, 0)}")
    if style == "break":
        arm.put("break")
    if style == "else":
        b.child("else:").put(f"{name} = {value(b, kind, 0)}")
    return name


@form("loop.while", ANY, DOUBTFUL)
def counted_down(b: Block, kind: str, depth: int) -> str:
    name, left = b.program.fresh("v"), b.program.fresh("c")
    b.program.doubt()
    b.put(f"{name} = {value(b, kind, depth)}", f"{left} = {times(b)}")
    inner = b.child(f"while {left} > 0:")
    inner.put(f"{left} -= 1", f"{name} = {value(inner, kind, 0)}")
    return name


def times(b: Block) -> str:
    """A number of turns that is not in the source."""
    candidates = b.candidates("int")
    return f"abs({b.use(b.program.pick(candidates), tested=True)} % 4)" if candidates else "2"
