"""Forms of conditions."""

from __future__ import annotations

from tests.oracle.forms import DOUBTFUL, MOST, OFTEN, form
from tests.oracle.values import atom, attribute, condition, literal, optional, small, value, window
from tests.oracle.writer import Block

TEXTS = ("a", "b", "c")
STATES = ("State.PREFILL", "State.DECODE", "State.MIXED")


def number(b: Block) -> str:
    """An input that is a number, or a computed one."""
    found = [k for k in b.candidates("int")]
    if found and b.program.chance(60):
        return b.use(b.program.pick(found), tested=True)
    return attribute(b, "int") or (b.use(b.program.pick(found), tested=True) if found else "")


@form("test.is_none", ("bool",), MOST)
def is_none(b: Block, kind: str, depth: int) -> str:
    subject = optional(b, tested=True)
    return subject and f"{subject} {b.program.pick(['is', 'is not'])} None"


@form("test.mask_is_none", ("bool",))
def mask_is_none(b: Block, kind: str, depth: int) -> str:
    subject = attribute(b, "mask")
    return subject and f"{subject} {b.program.pick(['is', 'is not'])} None"


@form("test.equality", ("bool",), OFTEN)
def equality(b: Block, kind: str, depth: int) -> str:
    subject = number(b) if b.program.chance(70) else optional(b, tested=True)
    return subject and f"{subject} {b.program.pick(['==', '!='])} {small(b)}"


@form("test.order", ("bool",), OFTEN)
def order(b: Block, kind: str, depth: int) -> str:
    subject, sign = number(b), b.program.pick(["<", "<=", ">", ">="])
    if not subject:
        return ""
    return f"{subject} {sign} {small(b)}" if b.program.chance(75) else f"{small(b)} {sign} {subject}"


@form("test.chained", ("bool",))
def chained(b: Block, kind: str, depth: int) -> str:
    subject = number(b)
    return subject and f"{small(b)} {b.program.pick(['<', '<='])} {subject} {b.program.pick(['<', '<='])} {literal(b)}"


@form("test.two_symbols", ("bool",))
def two_symbols(b: Block, kind: str, depth: int) -> str:
    left, right = number(b), number(b)
    return left and f"{left} {b.program.pick(['<', '<=', '==', '!='])} {right}"


@form("test.computed", ("bool",))
def computed(b: Block, kind: str, depth: int) -> str:
    return f"{atom(b, 'num', depth)} {b.program.pick(['<', '==', '>=', '!='])} {small(b)}"


@form("test.membership", ("bool",))
def membership(b: Block, kind: str, depth: int) -> str:
    subject = number(b)
    display = b.program.pick(["({}, {})", "[{}, {}]", "{{{}, {}}}"]).format(small(b), small(b))
    return subject and f"{subject} {b.program.pick(['in', 'not in'])} {display}"


@form("test.truth_of_number", ("bool",))
def truth_of_number(b: Block, kind: str, depth: int) -> str:
    subject = optional(b, tested=True) if b.program.chance(50) else number(b)
    return subject and b.program.pick([f"bool({subject})", f"not {subject}", f"(True if {subject} else False)"])


@form("test.window_sentinel", ("bool",))
def window_sentinel(b: Block, kind: str, depth: int) -> str:
    subject = window(b, tested=True)
    tests = ("is not None", "is None", "== -1", "!= -1", "== 0", "!= 0")
    return subject and f"{subject} {b.program.pick(tests)}"


@form("test.text", ("bool",))
def text(b: Block, kind: str, depth: int) -> str:
    subject = attribute(b, "text")
    if not subject:
        return ""
    if b.program.chance(30):
        return f'{subject} in ("{b.program.pick(TEXTS)}", "{b.program.pick(TEXTS)}")'
    return f'{subject} {b.program.pick(["==", "!="])} "{b.program.pick(TEXTS)}"'


@form("test.enum", ("bool",))
def enum(b: Block, kind: str, depth: int) -> str:
    subject = attribute(b, "state")
    if not subject:
        return ""
    b.module.want("from .states import State")
    if b.program.chance(30):
        return f"{subject} in [{b.program.pick(STATES)}, {b.program.pick(STATES)}]"
    return f"{subject} {b.program.pick(['==', '!=', 'is', 'is not'])} {b.program.pick(STATES)}"


@form("test.isinstance", ("bool",))
def isinstance_of(b: Block, kind: str, depth: int) -> str:
    subject = attribute(b, "opt")
    return subject and f"{b.program.pick(['', 'not '])}isinstance({subject}, {b.program.pick(['int', '(int, str)'])})"


@form("test.getattr_default", ("bool",))
def getattr_default(b: Block, kind: str, depth: int) -> str:
    found = b.shape()
    if found is None or not (name := attribute(b, "bool")):
        return ""
    holder, _, name = name.rpartition(".")
    return f'getattr({holder}, "{name}", {b.program.pick(["False", "None", "True"])})'


@form("test.hasattr", ("bool",))
def hasattr_of(b: Block, kind: str, depth: int) -> str:
    name = attribute(b, "bool")
    holder, _, name = name.rpartition(".")
    return name and f'(hasattr({holder}, "{name}") and {holder}.{name})'


@form("test.len", ("bool",))
def length(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("t")
    b.put(f"{name} = ({', '.join(value(b, 'num', 0) for _ in range(b.program.number(1, 3)))},)")
    return f"len({name}) {b.program.pick(['==', '>', '<='])} {b.program.number(1, 3)}"


@form("bool.not", ("bool",))
def negation(b: Block, kind: str, depth: int) -> str:
    return f"not {atom(b, 'bool', depth)}"


@form("bool.and_or", ("bool",), OFTEN)
def connective(b: Block, kind: str, depth: int) -> str:
    left = condition(b, depth)
    return f"({left}) {b.program.pick(['and', 'or'])} ({condition(b, depth)})"


@form("bool.mixed", ("bool",))
def guarded(b: Block, kind: str, depth: int) -> str:
    """Short circuit that keeps the second test from failing."""
    subject = optional(b, tested=True)
    if not subject:
        return ""
    return b.program.pick([f"{subject} is not None and {subject} > {small(b)}", f"{subject} is None or {subject} <= {small(b)}"])


@form("test.environment", ("bool",), DOUBTFUL)
def environment(b: Block, kind: str, depth: int) -> str:
    """What the surroundings say: never a constant."""
    b.module.want("import os")
    b.program.doubt()
    flag = '"ORACLE_FLAG"'
    texts = [f'os.getenv({flag}) == "1"', f'os.environ.get({flag}, "0") != "0"', f'bool(int(os.getenv({flag}, "0")))']
    return b.program.pick(texts)
