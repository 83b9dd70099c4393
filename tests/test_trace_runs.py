"""Every step of a trace is a claim. Random programs are run for real: what a value passed through must be among the steps."""

from __future__ import annotations

import ast
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from fia_lint.run import analyse
from fia_lint.settings import Settings
from fia_lint.targets.tree import Tree
from tests.trace_programs import program
from tests.trace_runs import run

ASSIGNS = {"assign", "augment", "loop", "walrus", "change"}


def traced(text: str) -> list[tuple[str, int]]:
    """The kind and the line of every step behind ``pre_tokens`` of the only call."""
    result = analyse(Tree.of({"program.py": text.encode()}), Settings())
    assert result.evaluation is not None
    (site,) = result.evaluation.sites
    return [(step.kind, step.place.span.line) for step in result.tracer.origin(site, "pre_tokens").steps]


def read_on_the_way(text: str) -> set[int]:
    """The lines of all assignments that may have to do with the argument: those whose names are read for it, wherever."""
    tree = ast.parse(text)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    wanted = {node.value.id for node in keywords if node.arg == "pre_tokens"}  # type: ignore[attr-defined]
    lines: set[int] = set()
    while True:
        known = len(wanted), len(lines)
        for stmt in statements:
            if isinstance(stmt, (ast.FunctionDef, ast.ClassDef)):
                continue
            if _bound(stmt) & wanted:
                lines.add(stmt.lineno)
                wanted |= _read(stmt, statements)
        if known == (len(wanted), len(lines)):
            return lines


def _bound(stmt: ast.stmt) -> set[str]:
    """The names, attributes and objects that a statement gives something; a return gives its function's name a value."""
    if isinstance(stmt, ast.Return):
        return {"doubled", "taken"} & {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name)}
    if isinstance(stmt, ast.Expr):
        return {"table"} if "table" in ast.unparse(stmt) else {"width"} if "widen" in ast.unparse(stmt) else set()
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [getattr(stmt, "target", None)]
    found = set()
    for node in (inner for target in targets if target is not None for inner in ast.walk(target)):
        found |= {node.id} if isinstance(node, ast.Name) else {node.attr} if isinstance(node, ast.Attribute) else set()
    return found - {"self"}


def _read(stmt: ast.stmt, statements: list[ast.stmt]) -> set[str]:
    """The names that a statement reads, with those in the tests around it; of a function that it calls, all of them."""
    around = [each for each in statements if isinstance(each, ast.If) and stmt in ast.walk(each)]
    read: set[str] = set()
    for expr in [*(each.test for each in around), *ast.iter_child_nodes(stmt)]:
        if not isinstance(expr, ast.stmt):
            names = {n.id for n in ast.walk(expr) if isinstance(n, ast.Name)} | {
                n.attr for n in ast.walk(expr) if isinstance(n, ast.Attribute)
            }
            read |= names - {"self"}
    called = {"twice": "doubled", "choose": "taken", "fill": "amount", "widen": "amount"}
    return read | {name for function, name in called.items() if function in read} | ({"again"} if "table" in read else set())


@settings(derandomize=True)
@given(st.integers(0, 10**9))
def test_what_a_value_passed_through_is_told_and_nothing_else(seed: int) -> None:
    random = Random(seed)
    text = program(random)
    steps = traced(text)
    told = {line for _, line in steps}
    for _ in range(4):
        inputs = random.randint(1, 9), random.randint(1, 9), random.randint(1, 9), random.random() < 0.5, random.random() < 0.5
        missing = run(text, *inputs) - told
        assert not missing, f"{inputs}: {sorted(missing)} missing in\n{text}"
    strange = {line for kind, line in steps if kind in ASSIGNS} - read_on_the_way(text)
    assert not strange, f"{sorted(strange)} has nothing to do with it in\n{text}"
