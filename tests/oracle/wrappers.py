"""Calls of functions of the tree that pass mask arguments on to the operator."""

from __future__ import annotations

from tests.oracle.calls import KIND, NAME, Doubtful, _plain, arguments, finish
from tests.oracle.dicts import ARGUMENTS, build
from tests.oracle.functions import Helper, home_for, refer
from tests.oracle.values import condition, literal
from tests.oracle.writer import Block, Known, Module


def _mark(b: Block) -> str:
    """A mark for the call inside a wrapper: what comes from its parameters is unknown there."""
    p = b.program
    number = len(p.sites) + 1
    p.sites[number] = frozenset(ARGUMENTS)
    return f"  #@{number}"


def _begin(b: Block, home: Module, names: list[str]) -> tuple[Helper, dict[str, str]]:
    """A wrapper with one parameter per mask argument, and ``argument → parameter``."""
    p = b.program
    prefix = {"pre_tokens": "before", "next_tokens": "after", "sparse_mode": "mode", "atten_mask": "mask"}
    called = {name: p.fresh(prefix[name]) for name in names}
    known = [Known(parameter, KIND[name]) for name, parameter in called.items()]
    helper = Helper(p.fresh("run_"), Block(p, home, known), [(called[name], KIND[name]) for name in names])
    helper.defaults = {parameter: literal(b) for name, parameter in called.items() if name != "atten_mask" and p.chance(40)}
    if "atten_mask" in called and (p.chance(50) or helper.defaults):
        helper.defaults[called["atten_mask"]] = "None"
    return helper, called


def _signature(helper: Helper, first: str = "", more: str = "") -> str:
    plain = [name for name, _ in helper.parameters if name not in helper.defaults]
    late = [f"{name}={helper.defaults[name]}" for name, _ in helper.parameters if name in helper.defaults]
    words = [*([first] if first else []), "q", "k", "v", *plain, *late, *([more] if more else [])]
    return f"def {helper.name}({', '.join(words)}):"


def _inside(b: Block, name: str, parameter: str) -> str:
    """What a wrapper makes of its parameter."""
    p = b.program
    if name in ("atten_mask", "sparse_mode") or not p.chance(40):
        return f"{name}={parameter}"
    p.count("wrapper.expression")
    options = ["{0} - 1", "{0} + 1", "({0} if {0} is not None else 2147483647)", "({0} or 2147483647)", "max({0}, 0)", "int({0})"]
    return f"{name}={p.pick(options).format(parameter)}"


def _call(b: Block, helper: Helper, called: dict[str, str], compute: Doubtful, depth: int, target: str, more: str = "") -> None:
    """Write a call of a wrapper: positional as far as that goes, then keywords or a dict."""
    p = b.program
    order = sorted((n for n, _ in helper.parameters), key=lambda n: n in helper.defaults)
    by_parameter = {parameter: name for name, parameter in called.items()}
    given = [n for n in order if n not in helper.defaults or p.chance(60)]
    texts = {n: compute(b, by_parameter[n], depth) for n in given}
    count = 0
    while count < len(given) and given[count] == order[count] and p.chance(50):
        count += 1
    positional = [f"({texts[n]})" for n in given[:count]]
    rest = given[count:]
    if positional and p.chance(25):
        p.count("pass.starred")
        words = [f"*({', '.join(positional)},)"]
    else:
        words = positional
    if rest and p.chance(25):
        p.count("pass.double_star")
        words.append("**{" + ", ".join(f'"{n}": {texts[n]}' for n in rest) + "}")
    else:
        words += [f"{n}={texts[n]}" for n in rest]
    text = "".join(f", {word}" for word in words)
    finish(b, f"{target}(q, k, v{text}{more})", set(compute.names))


def wrapped(b: Block, depth: int, compute: Doubtful) -> None:
    """A call of a wrapper of some sort."""
    p = b.program
    style = p.pick(["function", "kwargs", "two_levels", "method", "operator_argument", "object", "super", "record"])
    if style in ("method", "object", "super") and (b.owner is None or (style == "super" and b.owner.base is None)):
        style = "function"
    p.count(f"wrapper.{style}")
    globals()[f"_{style}"](b, depth, compute)


def _function(b: Block, depth: int, compute: Doubtful) -> None:
    home = home_for(b)
    helper, called = _begin(b, home, [name for name in ARGUMENTS if b.program.chance(75)] or ["pre_tokens"])
    _body(helper, called)
    home.body += [_signature(helper), *helper.body.lines, "", ""]
    _call(b, helper, called, compute, depth, refer(b.module, home, helper.name, b))


def _body(helper: Helper, called: dict[str, str]) -> None:
    body = helper.body
    words = ", ".join(_inside(body, name, parameter) for name, parameter in called.items())
    body.put(f"return {_plain(body)}(q, k, v, {words}){_mark(body)}")


def _kwargs(b: Block, depth: int, compute: Doubtful) -> None:
    """A wrapper that takes whatever it is given."""
    p, home = b.program, home_for(b)
    name = p.fresh("run_")
    body = Block(p, home, [])
    head = f"def {name}(q, k, v, **options):"
    style = p.number(0, 2)
    if style == 0:
        body.put(f"return {_plain(body)}(q, k, v, **options){_mark(body)}")
    elif style == 1:
        body.put(f'options.setdefault("{p.pick(ARGUMENTS[:3])}", {literal(b)})')
        body.put(f"return {_plain(body)}(q, k, v, **options){_mark(body)}")
    else:
        body.put(f'mode = options.pop("sparse_mode", {literal(b)})')
        body.put(f"return {_plain(body)}(q, k, v, sparse_mode=mode, **options){_mark(body)}")
    home.body += [head, *body.lines, "", ""]
    text, doubtful = arguments(b, depth, compute)
    finish(b, f"{refer(b.module, home, name, b)}(q, k, v{text})", compute.names | doubtful)


def _two_levels(b: Block, depth: int, compute: Doubtful) -> None:
    p, home = b.program, home_for(b)
    inner, called = _begin(b, home, list(ARGUMENTS))
    _body(inner, called)
    home.body += [_signature(inner), *inner.body.lines, "", ""]
    outer, outer_called = _begin(b, b.module, list(ARGUMENTS))
    words = ", ".join(f"{called[name]}={outer_called[name]}" for name in ARGUMENTS)
    target = refer(b.module, home, inner.name, b)
    outer.body.put(f"return {target}(q, k, v, {words}){_mark(b)}")
    b.module.body += [_signature(outer), *outer.body.lines, "", ""]
    _call(b, outer, outer_called, compute, depth, outer.name)
    del p


def _method(b: Block, depth: int, compute: Doubtful) -> None:
    p, owner = b.program, b.owner
    assert owner is not None
    helper, called = _begin(b, p.module(owner.module), [name for name in ARGUMENTS if p.chance(75)] or ["next_tokens"])
    helper.body.indent = 2
    if p.chance(40) and "same_name" not in p.flags:
        p.flags.add("same_name")
        helper.name = NAME
    static = p.chance(25)
    _body(helper, called)
    owner.methods += [
        *(["    @staticmethod"] if static else []), "    " + _signature(helper, "" if static else "self"), *helper.body.lines, "",
    ]  # fmt: skip
    target = p.pick([f"self.{helper.name}", f"{owner.name}.{helper.name}"]) if static else f"self.{helper.name}"
    if static and b.module.name != owner.module:
        target = f"self.{helper.name}"
    _call(b, helper, called, compute, depth, target)


def _operator_argument(b: Block, depth: int, compute: Doubtful) -> None:
    """``launch(torch_npu.NAME, kwargs)``."""
    p, home = b.program, home_for(b)
    name = p.fresh("launch_")
    body = Block(p, home, [])
    style = p.pick(["kwargs", "**options"])
    body.put(f"return op(q, k, v, {'**kwargs' if style == 'kwargs' else '**options'}){_mark(body)}")
    home.body += [f"def {name}(q, k, v, op, {style}):", *body.lines, "", ""]
    before = p.doubts
    keys = [key for key in ARGUMENTS if p.chance(80)]
    built = build(b, compute, keys, depth)
    doubtful = set(ARGUMENTS) if p.doubts > before else set()
    if p.chance(30):
        b.child(f"if {condition(b, 1)}:").put("pass")
    operator = p.pick([_plain(b), f"{_plain(b)}_v2"])
    passed = f"{p.pick(['', 'kwargs='])}{built}" if style == "kwargs" else f"**{built}"
    first = p.pick(["", "op="]) if "=" in passed or style != "kwargs" else ""
    finish(b, f"{refer(b.module, home, name, b)}(q, k, v, {first}{operator}, {passed})", compute.names | doubtful)


def _record(b: Block, depth: int, compute: Doubtful) -> None:
    """The operator kept with its arguments, and called later."""
    p, name = b.program, b.program.fresh("task")
    before = p.doubts
    built = build(b, compute, [key for key in ARGUMENTS if p.chance(80)], depth)
    doubtful = set(ARGUMENTS) if p.doubts > before else set()
    b.module.want("from types import SimpleNamespace")
    b.put(f"{name} = SimpleNamespace(op={_plain(b)}, kwargs={built})")
    if p.chance(30):
        key = p.pick(ARGUMENTS)
        b.put(f'{name}.kwargs["{key}"] = {compute(b, key, depth)}')
    finish(b, f"{name}.op(q, k, v, **{name}.kwargs)", compute.names | doubtful)


def _object(b: Block, depth: int, compute: Doubtful) -> None:
    """A method of an object that the constructor made."""
    p, owner = b.program, b.owner
    assert owner is not None
    home = p.module(owner.module)
    name, attribute = p.fresh("Runner"), p.fresh("runner")
    helper, called = _begin(b, home, [n for n in ARGUMENTS if p.chance(75)] or ["pre_tokens"])
    helper.body.indent = 2
    _body(helper, called)
    home.constants += [f"class {name}:", "    " + _signature(helper, "self"), *helper.body.lines, "", ""]
    owner.constructor.append(f"        self.{attribute} = {name}()")
    _call(b, helper, called, compute, depth, f"self.{attribute}.{helper.name}")


def _super(b: Block, depth: int, compute: Doubtful) -> None:
    """A wrapper of the base, called through super() where the subclass has its own."""
    p, owner = b.program, b.owner
    assert owner is not None and owner.base is not None
    helper, called = _begin(b, p.module(owner.base.module), list(ARGUMENTS))
    helper.body.indent = 2
    _body(helper, called)
    owner.base.methods += ["    " + _signature(helper, "self"), *helper.body.lines, ""]
    if p.chance(50):
        owner.methods += [f"    def {helper.name}(self, q, k, v, *args, **kwargs):", "        raise NotImplementedError", ""]
    _call(b, helper, called, compute, depth, f"super().{helper.name}")
