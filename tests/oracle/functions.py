"""Forms that pass through a function: helpers of this and of other modules, closures, recursion."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.forms import ANY, DOUBTFUL, OFTEN, counted, form
from tests.oracle.values import PREFIX, condition, literal, number_or, some_kind, value
from tests.oracle.writer import Block, Known, Module, Shape

counted("pass.positional", "pass.keyword", "pass.default", "pass.starred", "pass.double_star", "pass.keyword_only")
counted("import.from", "import.relative", "import.as", "import.star", "import.reexported")

#: A module imports only from those before it.
LAYERS = ("consts", "lib", "core", "replay")


def refer(program_module: Module, home: Module, name: str, b: Block) -> str:
    """How a name of another module is written here; imports what it takes."""
    if program_module is home:
        return name
    p = b.program
    style = p.pick(["from", "relative", "as", "star", "reexported"])
    p.count(f"import.{style}")
    if style == "from":
        program_module.want(f"from pkg.{home.name} import {name}")
    elif style == "relative":
        program_module.want(f"from .{home.name} import {name}")
    elif style == "star":
        program_module.want(f"from .{home.name} import *")
    elif style == "as":
        program_module.want(f"import pkg.{home.name} as {home.name}_module")
        return f"{home.name}_module.{name}"
    else:
        p.module(f"{home.name}_api").want(f"from .{home.name} import {name}")
        program_module.want(f"from .{home.name}_api import {name}")
    return name


def home_for(b: Block) -> Module:
    """A module where a helper can live: this one, or one that this one may import."""
    here = LAYERS.index(b.module.name)
    options = [b.module.name, *(name for name in LAYERS[1:here])]
    return b.program.module(b.program.pick(options))


@dataclass
class Helper:
    """A function under construction: what its parameters are called, and what each caller passes."""

    name: str
    body: Block
    parameters: list[tuple[str, str]]
    defaults: dict[str, str] = field(default_factory=dict)
    keyword_only: frozenset[str] = frozenset()

    def header(self, first: str = "") -> str:
        """``def name(…):``; parameters with defaults come last, keyword-only ones after a star."""
        plain = [n for n, _ in self.parameters if n not in self.defaults and n not in self.keyword_only]
        late = [f"{n}={self.defaults[n]}" for n, _ in self.parameters if n in self.defaults and n not in self.keyword_only]
        only = [n + (f"={self.defaults[n]}" if n in self.defaults else "") for n, _ in self.parameters if n in self.keyword_only]
        words = [*([first] if first else []), *plain, *late, *(["*", *only] if only else [])]
        return f"def {self.name}({', '.join(words)}):"

    def order(self) -> list[str]:
        plain = [n for n, _ in self.parameters if n not in self.defaults]
        return [n for n in [*plain, *(n for n, _ in self.parameters if n in self.defaults)] if n not in self.keyword_only]


def helper(b: Block, depth: int, kinds: list[str], home: Module | None = None) -> Helper:
    """A function with parameters of these kinds, its body still to be written."""
    p = b.program
    home = home or home_for(b)
    parameters = [(p.fresh(PREFIX.get(kind, "x")), kind) for kind in kinds]
    shapes: list[tuple[str, Shape]] = []
    known = [Known(name, kind) for name, kind in parameters]
    body = Block(p, home, known, shapes=shapes, owner=None)
    found = Helper(p.fresh("helper_"), body, parameters)
    for name, kind in parameters:
        if p.chance(30):
            found.defaults[name] = {"mask": "None", "bool": "False", "opt": "None"}.get(kind) or literal(b)
    if p.chance(25) and parameters:
        found.keyword_only = frozenset({parameters[-1][0]})
    return found


def call_text(b: Block, called: Helper, target: str, depth: int, fixed: dict[str, str] | None = None) -> str:
    """A call of a helper, each argument passed in some way."""
    p = b.program
    given = dict(fixed or {})
    for name, kind in called.parameters:
        if name in called.defaults and p.chance(50) and name not in given:
            p.count("pass.default")
        elif name not in given:
            given[name] = value(b, kind, depth)
    order = [name for name in called.order() if name in given]
    reached = called.order()[: len(order)]
    words: list[str] = []
    if order == reached and order and p.chance(60):
        positional = p.number(1, len(order))
        style = p.pick(["plain", "plain", "starred"])
        texts = [given.pop(name) for name in order[:positional]]
        if style == "starred":
            p.count("pass.starred")
            if p.chance(50):
                name = p.fresh("t")
                b.put(f"{name} = ({', '.join(texts)},)")
                words.append(f"*{name}")
            else:
                words.append(f"*({', '.join(texts)},)")
        else:
            p.count("pass.positional")
            words += [f"({text})" for text in texts]
    if given and p.chance(25):
        p.count("pass.double_star")
        pairs = ", ".join(f'"{name}": {text}' for name, text in given.items())
        words.append(f"**{{{pairs}}}")
    else:
        for name, text in given.items():
            p.count("pass.keyword_only" if name in called.keyword_only else "pass.keyword")
            words.append(f"{name}={text}")
    return f"{target}({', '.join(words)})"


def _kinds(b: Block, kind: str) -> list[str]:
    return [b.program.pick([kind, some_kind(b), "bool", "int"]) for _ in range(b.program.number(1, 3))]


def publish(called: Helper, first: str = "") -> None:
    """Put a finished helper into its module."""
    called.body.module.body += [called.header(first), *called.body.lines, "", ""]


@form("function.value", ANY, OFTEN)
def value_of(b: Block, kind: str, depth: int) -> str:
    called = helper(b, depth, _kinds(b, kind))
    called.body.put(f"return {value(called.body, kind, depth)}")
    publish(called)
    return call_text(b, called, refer(b.module, called.body.module, called.name, b), depth - 1)


@form("function.early_return", ANY, OFTEN)
def early_return(b: Block, kind: str, depth: int) -> str:
    called = helper(b, depth, ["int", "bool", *_kinds(b, kind)])
    body = called.body
    for _ in range(b.program.number(1, 2)):
        inner = body.child(f"if {condition(body, 1)}:")
        inner.put(f"return {value(inner, kind, depth - 1)}")
    body.put(f"return {value(body, kind, depth)}")
    publish(called)
    return call_text(b, called, refer(b.module, called.body.module, called.name, b), depth - 1)


@form("function.tuple", ANY)
def tuple_of(b: Block, kind: str, depth: int) -> str:
    called = helper(b, depth, _kinds(b, kind))
    other = some_kind(b)
    body = called.body
    if b.program.chance(50):
        inner = body.child(f"if {condition(body, 1)}:")
        inner.put(f"return {value(inner, kind, depth)}, {value(inner, other, 0)}")
    body.put(f"return {value(body, kind, depth)}, {value(body, other, 0)}")
    publish(called)
    text = call_text(b, called, refer(b.module, called.body.module, called.name, b), depth - 1)
    name = b.program.fresh("v")
    style = b.program.number(0, 2)
    b.put(f"{name}, _ = {text}" if style == 0 else f"{name} = {text}[0]" if style == 1 else f"{name}, *_ = {text}")
    return name


@form("function.dict", ANY)
def dict_of(b: Block, kind: str, depth: int) -> str:
    called = helper(b, depth, _kinds(b, kind))
    body = called.body
    body.put(f'result = {{"x": {value(body, some_kind(b), 0)}}}')
    body.put(f'result["wanted"] = {value(body, kind, depth)}')
    if b.program.chance(50):
        inner = body.child(f"if {condition(body, 1)}:")
        inner.put(f'result["wanted"] = {value(inner, kind, 0)}')
    body.put("return result")
    publish(called)
    text = call_text(b, called, refer(b.module, called.body.module, called.name, b), depth - 1)
    name = b.program.fresh("d")
    b.put(f"{name} = {text}")
    return f'{name}["wanted"]'


@form("function.of_function", ANY)
def of_function(b: Block, kind: str, depth: int) -> str:
    """A function that is handed to another one, which calls it."""
    inner = helper(b, depth, [kind])
    inner.defaults, inner.keyword_only = {}, frozenset()
    inner.body.put(f"return {value(inner.body, kind, depth)}")
    publish(inner)
    outer = helper(b, depth, [kind], home=b.module)
    outer.defaults, outer.keyword_only = {}, frozenset()
    name, _ = outer.parameters[0]
    b.module.body += [f"def {outer.name}(function, {name}):", f"    return function({name})", "", ""]
    target = refer(b.module, inner.body.module, inner.name, b)
    return f"{outer.name}({target}, {value(b, kind, depth)})"


@form("function.recursion", ("num", "int"), DOUBTFUL)
def recursion(b: Block, kind: str, depth: int) -> str:
    b.program.doubt()
    name = b.program.fresh("helper_")
    result, step = literal(b), literal(b)
    b.module.body += [
        f"def {name}(level):",
        "    if level <= 0:",
        f"        return {result}",
        f"    return {name}(level - 1) + ({step})",
        "", "",
    ]  # fmt: skip
    return f"{name}({b.program.number(0, 3)})"


@form("function.nested", ANY, OFTEN)
def nested(b: Block, kind: str, depth: int) -> str:
    name, parameter = b.program.fresh("inner_"), b.program.fresh("a")
    argument = value(b, kind, depth)
    body = b.child(f"def {name}({parameter}):", loop=False)
    body.learn(parameter, kind)
    if b.program.chance(50):
        inner = body.child(f"if {condition(body, 1)}:")
        inner.put(f"return {value(inner, kind, 0)}")
    body.put(f"return {value(body, kind, depth)}")
    return f"{name}({argument})"


@form("function.closure", ANY)
def closure(b: Block, kind: str, depth: int) -> str:
    """A nested function sees the last value of what it captures."""
    captured, name = b.program.fresh("v"), b.program.fresh("inner_")
    b.put(f"{captured} = {value(b, kind, 0)}")
    b.child(f"def {name}():").put(f"return {captured}")
    if b.program.chance(60):
        b.put(f"{captured} = {value(b, kind, depth)}")
    if b.program.chance(30):
        b.child(f"if {condition(b, 1)}:").put(f"{captured} = {value(b, kind, 0)}")
    return f"{name}()"


@form("function.nonlocal", ANY)
def nonlocal_(b: Block, kind: str, depth: int) -> str:
    captured, name = b.program.fresh("v"), b.program.fresh("inner_")
    b.put(f"{captured} = {value(b, kind, 0)}")
    body = b.child(f"def {name}():", loop=False)
    body.put(f"nonlocal {captured}", f"{captured} = {value(body, kind, depth)}")
    b.put(f"{name}()")
    return captured


@form("function.raises_or_returns", ANY)
def checked(b: Block, kind: str, depth: int) -> str:
    """A function that raises for some arguments."""
    called = helper(b, depth, ["int", *_kinds(b, kind)])
    test = f"{called.parameters[0][0]} {b.program.pick(['== 5', '< 0', '> 64', 'not in (0, 1, 2, 3, 4)'])}"
    called.body.child(f"if {test}:").put("raise ValueError")
    called.body.put(f"return {value(called.body, kind, depth)}")
    publish(called)
    first = called.parameters[0][0]
    return call_text(b, called, refer(b.module, called.body.module, called.name, b), depth - 1, {first: number_or(b, "3")})
