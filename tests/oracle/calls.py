"""Call sites: how the operator is reached, and how its arguments are passed."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.dicts import ARGUMENTS, build
from tests.oracle.forms import counted
from tests.oracle.values import condition, leaf, value
from tests.oracle.writer import Block

counted(
    "call.plain", "call.v2", "call.out", "call.torch_ops", "call.default_overload", "call.import_alias",
    "call.local_alias", "call.module_alias", "call.class_alias", "call.instance_alias", "call.getattr",
    "call.partial", "call.branch",
    "call.namespace_branch", "call.namespace_method", "call.record", "call.out_alias", "call.workspace",
    "arguments.keyword", "arguments.dict", "arguments.both", "arguments.missing", "arguments.two_dicts",
    "arguments.starred_tensors",
    "wrapper.function", "wrapper.kwargs", "wrapper.two_levels", "wrapper.method", "wrapper.expression",
    "wrapper.operator_argument",
    "wrapper.object", "wrapper.super", "wrapper.record",
    "path.early_exit", "path.branch", "path.called_function", "path.loop", "path.with",
)  # fmt: skip

NAME = "npu_fused_infer_attention_score"
KIND = {"pre_tokens": "int", "next_tokens": "int", "sparse_mode": "num", "atten_mask": "mask"}


def argument(b: Block, name: str, depth: int) -> str:
    """A value for a mask argument."""
    kind = "int" if name == "sparse_mode" and b.program.chance(20) else KIND[name]
    return value(b, kind, depth)


class Doubtful:
    """Which arguments of a call are doubtful: computes values and takes notes."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __call__(self, b: Block, name: str, depth: int) -> str:
        before = b.program.doubts
        text = argument(b, name, depth)
        if b.program.doubts > before:
            self.names.add(name)
        return text


def _plain(b: Block) -> str:
    b.module.want("import torch_npu")
    return f"torch_npu.{NAME}"


def _alias(b: Block, style: str) -> str:
    p, name = b.program, b.program.fresh("op")
    if style == "import_alias":
        b.module.want(f"from torch_npu import {NAME} as fia")
        return "fia"
    if style == "local_alias":
        b.put(f"{name} = {_plain(b)}")
    elif style == "module_alias":
        b.module.constants.append(f"{name} = {_plain(b)}")
    elif style == "getattr":
        b.module.want("import torch_npu")
        b.put(f'{name} = getattr(torch_npu, "{NAME}{p.pick(["", "_v2"])}")')
    elif style == "branch":
        b.put(f"{name} = {_plain(b)} if {condition(b, 1)} else torch_npu.{NAME}_v2")
    elif style == "record":
        b.module.want("from types import SimpleNamespace")
        b.put(f"{name} = SimpleNamespace(call={_plain(b)}, rank=0)")
        return f"{name}.call"
    return name


def _member(b: Block, style: str) -> str:
    owner, name = b.owner, b.program.fresh("op")
    if owner is None:
        return ""
    home = b.program.module(owner.module)
    home.want("import torch_npu")
    if style == "class_alias":
        owner.head.append(f"{name} = torch_npu.{NAME}")
    else:
        owner.constructor.append(f"        self.{name} = torch_npu.{NAME}")
    return f"self.{name}"


def _namespace(b: Block, style: str) -> str:
    b.module.want("import torch")
    b.module.want("import torchair as tng")
    name = b.program.fresh("ns")
    if style == "namespace_branch":
        b.put(f"{name} = tng.ops if {condition(b, 1)} else torch.ops.npu")
        return f"{name}.{NAME}"
    if b.owner is None:
        return ""
    home = b.program.module(b.owner.module)
    home.want("import torch")
    home.want("import torchair as tng")
    b.owner.methods += [
        f"    def {name}(self, graph):", "        if graph:", "            return tng.ops", "        return torch.ops.npu", "",
    ]  # fmt: skip
    b.put(f"{name} = self.{name}({leaf(b, 'bool')})")
    return f"{name}.{NAME}"


def operator(b: Block) -> tuple[str, str]:
    """``(callee, further arguments)`` of a call of the operator, reached in some way."""
    p = b.program
    style = p.pick([
        "plain", "plain", "plain", "v2", "out", "torch_ops", "default_overload", "import_alias", "local_alias", "module_alias",
        "class_alias", "instance_alias", "getattr", "branch", "namespace_branch", "namespace_method", "record", "out_alias",
        "workspace",
    ])  # fmt: skip
    extra, text = "", ""
    if style == "v2":
        text = _plain(b) + "_v2"
    elif style == "out":
        text, extra = _plain(b) + ".out", ", workspace=None, out=[q, v]"
    elif style == "workspace":
        text = _plain(b).replace(NAME, f"_{NAME}{p.pick(['', '_v2'])}_get_max_workspace")
    elif style == "out_alias":
        name = p.fresh("op")
        b.put(f"{name} = {_plain(b)}.out")
        text, extra = name, ", workspace=None, out=[q, v]"
    elif style in ("torch_ops", "default_overload"):
        b.module.want("import torch")
        text = f"torch.ops.npu.{NAME}{'.default' if style == 'default_overload' else ''}"
    elif style in ("class_alias", "instance_alias"):
        text = _member(b, style)
    elif style in ("namespace_branch", "namespace_method"):
        text = _namespace(b, style)
    elif style != "plain":
        text = _alias(b, style)
    if not text:
        style, text = "plain", _plain(b)
    p.count(f"call.{style}")
    return text, extra


def arguments(b: Block, depth: int, compute: Callable[[Block, str, int], str]) -> tuple[str, set[str]]:
    """``(text, doubtful)``: the mask arguments of a call, as keywords, in a dict, or both."""
    p = b.program
    names = [name for name in ARGUMENTS if p.chance(85)]
    if len(names) < 4:
        p.count("arguments.missing")
    style = p.pick(["keyword", "dict", "both", "keyword", "two_dicts"])
    p.count(f"arguments.{style}")
    words: list[str] = []
    before = p.doubts
    cut = {"keyword": len(names), "dict": 0}.get(style, p.number(0, len(names)))
    doubtful: set[str] = set()
    for name in names[:cut]:
        words.append(f"{name}={compute(b, name, depth)}")
    if style in ("dict", "both"):
        before = p.doubts
        keys = names[cut:]
        name = build(b, compute, keys, depth) if style == "dict" else _plain_dict(b, keys, compute, depth)
        words.append(f"**{name}")
        if p.doubts > before:
            doubtful = set(ARGUMENTS)
    if style == "two_dicts":
        words = []
        for keys in (names[:cut], names[cut:]):
            words.append(f"**{_plain_dict(b, keys, compute, depth)}")
    text = "".join(f", {word}" for word in words)
    return text, doubtful


def _plain_dict(b: Block, keys: list[str], compute: Callable[[Block, str, int], str], depth: int) -> str:
    """A dict with exactly these keys at most, so that nothing is passed twice."""
    p, name = b.program, b.program.fresh("kwargs")
    pairs = [f'"{key}": {compute(b, key, depth)}' for key in keys]
    b.put(f"{name} = {{{', '.join(pairs)}}}")
    if keys and p.chance(40):
        key = p.pick(keys)
        inner = b.child(f"if {condition(b, 1)}:")
        inner.put(p.pick([f'{name}["{key}"] = {compute(inner, key, depth)}', f'del {name}["{key}"]']))
    return name


def tensors(b: Block) -> str:
    if b.program.chance(15):
        b.program.count("arguments.starred_tensors")
        name = b.program.fresh("t")
        b.put(f"{name} = (q, k, v)")
        return f"*{name}"
    return b.program.pick(["q, k, v", "q, k, v", "query=q, key=k, value=v"])


def finish(b: Block, call: str, doubtful: set[str]) -> None:
    """Write a call and mark its line."""
    p = b.program
    number = len(p.sites) + 1
    p.sites[number] = frozenset(doubtful)
    shape = p.pick(["{}", "{}", "result = {}", "result = {}[0]", "result, _ = {}"])
    b.put(f"{shape.format(call)}  #@{number}")


def site(b: Block, depth: int) -> None:
    """A call of the operator with arguments that are computed before it."""
    compute = Doubtful()
    p = b.program
    if p.chance(8):
        return _partial(b, depth, compute)
    if p.chance(35):
        from tests.oracle.wrappers import wrapped

        return wrapped(b, depth, compute)
    text, doubtful = arguments(b, depth, compute)
    callee, extra = operator(b)
    finish(b, f"{callee}({tensors(b)}{text}{extra})", compute.names | doubtful)
    return None


def _partial(b: Block, depth: int, compute: Doubtful) -> None:
    """Some arguments beforehand; the call may override them."""
    p = b.program
    p.count("call.partial")
    b.module.want("import functools")
    name = p.fresh("op")
    early = [key for key in ARGUMENTS if p.chance(60)]
    late = [key for key in ARGUMENTS if p.chance(50)]
    words = "".join(f", {key}={compute(b, key, depth)}" for key in early)
    b.put(f"{name} = functools.partial({_plain(b)}{words})")
    words = "".join(f", {key}={compute(b, key, depth)}" for key in late)
    finish(b, f"{name}({tensors(b)}{words})", set(compute.names))
