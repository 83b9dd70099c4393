"""What code is lowered to: the right items, at the right places."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fia_lint
from fia_lint.extract import extract, ir
from fia_lint.spans import Span
from tests.python_forms import FORMS, inside_strings, items, read_again, shape

OWN_FILES = sorted(Path(fia_lint.__file__).parent.glob("extract/*.py"))


def body(source: str) -> list[ir.Stmt]:
    return extract("a.py", textwrap.dedent(source).encode()).body


def value(source: str) -> ir.Expr:
    (stmt,) = body(source)
    assert isinstance(stmt, ir.ExprStmt)
    return stmt.value


def assert_spans_hold(source: str) -> None:
    """The text at the span of every expression is that expression."""
    facts = extract("a.py", source.encode())
    hidden = inside_strings(facts.body)
    for item in items(facts.body):
        if isinstance(item, ir.Expr) and id(item) not in hidden and getattr(item, "kind", "") != "type alias":
            assert shape(read_again(item, facts.text(item.span))) == shape(item)


def test_spans_of_every_form() -> None:
    assert_spans_hold(FORMS)


@pytest.mark.parametrize("path", OWN_FILES[::3], ids=lambda path: path.name)
def test_spans_of_our_own_code(path: Path) -> None:
    assert_spans_hold(path.read_text(encoding="utf-8"))


ATOMS = st.sampled_from(["a", "ä", "(ß)", "1", "'é'", "x.y", "None", "f()", "'''ü\n'''", "-1", "[]", "f'{a}'"])
WRAPS = st.sampled_from(
    ["({0}) + ({1})", "({0}\n , {1})", "f({0}, k={1})", "({0} if {1} else ä)", "[{0} for ñ in {1}]", "({0}).é[{1}:]"]
    + ["(not {0} or {1})", "({0}, *({1}))", "{{{0}: {1}, **ö}}", "(lambda ü={0}: {1})", "(ü := {0}) < ({1})", "g({0})({1})"]
)
EXPRESSIONS = st.recursive(ATOMS, lambda inner: st.builds(str.format, WRAPS, inner, inner), max_leaves=12)


@given(EXPRESSIONS)
def test_spans_of_mixtures(text: str) -> None:
    assert_spans_hold(f"x = ({text})\nif ({text}): é = {{1: ({text})}}\n")


def test_every_statement_but_pass_is_there() -> None:
    expected = sum(isinstance(n, ast.stmt) and not isinstance(n, ast.Pass) for n in ast.walk(ast.parse(FORMS)))
    assert sum(isinstance(item, ir.Stmt) for item in items(body(FORMS))) == expected


def test_columns_count_code_points() -> None:
    facts = extract("a.py", "s = 'ünï'; fé(𝒳, x)\n".encode())
    (call,) = [item for item in items(facts.body) if isinstance(item, ir.Call)]
    assert call.span == Span(1, 12, 1, 20)
    assert facts.text(call.args[1].span) == "x"


def test_name_spans() -> None:
    facts = extract("a.py", b"async  def   f(): pass\nclass \\\n  C(B): pass\n")
    assert [facts.text(item.name_span) for item in items(facts.body) if hasattr(item, "name_span")] == ["f", "C"]


def test_arguments_are_in_source_order() -> None:
    call = value("f(a, k=1, *b, **c)")
    assert isinstance(call, ir.Call)
    assert [(arg.star, arg.name) for arg in call.args] == [("", None), ("", "k"), ("*", None), ("**", None)]
    assert [arg.span.column for arg in call.args] == [3, 6, 11, 15]


def test_parameters() -> None:
    (function,) = body("def f(a, /, b=1, *c, d: int, e=2, **g): pass")
    assert isinstance(function, ir.FunctionDef)
    assert [(p.name, p.kind, p.default is not None) for p in function.params] == [
        ("a", "positional", False), ("b", "normal", True), ("c", "*", False),
        ("d", "keyword", False), ("e", "keyword", True), ("g", "**", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "generator"),
    [
        pytest.param("def f(): yield", True, id="yield"),
        pytest.param("def f(): x = [(yield from a)]", True, id="yield_from"),
        pytest.param("def f():\n def g(): yield", False, id="in_a_nested_function"),
        pytest.param("def f(): return lambda: (yield)", False, id="in_a_lambda"),
        pytest.param("def f():\n def g(a=(yield)): pass", True, id="in_a_nested_default"),
    ],
)
def test_generators(source: str, generator: bool) -> None:
    (function,) = body(source)
    assert isinstance(function, ir.FunctionDef) and function.is_generator is generator


def test_what_has_no_form_of_its_own_keeps_what_is_in_it() -> None:
    string = value("f'{a:{b}} {c!r}'")
    assert isinstance(string, ir.Other) and string.kind == "fstring"
    assert [child.id for child in string.children if isinstance(child, ir.Name)] == ["a", "b", "c"]
    assert {child.span for child in string.children} == {string.span}
    for source, kind in (("b'x'", "bytes"), ("1j", "complex"), ("await a", "await")):
        other = value(source)
        assert isinstance(other, ir.Other) and other.kind == kind


def test_chain_of_elif_is_flat_to_lower() -> None:
    source = "if a:\n  pass\n" + "".join(f"elif b{i}:\n  x = {i}\n" for i in range(5000))
    (stmt,) = body(source)
    depth = 0
    while isinstance(stmt, ir.If) and stmt.orelse:
        (stmt,) = stmt.orelse
        depth += 1
    assert depth == 5000


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "(a if b else " * 199 + "c" + ")" * 199, id="nested_conditionals"),
        pytest.param("x = " + "a if b else " * 200 + "c", id="flat_conditionals"),
        pytest.param("x = " + " + ".join("a" * 1000), id="binary_chain"),
        pytest.param("x = a" + ".b(1)" * 1000, id="call_chain"),
        pytest.param("x = " + "[" * 150 + "]" * 150, id="nested_lists"),
        pytest.param("".join(" " * i + "if a:\n" for i in range(95)) + " " * 95 + "b\n", id="nested_ifs"),
        pytest.param("x = " + "'a' " * 5000, id="strings"),
    ],
)
def test_depth(source: str) -> None:
    assert len(body(source)) == 1
