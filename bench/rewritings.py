"""The rewritings of the planting test: each makes one call wrong, in the call or in what stands behind an argument."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bench.source import Edit, Source

MASK = ("pre_tokens", "next_tokens", "sparse_mode", "atten_mask")
#: Path and line of a call: what does not change when a call is rewritten without changing the number of lines.
Key = tuple[str, int]

_WINDOW = re.compile(r"(?i)\b(\w*_)?(sliding_window(_size)?|window(_size)?|sw|swa_window|local_window|attn_window)\b")


@dataclass(frozen=True)
class Planting:
    """One mistake: the rewritten file, and for each call that gets it the codes that must name it.

    ``any_of`` says that one of the calls is enough, ``counted`` whether the tool must find it.
    """

    rewriting: str
    path: str
    text: str
    expected: dict[Key, tuple[str, ...]]
    what: str
    any_of: bool = False
    query: bool = False
    counted: bool = True


@dataclass(frozen=True)
class Target:
    """A call that takes part: the tool's site (JSON) and the node."""

    site: dict[str, Any]
    node: ast.Call

    @property
    def key(self) -> Key:
        return self.site["path"], self.site["line"]

    @property
    def query(self) -> bool:
        return bool(self.site["role"] == "workspace")

    @property
    def band(self) -> bool:
        """In band mode with a window, under some condition."""
        modes = [case["value"] for case in self.site["arguments"]["sparse_mode"]["cases"]]
        pres = [case["value"] for case in self.site["arguments"]["pre_tokens"]["cases"]]
        return "4" in modes and any("sliding_window" in value for value in pres)

    def keyword(self, name: str) -> ast.keyword | None:
        return next((k for k in self.node.keywords if k.arg == name), None)


def targets(source: Source, sites: Iterable[dict[str, Any]]) -> list[Target]:
    """The window-aware calls of one file."""
    aware = [site for site in sites if site["path"] == source.path and site["window_aware"]]
    return [Target(site, source.call(site["line"], site["column"])) for site in aware]


def plantings(source: Source, sites: Iterable[dict[str, Any]]) -> Iterator[Planting]:
    """Every rewriting of every window-aware call of a file that applies."""
    calls = targets(source, sites)
    for target in calls:
        for name, edits, codes in _at_call(source, target):
            expected = {target.key: ("FIA104",) if target.query else codes}
            what = f"{source.path}:{target.key[1]}"
            yield Planting(name, source.path, source.edited(edits), expected, what, query=target.query)
    yield from _behind(source, calls)


# ------------------------------------------------------------------------------------------------ in the call


def _at_call(source: Source, target: Target) -> Iterator[tuple[str, list[Edit], tuple[str, ...]]]:
    """``(rewriting, edits, expected codes)`` for what is written in the call itself."""
    pre, next_, mode = (target.keyword(name) for name in MASK[:3])
    band = target.band
    if pre:
        yield "(X) - 1 for pre", [_wrap(source, pre.value, "-")], ("FIA101",)
    if next_:
        yield "(X) + 1 for next", [_wrap(source, next_.value, "+")], _ahead("FIA102", band)
        yield "next left out", [source.drop(next_)], ("FIA203" if band else "FIA102",)
    if pre and band:
        yield "pre left out", [source.drop(pre)], ("FIA203",)
    if mode and band:
        yield "mode set to 3", [_constant(source, mode.value, "3")], ("FIA202",)
    if pre and next_:
        both = _unpacked(source, target, pre.value) and _unpacked(source, target, next_.value)
        replayed = both and target.site["role"] == "update"
        codes = ("FIA105",) if replayed else _ahead("FIA101", band, "FIA102")
        yield "pre and next exchanged", source.swap(pre.value, next_.value), codes
    for keyword, codes in ((pre, ("FIA101",)), (next_, _ahead("FIA102", band)), (mode, ("FIA202",) if band else ())):
        edit = inverted(source, keyword.value) if keyword and codes else None
        if edit:
            yield "condition inverted", [edit], codes


def _ahead(code: str, band: bool, *more: str) -> tuple[str, ...]:
    return (code, *more, "FIA201") if band else (code, *more)


def _wrap(source: Source, node: ast.expr, sign: str) -> Edit:
    return source.replace(node, f"({source.segment(node)}) {sign} 1")


def _constant(source: Source, node: ast.expr, new: str) -> Edit:
    """A node replaced by something short, its line ends kept."""
    lines = source.segment(node).count("\n")
    return source.replace(node, f"({new}" + "\n" * lines + ")" if lines else new)


def inverted(source: Source, node: ast.expr) -> Edit | None:
    """``a if c else b`` with ``not (c)``; ``w or b`` as ``b if w else w``. None if there is no condition."""
    if isinstance(node, ast.IfExp):
        return source.replace(node.test, f"not ({source.segment(node.test)})")
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
        tested, other = (source.segment(value) for value in node.values)
        if "\n" not in source.segment(node):
            return source.replace(node, f"({other} if {tested} else {tested})")
    return None


def _unpacked(source: Source, target: Target, value: ast.expr) -> bool:
    """Whether an argument is a name that an unpacking in the same function binds."""
    function = source.function(target.node)
    if not isinstance(value, ast.Name) or function is None:
        return False
    bound = (n.targets[0] for n in ast.walk(function) if isinstance(n, ast.Assign))
    tuples = (t for t in bound if isinstance(t, (ast.Tuple, ast.List)))
    return any(isinstance(e, ast.Name) and e.id == value.id for t in tuples for e in t.elts)


# ------------------------------------------------------------------------------------------------ behind an argument


def _behind(source: Source, calls: list[Target]) -> Iterator[Planting]:
    """The same in the local variable, the dict or the default that an argument comes from."""
    done: set[tuple[str, str]] = set()
    for target in calls:
        for argument, kind, value, getters in _origins(source, target):
            for name, edits in _value_rewritings(source, argument, value):
                text = source.edited(edits)
                if (name, text) not in done:
                    done.add((name, text))
                    yield _planting(source, calls, f"{name}, in the {kind}", text, argument, getters, value)
        for planting in [*_dict_entries_left_out(source, calls, target), *_variables_exchanged(source, calls, target)]:
            if (planting.rewriting, planting.text) not in done:
                done.add((planting.rewriting, planting.text))
                yield planting


def _planting(
    source: Source, calls: list[Target], name: str, text: str, argument: str, getters: set[int], value: ast.AST
) -> Planting:
    """What a change behind ``argument`` must give at every call of ``calls`` that gets it (by line)."""
    codes = _codes_behind(name, argument)
    function = next((source.function(c.node) for c in calls if c.key[1] in getters), None)
    here = [c for c in calls if function is not None and source.function(c.node) is function]
    out_gets = all(c.key[1] in getters for c in here if not c.query)
    expected: dict[Key, tuple[str, ...]] = {}
    for call in calls:
        if call.key[1] in getters and not call.query:
            expected[call.key] = tuple(code for code in codes if code != "FIA201" or call.band)
    one_sided = [c for c in here if c.query and (c.key[1] in getters) != out_gets]
    if not expected:
        one_sided = [c for c in here if c.query and c.key[1] in getters]
    expected |= {call.key: ("FIA104",) for call in one_sided}
    line = getattr(value, "lineno", 0)
    return Planting(name, source.path, text, expected, f"{source.path}:{line} {argument}", any_of="default" in name)


def _codes_behind(name: str, argument: str) -> tuple[str, ...]:
    if name.startswith("mode set") or (name.startswith("condition") and argument == "sparse_mode"):
        return ("FIA202",)
    if name.startswith("pre and next"):
        return ("FIA101", "FIA102", "FIA201")
    if "left out" in name:
        return ("FIA203",)
    return ("FIA101",) if argument == "pre_tokens" else ("FIA102", "FIA201")


def _value_rewritings(source: Source, argument: str, value: ast.AST) -> Iterator[tuple[str, list[Edit]]]:
    """``(rewriting, edits)`` of the expression (or the if statement) that gives an argument its value."""
    if isinstance(value, ast.If):
        yield "condition inverted", [source.replace(value.test, f"not ({source.segment(value.test)})")]
        return
    assert isinstance(value, ast.expr)
    text = source.segment(value)
    if argument == "pre_tokens" and _WINDOW.search(text):
        yield "(X) - 1 for pre", [_wrap(source, value, "-")]
    if argument == "next_tokens":
        yield "(X) + 1 for next", [_wrap(source, value, "+")]
    if argument == "sparse_mode" and any(isinstance(n, ast.Constant) and n.value == 4 for n in ast.walk(value)):
        yield "mode set to 3", [_constant(source, value, "3")]
    edit = inverted(source, value)
    if edit:
        yield "condition inverted", [edit]


def _origins(source: Source, target: Target) -> Iterator[tuple[str, str, ast.AST, set[int]]]:
    """``(argument, kind, node, lines of the calls that get it)`` of what stands behind the arguments of a call."""
    function = source.function(target.node)
    if function is None:
        return
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    for argument in MASK[:3]:
        keyword = target.keyword(argument)
        if keyword and isinstance(keyword.value, ast.Name):
            name = keyword.value.id
            getters = {c.lineno for c in calls if any(k.arg == argument and _is_name(k.value, name) for k in c.keywords)}
            yield from ((argument, kind, node, getters) for kind, node in _bindings(source, function, name))
        for name, value in _entries(function, target.node, argument):
            getters = {c.lineno for c in calls if any(k.arg is None and _is_name(k.value, name) for k in c.keywords)}
            yield argument, "dict", value, getters


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _bindings(source: Source, function: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
    """What a local name is assigned, an if statement that chooses only between constants, or its default as a parameter."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_name(node.targets[0], name):
            yield "local variable", node.value
        if isinstance(node, ast.If) and _chooses(node, name):
            yield "local variable", node
    arguments = function.args  # type: ignore[attr-defined]
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(positional[::-1], arguments.defaults[::-1], strict=False))
    for parameter, default in [*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]:
        if parameter.arg == name and isinstance(default, ast.Constant) and isinstance(default.value, int):
            yield "default", default


def _chooses(node: ast.If, name: str) -> bool:
    """Whether an if statement does nothing but assign names, this one in both arms."""
    arms = (node.body, node.orelse)
    plain = all(isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) for arm in arms for s in arm)
    return plain and all(any(_is_name(s.targets[0], name) for s in arm) for arm in arms)  # type: ignore[attr-defined]


def _entries(function: ast.AST, call: ast.Call, argument: str) -> Iterator[tuple[str, ast.expr]]:
    """``(name of the dict, value)`` where an argument comes out of a local dict passed by ``**``."""
    for name in [k.value.id for k in call.keywords if k.arg is None and isinstance(k.value, ast.Name)]:
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and _is_name(node.targets[0], name):
                for key, value in _items(node.value):
                    if key == argument:
                        yield name, value


def _items(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield key.value, value
    elif isinstance(node, ast.Call) and _is_name(node.func, "dict"):
        yield from ((k.arg, k.value) for k in node.keywords if k.arg)


def _dict_entries_left_out(source: Source, calls: list[Target], target: Target) -> Iterator[Planting]:
    function = source.function(target.node)
    for argument in MASK[:2]:
        for name, value in _entries(function, target.node, argument) if function and target.band else ():
            parent = source.parents[value]
            start = None
            if isinstance(parent, ast.Dict):
                start = source.span(parent.keys[parent.values.index(value)])[0]  # type: ignore[arg-type]
            entry = parent if isinstance(parent, ast.keyword) else value
            text = source.edited([source.drop(entry, start)])
            inside = [c for c in ast.walk(function) if isinstance(c, ast.Call)]  # type: ignore[arg-type]
            getters = {c.lineno for c in inside if _spreads(c, name)}
            label = f"{argument.split('_')[0]} left out, in the dict"
            yield _planting(source, calls, label, text, argument, getters, value)


def _variables_exchanged(source: Source, calls: list[Target], target: Target) -> Iterator[Planting]:
    """What two local variables are assigned, exchanged: each is assigned once, and one call gets both."""
    pre, next_ = target.keyword("pre_tokens"), target.keyword("next_tokens")
    function = source.function(target.node)
    if function and pre and next_ and isinstance(pre.value, ast.Name) and isinstance(next_.value, ast.Name):
        ones, others = (list(_bindings(source, function, k.value.id)) for k in (pre, next_))  # type: ignore[attr-defined]
        if len(ones) == len(others) == 1 and ones[0][0] == others[0][0] == "local variable":
            text = source.edited(source.swap(ones[0][1], others[0][1]))
            label = "pre and next exchanged, in the local variable"
            inside = [c for c in ast.walk(function) if isinstance(c, ast.Call)]
            name = pre.value.id
            getters = {c.lineno for c in inside if any(k.arg == "pre_tokens" and _is_name(k.value, name) for k in c.keywords)}
            yield _planting(source, calls, label, text, "pre_tokens", getters, ones[0][1])


def _spreads(call: ast.Call, name: str) -> bool:
    return any(k.arg is None and _is_name(k.value, name) for k in call.keywords)
