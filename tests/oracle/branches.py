"""Forms of branching: if, match, try, with."""

from __future__ import annotations

from tests.oracle.forms import ANY, DOUBTFUL, MOST, OFTEN, form
from tests.oracle.tests_of import STATES, TEXTS, number
from tests.oracle.values import attribute, condition, optional, small, some_kind, value
from tests.oracle.writer import Block


def assign(b: Block, name: str, kind: str, depth: int) -> None:
    b.put(f"{name} = {value(b, kind, depth)}")


@form("if.else", ANY, MOST)
def if_else(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    assign(b.child(f"if {condition(b, depth)}:"), name, kind, depth)
    assign(b.child("else:"), name, kind, depth)
    return name


@form("if.elif", ANY, OFTEN)
def if_elif(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    first, second = condition(b, 1), condition(b, 1)
    assign(b.child(f"if {first}:"), name, kind, depth)
    assign(b.child(f"elif {second}:"), name, kind, depth)
    assign(b.child("else:"), name, kind, depth)
    return name


@form("if.only", ANY, OFTEN)
def if_only(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    assign(b, name, kind, depth)
    for _ in range(b.program.number(1, 2)):
        assign(b.child(f"if {condition(b, depth)}:"), name, kind, depth)
    return name


@form("if.nested", ANY)
def if_nested(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    assign(b, name, kind, 0)
    outer = b.child(f"if {condition(b, 1)}:")
    assign(outer.child(f"if {condition(outer, 1)}:"), name, kind, depth)
    if b.program.chance(50):
        assign(outer.child("else:"), name, kind, depth)
    if b.program.chance(50):
        assign(b.child("else:"), name, kind, depth)
    return name


@form("match.number", ANY, OFTEN)
def match_number(b: Block, kind: str, depth: int) -> str:
    subject = number(b) if b.program.chance(60) else optional(b, tested=True)
    if not subject:
        return ""
    name, test = b.program.fresh("v"), condition(b, 1)
    b.put(f"match {subject}:")
    patterns = b.program.rng.sample(["None", "0", "1", "2", "3 | 4", "5", "-1", "8 | 64"], 2)
    inner = under(b)
    for pattern in patterns:
        assign(inner.child(f"case {pattern}:"), name, kind, depth)
    style = b.program.number(0, 2)
    if style == 1:
        assign(inner.child(f"case _ if {test}:"), name, kind, depth)
    if style == 2:
        captured = b.program.fresh("m")
        assign(inner.child(f"case {captured} if {captured} == {small(b)}:"), name, kind, depth)
    assign(inner.child("case _:"), name, kind, depth)
    return name


@form("match.shape", ANY)
def match_shape(b: Block, kind: str, depth: int) -> str:
    """A tuple or a text taken apart."""
    name, first, second = b.program.fresh("v"), b.program.fresh("m"), b.program.fresh("m")
    if b.program.chance(50) and (subject := attribute(b, "text")):
        b.put(f"match {subject}:")
        inner = under(b)
        for word in b.program.rng.sample(TEXTS, 2):
            assign(inner.child(f'case "{word}":'), name, kind, depth)
        assign(inner.child("case _:"), name, kind, depth)
        return name
    b.put(f"match ({value(b, kind, depth)}, {value(b, some_kind(b), 0)}):")
    inner = under(b)
    inner.child("case (_, _, _):").put(f"{name} = None")
    inner.child(f"case ({first}, {second}):").put(f"{name} = {first}")
    return name


@form("match.state", ANY)
def match_state(b: Block, kind: str, depth: int) -> str:
    subject = attribute(b, "state")
    if not subject:
        return ""
    b.module.want("from .states import State")
    name = b.program.fresh("v")
    b.put(f"match {subject}:")
    inner = under(b)
    for state in b.program.rng.sample(STATES, 2):
        assign(inner.child(f"case {state}:"), name, kind, depth)
    assign(inner.child("case _:"), name, kind, depth)
    return name


def under(b: Block) -> Block:
    """The block under a header that was just written."""
    return Block(
        b.program, b.module, list(b.known), owner=b.owner, shapes=list(b.shapes), lines=b.lines, indent=b.indent + 1, loop=b.loop
    )


@form("guard.assert", ANY)
def asserted(b: Block, kind: str, depth: int) -> str:
    subject = optional(b, tested=True)
    if not subject or not b.program.chance(60):
        return ""
    b.put(f"assert {subject} {b.program.pick(['!= 5', 'is None or ' + subject + ' != 2', 'is not None', '!= 0'])}")
    return value(b, kind, depth)


@form("guard.raise", ANY)
def raised(b: Block, kind: str, depth: int) -> str:
    subject = number(b)
    if not subject:
        return ""
    test = b.program.pick([f"{subject} not in (0, 1, 2, 3, 4)", f"{subject} == {small(b)}", f"{subject} > 64"])
    b.child(f"if {test}:").put('raise ValueError("not supported")')
    return value(b, kind, depth)


@form("try.finally", ANY)
def finally_(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    assign(b.child("try:"), name, some_kind(b) if b.program.chance(50) else kind, depth)
    assign(b.child("finally:"), name, kind, depth)
    return name


@form("try.leaves", ANY)
def handler_leaves(b: Block, kind: str, depth: int) -> str:
    """What a try assigns is known after it where every handler leaves."""
    name = b.program.fresh("v")
    inner = b.child("try:")
    assign(inner, name, kind, depth)
    b.module.want("import torch_npu")
    inner.put("torch_npu.npu.synchronize()")
    b.child("except RuntimeError:").put("raise")
    return name


@form("try.handler", ANY, DOUBTFUL)
def handler(b: Block, kind: str, depth: int) -> str:
    """A handler that goes on: what came of the body nobody knows from the source."""
    name = b.program.fresh("v")
    b.program.doubt()
    assign(b, name, kind, 0)
    inner = b.child("try:")
    if b.program.chance(50):
        inner.child(f"if {condition(inner, 1)}:").put("raise RuntimeError")
    assign(inner, name, kind, depth)
    b.module.want("import torch_npu")
    inner.put(f"torch_npu.npu.check({number(b) or '0'})")
    handled = b.child("except RuntimeError:")
    if b.program.chance(60):
        assign(handled, name, kind, depth)
    else:
        handled.put("pass")
    if b.program.chance(30):
        assign(b.child("else:"), name, kind, depth)
    return name


@form("try.same", ANY)
def same_either_way(b: Block, kind: str, depth: int) -> str:
    """The assignment stands before everything that can fail, or in every handler and in the else."""
    name = b.program.fresh("v")
    text = value(b, kind, depth)
    b.module.want("import torch_npu")
    b.child("try:").put(f"torch_npu.npu.check({number(b) or '0'})")
    b.child("except RuntimeError as error:").put(f"{name} = {text}", "del error")
    b.child("else:").put(f"{name} = {text}")
    return name


@form("with.block", ANY)
def with_block(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    b.module.want("import torch_npu")
    stream = "torch_npu.npu.stream"
    contexts = b.program.pick([f"{stream}(None)", f"{stream}(None) as stream", f"{stream}(1), {stream}(2)"])
    assign(b.child(f"with {contexts}:"), name, kind, depth)
    return name
