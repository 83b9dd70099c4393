"""Rewritings that mean nothing and concern several files: a constant moved to a module of its own, modules renamed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from bench.meaningless import MARK
from bench.source import Edit, Source

#: Path → new text; None where the file is no longer there.
Changes = dict[str, "str | None"]
Reader = Callable[[str], str]


def constants_moved(paths: list[str], read: Reader, chosen: list[str]) -> Changes:
    """Each constant of the chosen modules moves to a new module beside it, and is imported."""
    changes: Changes = {}
    for path in chosen:
        source = Source(path, read(path))
        constants = [node for node in source.tree.body if _is_constant(source, node)]
        if constants:
            module = f"constants_of_{PurePosixPath(path).stem}{MARK}"
            package = str(PurePosixPath(path).parent / "__init__.py") in paths
            prefix = "." if package else ""
            edits = [source.replace(node, f"from {prefix}{module} import {_name(node)}") for node in constants]
            changes[path] = source.edited(edits)
            lines = [source.segment(node) for node in constants]
            changes[str(PurePosixPath(path).with_name(f"{module}.py"))] = "\n".join([*lines, ""])
    return changes


def _is_constant(source: Source, node: ast.stmt) -> bool:
    """``NAME = 2**31 - 1``: arithmetic on numbers, in capitals, bound only once in the file, no string of several lines."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return False
    name = node.targets[0].id
    allowed = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    bound = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    declared = any(isinstance(n, ast.Global) and name in n.names for n in ast.walk(source.tree))
    return (
        name.isupper()
        and len(bound) == 1
        and not declared
        and all(isinstance(n, allowed) for n in ast.walk(node.value))
        and source.first_on_line(node)
    )


def _name(node: ast.stmt) -> str:
    assert isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    return node.targets[0].id


# ------------------------------------------------------------------------------------------------ modules


def modules_renamed(paths: list[str], read: Reader, chosen: list[str]) -> Changes:
    """The chosen modules get names that sort in the opposite order; every import of them follows."""
    movable = [p for p in chosen if PurePosixPath(p).stem not in ("__init__", "__main__", "conftest")]
    stems = {str(_module(p)): f"z{len(movable) - i:03d}_{PurePosixPath(p).stem}" for i, p in enumerate(sorted(movable))}
    words = {module.rpartition(".")[2] for module in stems}
    changes: Changes = {}
    for path in paths:
        text = read(path)
        if any(word in text for word in words):
            source = Source(path, text)
            edits = list(_imports(source, stems))
            if edits:
                changes[path] = source.edited(edits)
    for path in movable:
        text = changes.pop(path, None) or read(path)
        changes[path] = None
        changes[str(PurePosixPath(path).with_name(f"{stems[_module(path)]}.py"))] = text
    return changes


def _module(path: str) -> str:
    """The dotted name of a module, from the top of the tree."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(source: Source, stems: dict[str, str]) -> Iterator[Edit]:
    """Edits of every import of a renamed module."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            base = _absolute(source.path, node)
            if base in stems:
                yield _in_text(source, node, base.rpartition(".")[2], stems[base])
            for alias in node.names:
                module = f"{base}.{alias.name}" if base else alias.name
                if module in stems:
                    new = f"{stems[module]} as {alias.asname or alias.name}"
                    yield source.replace(alias, new)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in stems:
                    if not alias.asname and "." in alias.name:
                        raise ValueError(f"{source.path}: import {alias.name} without a name")
                    prefix = alias.name.rpartition(".")
                    new = f"{prefix[0]}{prefix[1]}{stems[alias.name]}"
                    yield source.replace(alias, f"{new} as {alias.asname or alias.name}")


def _absolute(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = PurePosixPath(path).parent.parts
    package = package[: len(package) - (node.level - 1)]
    return ".".join([*package, *([node.module] if node.module else [])])


def _in_text(source: Source, node: ast.ImportFrom, old: str, new: str) -> Edit:
    """The last part of the module's name, between ``from`` and ``import``."""
    start, _ = source.span(node)
    end = source.text.index(" import", start)
    place = source.text.rindex(old, start, end)
    return Edit(place, place + len(old), new)


def original_path(path: str) -> str:
    """A path as it was before its module was renamed."""
    pure = PurePosixPath(path)
    head, _, tail = pure.name.partition("_")
    return str(pure.with_name(tail)) if len(head) == 4 and head[0] == "z" and head[1:].isdigit() else path
