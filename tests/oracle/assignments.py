"""Forms of assignment and of choosing by expression."""

from __future__ import annotations

from tests.oracle.forms import ANY, MOST, OFTEN, form
from tests.oracle.values import atom, bind, condition, some_kind, value
from tests.oracle.writer import Block


@form("assign.chained", ANY)
def chained(b: Block, kind: str, depth: int) -> str:
    one, other = b.program.fresh("v"), b.program.fresh("v")
    b.put(f"{one} = {other} = {value(b, kind, depth)}")
    return b.program.pick([one, other])


@form("assign.augmented", ("int", "num"))
def augmented(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    b.put(f"{name} = {value(b, kind, depth)}")
    b.put(f"{name} {b.program.pick(['+=', '-=', '+='])} {value(b, b.program.pick([kind, 'num']), depth - 1)}")
    if b.program.chance(30):
        b.child(f"if {condition(b, depth)}:").put(f"{name} {b.program.pick(['*= 2', '+= 1', '-= 1'])}")
    return name


@form("assign.annotated", ANY)
def annotated(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    if b.program.chance(30):
        b.put(f"{name}: object")
        b.put(f"{name} = {value(b, kind, depth)}")
    else:
        b.put(f"{name}: object = {value(b, kind, depth)}")
    return name


@form("assign.overwritten", ANY)
def overwritten(b: Block, kind: str, depth: int) -> str:
    """Only the last assignment counts."""
    name = b.program.fresh("v")
    b.put(f"{name} = {value(b, some_kind(b), 0)}", f"{name} = {value(b, kind, depth)}")
    return name


@form("assign.walrus", ANY)
def walrus(b: Block, kind: str, depth: int) -> str:
    name = b.program.fresh("v")
    text = value(b, kind, depth)
    style = b.program.number(0, 2)
    if style == 0:
        b.child(f"if ({name} := {text}) is not None and {condition(b, depth)}:").put("pass")
        return name
    if style == 1:
        return f"({name} := {text})"
    other = value(b, kind, depth)
    return f"({name} if ({name} := {text}) is not None else {other})" if kind in ("mask", "opt") else f"({name} := {text})"


@form("assign.tuple", ANY)
def unpacked(b: Block, kind: str, depth: int) -> str:
    wanted, other = b.program.fresh("v"), b.program.fresh("v")
    first, second = value(b, kind, depth), value(b, some_kind(b), 0)
    style = b.program.number(0, 3)
    if style == 0:
        b.put(f"{wanted}, {other} = {first}, {second}")
    elif style == 1:
        b.put(f"({other}, {wanted}) = ({second}, {first})")
    elif style == 2:
        b.put(f"[{other}, ({wanted}, _)] = {second}, ({first}, 1)")
    else:
        b.put(f"{other}, {wanted} = {first}, {second}", f"{wanted}, {other} = {other}, {wanted}")
    return wanted


@form("assign.conditional_tuple", ANY)
def correlated(b: Block, kind: str, depth: int) -> str:
    """Two values that are chosen together."""
    one, other = b.program.fresh("v"), b.program.fresh("v")
    before = b.program.doubts
    left = f"({value(b, kind, depth)}, {value(b, 'num', 0)})"
    right = f"({value(b, kind, depth)}, {value(b, 'num', 0)})"
    b.put(f"{one}, {other} = {left} if {condition(b, depth)} else {right}")
    b.learn(other, "num", before)
    return one


@form("assign.starred", ANY)
def starred(b: Block, kind: str, depth: int) -> str:
    rest = b.program.fresh("r")
    wanted = b.program.fresh("v")
    text, other = value(b, kind, depth), value(b, some_kind(b), 0)
    style = b.program.number(0, 2)
    if style == 0:
        b.put(f"{wanted}, *{rest} = {text}, {other}, 3")
    elif style == 1:
        b.put(f"*{rest}, {wanted} = ({other}, 1, {text})")
    else:
        b.put(f"_, *{rest} = [{other}, {text}, 2]")
        return f"{rest}[0]"
    return wanted


@form("assign.display", ANY)
def from_display(b: Block, kind: str, depth: int) -> str:
    """An item of a tuple, a list or a dict."""
    name = b.program.fresh("t")
    text, other = value(b, kind, depth), value(b, some_kind(b), 0)
    style = b.program.number(0, 4)
    if style == 0:
        b.put(f"{name} = ({other}, {text})")
        return f"{name}[{b.program.pick(['1', '-1'])}]"
    if style == 1:
        b.put(f"{name} = [{text}, {other}]")
        return f"{name}[0]"
    if style == 2:
        b.put(f'{name} = {{"a": {other}, "b": {text}}}')
        return f'{name}["b"]'
    if style == 3:
        b.put(f"{name} = ({other},)", f"{name} = {name} + ({text}, 7)")
        return f"{name}[1]"
    b.put(f"{name} = ({other}, {text}, 5)", f"{name} = {name}[1:]")
    return f"{name}[0]"


@form("choose.expression", ANY, MOST)
def by_expression(b: Block, kind: str, depth: int) -> str:
    left, right = value(b, kind, depth), value(b, kind, depth)
    return f"({left} if {condition(b, depth)} else {right})"


@form("choose.or", ANY)
def by_or(b: Block, kind: str, depth: int) -> str:
    return f"({atom(b, kind, depth)} or {atom(b, kind, depth)})"


@form("choose.and", ("bool", "num", "int"))
def by_and(b: Block, kind: str, depth: int) -> str:
    return f"({atom(b, kind, depth)} and {atom(b, kind, depth)})"


@form("choose.local", ANY, OFTEN)
def local(b: Block, kind: str, depth: int) -> str:
    return bind(b, kind, depth)


@form("choose.lambda", ANY)
def by_lambda(b: Block, kind: str, depth: int) -> str:
    name, parameter = b.program.fresh("f"), b.program.fresh("a")
    style = b.program.number(0, 2)
    if style == 0:
        b.put(f"{name} = lambda: {value(b, kind, depth)}")
        return f"{name}()"
    if style == 1:
        argument = value(b, kind, depth)
        b.put(f"{name} = lambda {parameter}: {parameter} if {condition(b, 1)} else {value(b, kind, 0)}")
        return f"{name}({argument})"
    b.put(f"{name} = lambda {parameter}={value(b, kind, depth)}: {parameter}")
    return f"{name}()"


@form("mask.view", ("mask",), OFTEN)
def view(b: Block, kind: str, depth: int) -> str:
    """A mask through something that keeps it, chosen by a test of itself."""
    b.module.want("import torch")
    name = bind(b, "mask", depth)
    kept = b.program.pick(["{}.contiguous()", "{}.to(torch.int8)", "{}.unsqueeze(0)"]).format(name)
    style = b.program.number(0, 2)
    if style == 0:
        return f"({kept} if {name} is not None else None)"
    if style == 1:
        return f"({name} and {kept})"
    b.child(f"if {name} is not None:").put(f"{name} = {kept}")
    return name
