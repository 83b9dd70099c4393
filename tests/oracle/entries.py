"""Entries: functions and methods that a run calls, with the paths on which they reach the operator."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.calls import site
from tests.oracle.forms import KINDS
from tests.oracle.records import built_shape
from tests.oracle.values import PREFIX, condition, value
from tests.oracle.writer import Block, Class, Known, Module, Parameter, Program, Shape, Step

TENSORS = [Parameter("q", "tensor"), Parameter("k", "tensor"), Parameter("v", "tensor")]


def begin(p: Program, module: Module, owner: Class | None) -> tuple[Block, list[Parameter]]:
    """The body of an entry, and its parameters: some values, an object or two, the window now and then."""
    parameters = list(TENSORS)
    block = Block(p, module, [], owner=owner, indent=1 if owner is None else 2)
    for kind in [p.pick(KINDS[:1] + KINDS[2:]) for _ in range(p.number(0, 2))]:
        name = p.fresh(PREFIX[kind])
        parameters.append(Parameter(name, kind))
        block.known.append(Known(name, kind, direct=True))
    if owner is None and p.chance(60):
        parameters.append(Parameter("sliding_window", "window"))
        block.known.append(Known("sliding_window", "window", direct=True))
    shape = Shape(p.fresh("Shape"))
    text = p.pick(["meta", "attn_metadata", "cfg"])
    parameters.append(Parameter(text, "shape", shape))
    block.shapes.append((text, shape))
    if owner is None and p.chance(30):
        shape.attributes.append(("sliding_window", "window"))
        block.learn(f"{text}.sliding_window", "window")
    if p.chance(35):
        built = built_shape(block)
        parameters.append(Parameter(p.fresh("fields"), "shape", built))
        block.shapes.append((parameters[-1].name, built))
        if module.name != "lib":
            module.want(f"from .lib import {built.name}")
    return block, parameters


def header(name: str, parameters: list[Parameter], owner: Class | None) -> str:
    words = [f"{item.name}: {item.shape.name}" if item.shape and item.shape.builder else item.name for item in parameters]
    return f"def {name}({', '.join([*(['self'] if owner else []), *words])}):"


def entry(p: Program, module: Module, owner: Class | None, depth: int) -> None:
    """A function or a method with one or more calls, and the step of the run that calls it."""
    p.part()
    name = p.fresh("entry_" if owner is None else "forward_")
    block, parameters = begin(p, module, owner)
    paths(block, depth, p.number(1, 2))
    finish_entry(p, module, owner, name, block, parameters)
    for cls in [owner, *(c for c in p.classes if owner is not None and c.base is owner)]:
        p.scenarios.append([Step(cls.module if cls else module.name, name, parameters, cls.name if cls else None)])


def finish_entry(p: Program, module: Module, owner: Class | None, name: str, block: Block, parameters: list[Parameter]) -> None:
    """Put a finished entry into its class or module."""
    if owner is None:
        module.body += [header(name, parameters, None), *block.lines, "", ""]
    else:
        owner.methods += ["    " + header(name, parameters, owner), *block.lines, ""]


def paths(b: Block, depth: int, sites: int) -> None:
    """Write some calls, each on a path of its own."""
    p = b.program
    while sites > 0:
        sites -= 1
        style = p.pick(["plain", "plain", "early_exit", "branch", "loop", "with", "called_function"])
        if style != "plain":
            p.count(f"path.{style}")
        _PATHS[style](b, depth)


def _early_exit(b: Block, depth: int) -> None:
    p = b.program
    inner = b.child(f"if {condition(b, 1)}:")
    if p.chance(40):
        site(inner, depth - 1)
    inner.put(p.pick(["return None", "return", "raise ValueError"]))
    site(b, depth)


def _branch(b: Block, depth: int) -> None:
    inner = b.child(f"if {condition(b, 2)}:")
    site(inner, depth - 1)
    if b.program.chance(60):
        site(b.child("else:"), depth - 1)


def _loop(b: Block, depth: int) -> None:
    p = b.program
    item = p.fresh("i")
    inner = b.child(f"for {item} in {p.pick(['(1,)', 'range(1)', '(q, k)'])}:", loop=True)
    if p.chance(60):
        inner.child(f"if {condition(inner, 1)}:").put(p.pick(["continue", "break"]))
    site(inner, depth - 1)


def _with(b: Block, depth: int) -> None:
    b.module.want("import torch_npu")
    site(b.child("with torch_npu.npu.stream(None):"), depth - 1)


def _called(b: Block, depth: int) -> None:
    """A function that is called only from here, or from two places, with a flag that it tests."""
    p, owner = b.program, b.owner
    name, flag = p.fresh("_part_"), p.fresh("flag")
    found = b.shape()
    assert found is not None
    text, shape = p.pick(["metadata", found[0]]), found[1]
    home = b.module if owner is None else p.module(owner.module)
    inner = Block(p, home, [], owner=owner, shapes=[(text, shape)], indent=1 if owner is None else 2)
    test = p.pick([flag, f"not {flag}", f"{flag} is not None"])
    site(inner.child(f"if {test}:"), depth - 1)
    if p.chance(70):
        site(inner, depth - 1)
    head = f"def {name}({'self, ' if owner else ''}q, k, v, {text}, {flag}=None):"
    if owner is None:
        home.body += [head, *inner.lines, "", ""]
    else:
        owner.methods += ["    " + head, *inner.lines, ""]
    target = f"self.{name}" if owner else name
    for _ in range(p.number(1, 2)):
        passed = p.pick(["", ", True", f", {flag}=False", f", {value(b, 'bool', 1)}", ", None"])
        call = f"{target}(q, k, v, {found[0]}{passed})"
        if p.chance(50):
            b.child(f"if {condition(b, 1)}:").put(call)
        else:
            b.put(call)


_PATHS: dict[str, Callable[[Block, int], None]] = {
    "plain": site,
    "early_exit": _early_exit,
    "branch": _branch,
    "loop": _loop,
    "with": _with,
    "called_function": _called,
}


def make_class(p: Program, name: str, module: str, base: Class | None) -> Class:
    """A class with some attributes that its constructor takes."""
    cls = Class(name, module, base)
    if base is None:
        cls.parameters.append(Parameter("sliding_window", "window"))
        cls.constructor.append("        self.sliding_window = sliding_window")
        cls.attributes.append(Known("sliding_window", "window"))
        shape = Shape(p.fresh("Config"))
        cls.parameters.append(Parameter("config", "shape", shape))
    for kind in [p.pick(["int", "bool", "mask", "opt"]) for _ in range(p.number(1, 2))]:
        parameter = p.fresh(PREFIX[kind])
        attribute_name = p.fresh("own_" + PREFIX[kind])
        cls.parameters.append(Parameter(parameter, kind))
        cls.constructor.append(f"        self.{attribute_name} = {parameter}")
        cls.attributes.append(Known(attribute_name, kind))
    p.classes.append(cls)
    return cls


def class_source(cls: Class, base_text: str) -> list[str]:
    """The lines of a finished class."""
    inherited = [item.name for item in cls.base.all_parameters()] if cls.base else []
    words = ", ".join(["self", *inherited, *(item.name for item in cls.parameters)])
    lines = [f"class {cls.name}{f'({base_text})' if base_text else ''}:", *(f"    {line}" for line in cls.head)]
    lines += ["", f"    def __init__({words}):"]
    if cls.base:
        lines.append(f"        super().__init__({', '.join(inherited)})")
    return [*lines, *(cls.constructor or ["        pass"]), "", *cls.methods, ""]
