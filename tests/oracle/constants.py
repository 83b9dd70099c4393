"""Constants of modules, attributes of classes and instances, state that functions change."""

from __future__ import annotations

from tests.oracle.forms import ANY, DOUBTFUL, OFTEN, form
from tests.oracle.functions import LAYERS, refer
from tests.oracle.values import literal, value
from tests.oracle.writer import Block


def _constant_text(b: Block, kind: str) -> str:
    if kind == "bool":
        return b.program.pick(["True", "False"])
    if kind == "mask":
        return "None"
    if kind == "opt":
        return b.program.pick(["None", literal(b)])
    return b.program.pick([literal(b), f"{literal(b)} - 1", f"min({literal(b)}, 9)", f"int({literal(b)})"])


@form("constant.module", ANY, OFTEN)
def module_constant(b: Block, kind: str, depth: int) -> str:
    """A name of this or of another module that is assigned once."""
    p = b.program
    here = LAYERS.index(b.module.name)
    home = p.module(p.pick([*LAYERS[: here + 1], "consts"]) if here else "consts")
    name = p.fresh("LIMIT_")
    text = _constant_text(b, kind)
    if "torch" in text or "sys" in text:
        home.want("import torch")
    if kind in ("int", "num") and p.chance(30):
        home.constants += [f"{name}_BASE = {text}", f"{name} = {name}_BASE {p.pick('+-')} 1"]
    elif p.chance(20):
        home.constants.append(f"{name}: object = {text}")
    else:
        home.constants.append(f"{name} = {text}")
    return refer(b.module, home, name, b)


@form("constant.changed", ("int", "bool", "mask"), DOUBTFUL)
def global_name(b: Block, kind: str, depth: int) -> str:
    """A name of the module that a function rebinds: its value at this moment is not in the source."""
    p = b.program
    name, setter = p.fresh("CURRENT_"), p.fresh("set_current_")
    b.module.constants.append(f"{name} = {_constant_text(b, kind)}")
    b.module.body += [f"def {setter}(new):", f"    global {name}", f"    {name} = new", "", ""]
    if p.chance(30):
        b.put(f"{setter}({value(b, kind, 0)})")
    p.doubt()
    return name


@form("constant.dict", ANY)
def module_dict(b: Block, kind: str, depth: int) -> str:
    """A table of the module that nothing changes."""
    name = b.program.fresh("TABLE_")
    b.module.constants.append(f'{name} = {{"a": {_constant_text(b, kind)}, "b": {literal(b)}}}')
    return f'{name}["a"]'


@form("constant.changed_dict", ("int",), 2 * DOUBTFUL)
def changed_dict(b: Block, kind: str, depth: int) -> str:
    p = b.program
    p.doubt()
    name, setter = p.fresh("STORE_"), p.fresh("set_store_")
    b.module.constants.append(f'{name} = {{"a": {_constant_text(b, kind)}}}')
    b.module.body += [f"def {setter}(new):", f'    {name}["a"] = new', "", ""]
    if p.chance(50):
        b.put(f"{setter}({value(b, kind, 0)})")
    return f'{name}["a"]'


@form("attribute.class_body", ANY, OFTEN)
def class_attribute(b: Block, kind: str, depth: int) -> str:
    if b.owner is None:
        return ""
    name = b.program.fresh("attr")
    home = b.owner.base if b.owner.base and b.program.chance(50) else b.owner
    home.head.append(f"{name} = {_constant_text(b, kind)}")
    return b.program.pick([f"self.{name}", f"self.{name}", f"type(self).{name}"])


@form("attribute.overridden", ANY)
def overridden(b: Block, kind: str, depth: int) -> str:
    """The subclass has its own value."""
    if b.owner is None:
        return ""
    name = b.program.fresh("attr")
    b.owner.head.append(f"{name} = {_constant_text(b, kind)}")
    for other in b.program.classes:
        if other.base is b.owner or other is b.owner.base:
            other.head.append(f"{name} = {_constant_text(b, kind)}")
    return f"self.{name}"


@form("attribute.constructor", ANY, OFTEN)
def constructed(b: Block, kind: str, depth: int) -> str:
    """An attribute that only the constructor assigns."""
    if b.owner is None:
        return ""
    name = b.program.fresh({"bool": "flag_attr"}.get(kind, "attr"))
    writer = constructor_block(b)
    before = b.program.doubts
    text = value(writer, kind, min(depth, 1))
    b.program.doubts = before
    b.owner.constructor += [*writer.lines, f"        self.{name} = {text}"]
    return f"self.{name}"


def constructor_block(b: Block) -> Block:
    """Where statements of the constructor of the block's class are written."""
    from tests.oracle.writer import Known

    assert b.owner is not None
    home = b.program.module(b.owner.module)
    known = [Known(item.name, item.kind) for item in b.owner.parameters if item.shape is None]
    shapes = [(item.name, item.shape) for item in b.owner.parameters if item.shape is not None]
    return Block(b.program, home, known, shapes=shapes, indent=2)


@form("attribute.elsewhere", ("int", "bool", "mask", "opt"))
def elsewhere(b: Block, kind: str, depth: int) -> str:
    """An attribute that a method assigns, too: its own symbol."""
    if b.owner is None:
        return ""
    name = b.program.fresh({"bool": "flag_late", "mask": "mask_late"}.get(kind, "late"))
    b.owner.constructor.append(f"        self.{name} = {_constant_text(b, kind)}")
    setter = b.program.fresh("configure_")
    b.owner.methods += [f"    def {setter}(self, new):", f"        self.{name} = new", ""]
    b.owner.setters.append((setter, kind))
    return f"self.{name}"


@form("attribute.assigned_here", ANY)
def assigned_here(b: Block, kind: str, depth: int) -> str:
    """Assigned in this function, read after that."""
    if b.owner is None:
        return ""
    name = b.program.fresh("state")
    if b.program.chance(50):
        b.owner.constructor.append(f"        self.{name} = {_constant_text(b, kind)}")
    b.put(f"self.{name} = {value(b, kind, depth)}")
    if b.program.chance(40):
        from tests.oracle.values import condition

        b.child(f"if {condition(b, 1)}:").put(f"self.{name} = {value(b, kind, 0)}")
    return f"self.{name}"


@form("attribute.assigned_by_call", ANY)
def assigned_by_call(b: Block, kind: str, depth: int) -> str:
    """A method that is called here assigns it."""
    if b.owner is None:
        return ""
    name, method, parameter = b.program.fresh("state"), b.program.fresh("prepare_"), b.program.fresh("a")
    b.owner.constructor.append(f"        self.{name} = {_constant_text(b, kind)}")
    b.owner.methods += [f"    def {method}(self, {parameter}):", f"        self.{name} = {parameter}", ""]
    b.put(f"self.{method}({value(b, kind, depth)})")
    return f"self.{name}"


@form("method.value", ANY, OFTEN)
def method(b: Block, kind: str, depth: int) -> str:
    if b.owner is None:
        return ""
    return _method_call(b, kind, depth, b.owner)


def _method_call(b: Block, kind: str, depth: int, home: object) -> str:
    from tests.oracle.functions import call_text, helper
    from tests.oracle.values import some_kind

    p = b.program
    called = helper(b, depth, [p.pick([kind, some_kind(b), "bool"]) for _ in range(p.number(0, 2))], home=p.module(home.module))
    called.body.owner, called.body.indent = home, 2
    called.body.put(f"return {value(called.body, kind, depth)}")
    home.methods += ["    " + called.header("self"), *called.body.lines, ""]
    return call_text(b, called, f"self.{called.name}", depth - 1)


@form("method.overridden", ANY)
def overridden_method(b: Block, kind: str, depth: int) -> str:
    """Base and subclass answer differently; now and then the base only raises."""
    owner = b.owner
    if owner is None:
        return ""
    base = owner.base or owner
    heirs = [c for c in b.program.classes if c.base is base]
    if not heirs:
        return ""
    name = b.program.fresh("ask_")
    abstract = b.program.chance(30)
    for cls in [base, *heirs]:
        inner = Block(b.program, b.program.module(cls.module), [], owner=cls, indent=2)
        if cls is base and abstract:
            inner.put("raise NotImplementedError")
        elif cls is not base and not abstract and b.program.chance(30) and kind in ("int", "num"):
            inner.put(f"return super().{name}() + 1")
        else:
            inner.put(f"return {value(inner, kind, min(depth, 1))}")
        cls.methods += [f"    def {name}(self):", *inner.lines, ""]
    return f"self.{name}()"


@form("method.static", ANY)
def static_method(b: Block, kind: str, depth: int) -> str:
    """A static method or a class method, called in one of the ways that there are."""
    if b.owner is None:
        return ""
    from tests.oracle.functions import call_text, helper
    from tests.oracle.values import some_kind

    p, owner = b.program, b.owner
    called = helper(b, depth, [p.pick([kind, some_kind(b)]) for _ in range(p.number(1, 2))], home=p.module(owner.module))
    called.body.indent = 2
    called.body.put(f"return {value(called.body, kind, depth)}")
    decorator = p.pick(["staticmethod", "classmethod"])
    head = called.header("cls" if decorator == "classmethod" else "")
    owner.methods += [f"    @{decorator}", "    " + head, *called.body.lines, ""]
    target = p.pick(["self", "type(self)", owner.name if b.module.name == owner.module else "self"])
    return call_text(b, called, f"{target}.{called.name}", depth - 1)


@form("constant.object", ("int", "bool"), DOUBTFUL)
def module_object(b: Block, kind: str, depth: int) -> str:
    """An object of the module: of a known type, with attributes that anybody may change."""
    p = b.program
    p.doubt()
    name, cls = p.fresh("HOLDER_"), p.fresh("Holder")
    field = p.fresh("held")
    b.module.constants += [f"class {cls}:", "    def __init__(self):", f"        self.{field} = {_constant_text(b, kind)}", ""]
    b.module.constants.append(f"{name} = {cls}()")
    if p.chance(50):
        b.module.body += [f"def set_{name}(new):", f"    {name}.{field} = new", "", ""]
    return f"{name}.{field}"
