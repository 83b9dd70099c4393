"""Making a failing program small: drop statements, put parts in the place of wholes, as long as it still fails."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping

Files = dict[str, str]


def minimise(files: Mapping[str, str], fails: Callable[[Files], bool], limit: int = 1500) -> Files:
    """The smallest program found within ``limit`` trials for which ``fails`` still holds."""
    best = {path: ast.unparse(ast.parse(source)) for path, source in files.items()}
    if not fails(best):
        return dict(files)
    trials, shrinking = 0, True
    while shrinking and trials < limit:
        shrinking = False
        for path in sorted(best, key=lambda p: -len(best[p])):
            position = 0
            while trials < limit:
                candidate = _variant(best[path], position)
                if candidate is None:
                    break
                trials += 1
                if len(candidate) < len(best[path]) and fails({**best, path: candidate}):
                    best[path], shrinking = candidate, True
                else:
                    position += 1
    return {path: source for path, source in best.items() if source.strip() or path.endswith("__init__.py")}


def _variant(source: str, position: int) -> str | None:
    """The program with one change, the one with this number; None if there are not that many."""
    tree = ast.parse(source)
    for number, change in enumerate(_changes(tree)):
        if number == position:
            change()
            return ast.unparse(ast.fix_missing_locations(tree))
    return None


def _changes(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Every change that can be made, the largest first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield from _in_block(node, name, block)
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(node, (ast.withitem, ast.keyword)):
                yield from _simpler(node, name, value)
            if isinstance(value, list) and value and all(isinstance(item, (ast.expr, ast.keyword)) for item in value):
                yield from _shorter(node, name, value)
        if isinstance(node, ast.keyword):
            yield from _simpler(node, "value", node.value)


def _in_block(node: ast.AST, name: str, block: list[ast.AST]) -> Iterator[Callable[[], None]]:
    for place, item in enumerate(block):
        needed = len(block) == 1 and name in ("body", "handlers", "cases")
        if not needed or isinstance(node, ast.Module):
            yield lambda place=place: block.pop(place)  # type: ignore[misc]
        elif not isinstance(item, (ast.Pass, ast.excepthandler, ast.match_case)):
            yield lambda place=place: block.__setitem__(place, ast.Pass())  # type: ignore[misc]
        for inner in ("body", "orelse", "finalbody"):
            lines = getattr(item, inner, None)
            if lines and not isinstance(item, (ast.FunctionDef, ast.ClassDef, ast.excepthandler, ast.match_case)):
                yield lambda place=place, lines=lines: block.__setitem__(slice(place, place + 1), lines)  # type: ignore[misc]


def _simpler(node: ast.AST, name: str, value: ast.expr) -> Iterator[Callable[[], None]]:
    if isinstance(getattr(value, "ctx", None), (ast.Store, ast.Del)):
        return
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Starred):
            yield lambda child=child: setattr(node, name, copy.deepcopy(child))  # type: ignore[misc]
    if not isinstance(value, ast.Constant) and not isinstance(node, ast.Call):
        yield lambda: setattr(node, name, ast.Constant(None))


def _shorter(node: ast.AST, name: str, items: list[ast.AST]) -> Iterator[Callable[[], None]]:
    if isinstance(node, (ast.Assign, ast.Delete, ast.Compare, ast.BoolOp)) and len(items) < 2:
        return
    for place in range(len(items)):
        yield lambda place=place: items.pop(place)  # type: ignore[misc]
