"""The rewritings of captured tuples: two slots exchanged, one slot dropped.

Which tuple is read where is worked out here from names and lengths alone, apart from the tool: a tuple that is appended
somewhere goes with the unpackings of as many names around a ``graph_task_update_begin``; those of the same class, if any.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.rewritings import MASK, Key, Planting
from bench.source import Source

SHORTEST = 5


@dataclass(frozen=True)
class Unpacking:
    """Where captured values are read: the call that they feed, and the slots that reach its mask arguments."""

    call: Key
    owner: str | None
    length: int
    feeding: frozenset[int]


@dataclass(frozen=True)
class Captured:
    """A tuple literal that is stored, alone or as a part of a longer tuple: where its slots begin, and of how many.

    ``alternative``: in another branch another literal takes its place.
    """

    node: ast.Tuple
    owner: str | None
    start: int
    length: int
    alternative: bool = False


def slot_plantings(sources: Iterable[Source], aware: frozenset[Key]) -> Iterator[Planting]:
    """Exchanges of two slots of which at least one feeds a mask argument, and dropped slots.

    Of a tuple that feeds a window-aware update (``aware``) every slot is dropped once; of the others those that feed a mask
    argument, the first and the last. A tuple that is not the only one of its length is not out of step for want of a slot:
    those plantings are listed, not counted.
    """
    sources = list(sources)
    readers = [reader for source in sources for reader in unpackings(source)]
    stored = [(source, tuple_) for source in sources for tuple_ in captured(source)]
    lengths = Counter((tuple_.length, tuple_.start) for _, tuple_ in stored)
    for source in sources:
        for tuple_ in (t for s, t in stored if s is source):
            only = lengths[tuple_.length, 0] == 1 and not tuple_.alternative
            mine = [r for r in readers if r.length == tuple_.length]
            mine = [r for r in mine if r.owner == tuple_.owner] or mine
            if mine:
                yield from _of_tuple(source, tuple_, mine, aware, only)


def _of_tuple(
    source: Source, tuple_: Captured, readers: list[Unpacking], aware: frozenset[Key], only: bool
) -> Iterator[Planting]:
    window = any(reader.call in aware for reader in readers)
    elements = tuple_.node.elts
    feeding = {slot - tuple_.start for reader in readers for slot in reader.feeding}
    expected = {reader.call: ("FIA105",) for reader in readers}
    suffix = "" if window else " (no window)"
    place = f"{source.path}:{tuple_.node.lineno}, slots of {tuple_.length}:"
    for one, other in itertools.combinations(range(len(elements)), 2):
        if {one, other} & feeding and source.segment(elements[one]) != source.segment(elements[other]):
            text = source.edited(source.swap(elements[one], elements[other]))
            what = f"{place} {tuple_.start + one} and {tuple_.start + other}"
            yield Planting(f"slots exchanged{suffix}", source.path, text, expected, what, any_of=True)
    for slot in range(len(elements)):
        if window or slot in feeding or slot in (0, len(elements) - 1):
            text = source.edited([source.drop(elements[slot])])
            what = f"{place} {tuple_.start + slot} dropped"
            yield Planting(f"slot dropped{suffix}", source.path, text, expected, what, any_of=True, counted=only)


# ------------------------------------------------------------------------------------------------ reading


def unpackings(source: Source) -> Iterator[Unpacking]:
    """The unpackings around updates of a file that feed a mask argument."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            names = [e.id if isinstance(e, ast.Name) else "" for e in node.targets[0].elts]
            loop = next((n for n in source.above(node) if isinstance(n, ast.For)), source.function(node))
            if len(names) >= SHORTEST and loop and _mentions(loop, "graph_task_update_begin"):
                yield from _reads(source, node, names, loop)


def _reads(source: Source, node: ast.Assign, names: list[str], loop: ast.AST) -> Iterator[Unpacking]:
    owner = source.owner(node)
    for call in ast.walk(loop):
        if isinstance(call, ast.Call) and any(k.arg in MASK for k in call.keywords) and _named(call):
            used = {n.id for k in call.keywords if k.arg in MASK for n in ast.walk(k.value) if isinstance(n, ast.Name)}
            feeding = frozenset(slot for slot, name in enumerate(names) if name in used)
            if feeding:
                key = (source.path, call.lineno)
                yield Unpacking(key, owner.name if owner else None, len(names), feeding)


def _named(call: ast.Call) -> bool:
    return "npu_fused_infer_attention_score" in ast.unparse(call.func)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(node))


# ------------------------------------------------------------------------------------------------ storing


def captured(source: Source) -> Iterator[Captured]:
    """The tuple literals of a file that are appended to something, directly or through a local variable."""
    for node in ast.walk(source.tree):
        appended = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
        if appended and len(node.args) == 1:  # type: ignore[union-attr]
            owner = source.owner(node)
            name = owner.name if owner else None
            argument = node.args[0]  # type: ignore[union-attr]
            if isinstance(argument, ast.Tuple) and len(argument.elts) >= SHORTEST:
                yield Captured(argument, name, 0, len(argument.elts))
            elif isinstance(argument, ast.Name) and source.function(node):
                yield from _grown(source, source.function(node), argument.id, name)  # type: ignore[arg-type]


def _grown(source: Source, function: ast.AST, name: str, owner: str | None) -> Iterator[Captured]:
    """The literals of ``t = (…)``, ``t = t + (…)``; arms of one if statement stand for one another."""
    stages: dict[ast.AST, list[ast.Tuple]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
            literal = node.value.right if isinstance(node.value, ast.BinOp) else node.value
            if isinstance(literal, ast.Tuple):
                branch = source.parents[node]
                stage = branch if isinstance(branch, ast.If) and isinstance(node.value, ast.BinOp) else node
                stages.setdefault(stage, []).append(literal)
    ordered = sorted(stages.values(), key=lambda literals: literals[0].lineno)
    length = sum(len(literals[0].elts) for literals in ordered)
    start = 0
    for literals in ordered if length >= SHORTEST else ():
        yield from (Captured(literal, owner, start, length, len(literals) > 1) for literal in literals)
        start += len(literals[0].elts)
