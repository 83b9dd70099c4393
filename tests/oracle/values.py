"""Values of a kind: the choice between a leaf and a form, and the leaves themselves."""

from __future__ import annotations

from tests.oracle.forms import FORMS, KINDS
from tests.oracle.writer import Block, Known, Shape

#: Small numbers that inputs, literals and comparisons share, so that tests come out both ways.
NUMBERS = ("0", "1", "2", "3", "4", "5", "8", "64", "512", "-1")
LARGE = ("2147483647", "2**31 - 1", "(1 << 31) - 1", "65535", "2**63 - 1")
PREFIX = {"int": "n", "num": "c", "bool": "flag", "mask": "mask", "opt": "opt", "window": "sliding_window"}


def value(b: Block, kind: str, depth: int) -> str:
    """An expression for a value of this kind; statements that it needs are written into the block first."""
    p = b.program
    if depth <= 0 or p.full or p.chance(20):
        return leaf(b, kind)
    options = [form for form in FORMS.values() if kind in form.kinds]
    chosen = p.weighted(options, [form.weight for form in options])
    mark = len(b.known)
    text = chosen.make(b, kind, depth - 1)
    if text == "":  # the form does not fit here
        del b.known[mark:]
        return leaf(b, kind)
    p.count(chosen.name)
    return text


def bind(b: Block, kind: str, depth: int) -> str:
    """A local name with a value of this kind."""
    before = b.program.doubts
    text = value(b, kind, depth)
    name = b.program.fresh("v")
    b.put(f"{name} = {text}")
    return b.learn(name, kind, before)


def atom(b: Block, kind: str, depth: int) -> str:
    """A value as an operand: in parentheses if it is more than a name."""
    text = value(b, kind, depth)
    return text if text.replace("_", "").replace(".", "").isalnum() else f"({text})"


def some_kind(b: Block) -> str:
    return b.program.pick(KINDS)


def leaf(b: Block, kind: str) -> str:
    """A value without further computation."""
    p = b.program
    if kind == "num":
        return _known(b, "num") if p.chance(35) else literal(b)
    if kind == "int":
        return p.pick([_known, _attribute, _any_literal])(b, "int")
    if kind == "bool":
        return p.pick([_known, _attribute, _truth])(b, "bool")
    if kind == "mask":
        return p.pick([_known, _attribute, _attribute, _none])(b, "mask")
    return p.pick([_window, _known, _attribute, _none])(b, "opt")


def literal(b: Block) -> str:
    p = b.program
    return p.pick(LARGE) if p.chance(20) else p.pick(NUMBERS)


def small(b: Block) -> str:
    """A number that inputs have now and then."""
    return b.program.pick(NUMBERS)


def _any_literal(b: Block, kind: str) -> str:
    return literal(b)


def _none(b: Block, kind: str) -> str:
    return "None"


def _truth(b: Block, kind: str) -> str:
    return b.program.pick(["True", "False"])


def _window(b: Block, kind: str) -> str:
    return window(b) or "None"


def window(b: Block, tested: bool = False) -> str:
    """The sliding window, if it is at hand; to be ``tested`` only, or to be used as a value."""
    return _one_of(b, b.candidates("window"), tested)


def optional(b: Block, tested: bool = False) -> str:
    """Something that may be None: the window, or another input."""
    found = _one_of(b, b.candidates("window", "opt"), tested) if b.program.chance(70) else ""
    return found or attribute(b, "opt") or window(b, tested)


def _one_of(b: Block, found: list[Known], tested: bool) -> str:
    """One of these; parameters of an entry are seldom used as values, since the entry is a wrapper then."""
    usual = [known for known in found if not known.direct]
    if not tested and not b.program.chance(10):
        found = usual
    return b.use(b.program.pick(found), tested) if found else ""


def _known(b: Block, kind: str) -> str:
    kinds = {"int": ("int", "num"), "opt": ("opt", "int", "num")}.get(kind, (kind,))
    found = _one_of(b, b.candidates(*kinds), tested=kind == "bool")
    return found or (literal(b) if kind == "num" else _attribute(b, kind))


def _attribute(b: Block, kind: str) -> str:
    return attribute(b, kind) or {"int": "4", "bool": "True", "mask": "None", "opt": "None"}.get(kind, "0")


def attribute(b: Block, kind: str) -> str:
    """An attribute of an object that was handed in, an old one or a new one; "" if there is no such object."""
    found = b.shape()
    if found is None:
        return ""
    text, shape = found
    names = [name for name, other in shape.attributes if other == kind]
    if not names or b.program.chance(40):
        names = [add_attribute(b, shape, kind)]
    return f"{text}.{b.program.pick(names)}"


def add_attribute(b: Block, shape: Shape, kind: str) -> str:
    name = "sliding_window" if kind == "window" else b.program.fresh(PREFIX.get(kind, "x"))
    if (name, kind) not in shape.attributes:
        shape.attributes.append((name, kind))
    return name


def inputs(b: Block, *kinds: str) -> list[Known]:
    return b.candidates(*kinds)


def condition(b: Block, depth: int = 1) -> str:
    """A test: mostly one of an input, so that it comes out both ways."""
    return value(b, "bool", max(depth, 1))


def number_or(b: Block, otherwise: str) -> str:
    """An input that is a number, if there is one."""
    found = _one_of(b, b.candidates("int"), tested=False) if b.program.chance(70) else ""
    return found or attribute(b, "int") or otherwise
