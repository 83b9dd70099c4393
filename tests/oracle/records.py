"""Forms with records: dataclasses, named tuples, namespaces, and what an alias of one sees."""

from __future__ import annotations

from tests.oracle.forms import ANY, form
from tests.oracle.functions import refer
from tests.oracle.values import condition, literal, some_kind, value
from tests.oracle.writer import Block, Shape


def _record(b: Block, style: str) -> tuple[str, str]:
    """Write a record type with fields ``wanted`` and ``other`` and give its name, as it is written here."""
    p = b.program
    home = p.module(p.pick([b.module.name, "consts"]))
    name = p.fresh("Record")
    if style == "dataclass":
        home.want("from dataclasses import dataclass")
        head = ["@dataclass" if p.chance(70) else "@dataclass(eq=False)", f"class {name}:"]
    else:
        home.want("from typing import NamedTuple")
        head = [f"class {name}(NamedTuple):"]
    default = literal(b)
    home.constants += [*head, "    wanted: object", f"    other: object = {default}", ""]
    return name, refer(b.module, home, name, b)


def _construct(b: Block, cls: str, wanted: str) -> str:
    other = value(b, some_kind(b), 0)
    return b.program.pick([f"{cls}({wanted}, {other})", f"{cls}(wanted={wanted}, other={other})", f"{cls}({wanted})"])


@form("record.dataclass", ANY)
def dataclass(b: Block, kind: str, depth: int) -> str:
    _, cls = _record(b, "dataclass")
    name = b.program.fresh("rec")
    b.put(f"{name} = {_construct(b, cls, value(b, kind, depth))}")
    return f"{name}.wanted"


@form("record.default", ("num", "int"))
def default(b: Block, kind: str, depth: int) -> str:
    """A field that keeps its default."""
    _, cls = _record(b, b.program.pick(["dataclass", "namedtuple"]))
    name = b.program.fresh("rec")
    b.put(f"{name} = {cls}({value(b, some_kind(b), 0)})")
    return f"{name}.other"


@form("record.changed", ANY)
def changed(b: Block, kind: str, depth: int) -> str:
    """A field that is assigned later, by this name or by another one."""
    _, cls = _record(b, "dataclass")
    name, alias = b.program.fresh("rec"), b.program.fresh("alias")
    b.put(f"{name} = {_construct(b, cls, value(b, kind, 0))}")
    b.put(f"{alias} = {name}")
    target = b.program.pick([name, alias])
    if b.program.chance(50):
        b.child(f"if {condition(b, 1)}:").put(f"{target}.wanted = {value(b, kind, 0)}")
    else:
        b.put(f"{target}.wanted = {value(b, kind, depth)}")
    return f"{b.program.pick([name, alias])}.wanted"


@form("record.namedtuple", ANY)
def namedtuple(b: Block, kind: str, depth: int) -> str:
    _, cls = _record(b, "namedtuple")
    name = b.program.fresh("rec")
    b.put(f"{name} = {_construct(b, cls, value(b, kind, depth))}")
    style = b.program.number(0, 2)
    if style == 0:
        return f"{name}.wanted"
    if style == 1:
        return f"{name}[0]"
    first = b.program.fresh("v")
    b.put(f"{first}, _ = {name}")
    return first


@form("record.namespace", ANY)
def namespace(b: Block, kind: str, depth: int) -> str:
    b.module.want("from types import SimpleNamespace")
    name = b.program.fresh("ns")
    b.put(f"{name} = SimpleNamespace(wanted={value(b, kind, depth)}, other={value(b, some_kind(b), 0)})")
    if b.program.chance(30):
        b.put(f"{name}.wanted = {value(b, kind, 0)}")
    return f"{name}.wanted"


@form("record.passed", ANY)
def passed(b: Block, kind: str, depth: int) -> str:
    """A record that a function of the tree changes."""
    _, cls = _record(b, "dataclass")
    name, function, parameter = b.program.fresh("rec"), b.program.fresh("fill_"), b.program.fresh("a")
    b.module.body += [f"def {function}(target, {parameter}):", f"    target.wanted = {parameter}", "", ""]
    b.put(f"{name} = {_construct(b, cls, value(b, kind, 0))}")
    call = f"{function}({name}, {value(b, kind, depth)})"
    if b.program.chance(30):
        b.child(f"if {condition(b, 1)}:").put(call)
    else:
        b.put(call)
    return f"{name}.wanted"


@form("metadata.field", ("num", "mask", "bool"))
def metadata_field(b: Block, kind: str, depth: int) -> str:
    """A field of a dataclass of the tree, read from an annotated parameter: what its only builder passes."""
    built = [(text, shape) for text, shape in b.shapes if shape.builder is not None]
    if not built:
        return ""
    text, shape = b.program.pick(built)
    names = [name for name, other in shape.attributes if other == kind]
    return f"{text}.{b.program.pick(names)}" if names else ""


def built_shape(b: Block) -> Shape:
    """A dataclass with constant fields, and the function of the tree that makes it."""
    p = b.program
    home = p.module("lib")
    home.want("from dataclasses import dataclass")
    name, builder = p.fresh("Metadata"), p.fresh("build_metadata_")
    fields = [(p.fresh("field_number"), "num"), (p.fresh("field_mask"), "mask"), (p.fresh("field_flag"), "bool")]
    home.constants += ["@dataclass", f"class {name}:", *(f"    {field}: object" for field, _ in fields), ""]
    texts = {"num": literal(b), "mask": "None", "bool": p.pick(["True", "False"])}
    words = ", ".join(f"{field}={texts[kind]}" for field, kind in fields)
    home.body += [f"def {builder}():", f"    return {name}({words})", "", ""]
    return Shape(name, fields, (home.name, builder, []))
