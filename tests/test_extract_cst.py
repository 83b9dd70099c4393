"""libcst as the second parser: it must lower code to the very same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

import fia_lint
from fia_lint.errors import SourceError
from fia_lint.extract import extract, ir, lower_cst
from fia_lint.extract.deep import deep
from fia_lint.extract.limits import fits
from fia_lint.extract.lower import statements
from tests.python_forms import FORMS, NEWER, items, parses
from tests.test_extract_lower import EXPRESSIONS

FIXTURES = sorted((Path(__file__).parent / "fixtures").rglob("*.py"))
OWN_FILES = sorted(Path(fia_lint.__file__).parent.glob("extract/*.py"))


def by_libcst(source: str) -> list[ir.Stmt] | None:
    return deep(lambda: lower_cst.statements(source))


def test_every_form() -> None:
    assert by_libcst(FORMS) == statements(FORMS)


@pytest.mark.parametrize("source", [pytest.param(source, id=name) for name, source in NEWER.items()])
def test_newer_forms(source: str) -> None:
    """Whichever parser reads a newer form, what comes out is the same; with neither there is no result to compare."""
    lowered = by_libcst(source)
    assert lowered is not None
    assert extract("a.py", source.encode()).body == lowered
    if parses(source):
        assert statements(source) == lowered


@given(EXPRESSIONS)
def test_mixtures(text: str) -> None:
    source = f"x = ({text})\nif ({text}): é = {{1: ({text})}}\n"
    assert by_libcst(source) == statements(source)


@pytest.mark.parametrize("path", [*FIXTURES[::40], *OWN_FILES[::4]], ids=lambda path: path.name)
def test_real_files(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert by_libcst(source) == statements(source)


def test_what_newer_forms_say() -> None:
    alias, function, handler = (extract("a.py", NEWER[name].encode()).body[0] for name in
                                ("type_alias", "generic_function", "except_without_parentheses"))  # fmt: skip
    assert isinstance(alias, ir.Assign) and isinstance(alias.value, ir.Other) and alias.value.kind == "type alias"
    assert isinstance(function, ir.FunctionDef) and [p.name for p in function.params] == ["x"]
    assert isinstance(handler, ir.Try) and isinstance(handler.handlers[0].type, ir.Sequence)


def test_calls_are_found_in_newer_syntax() -> None:
    source = "type X = int\ndef f[T](q):\n    return torch_npu.npu_fused_infer_attention_score(q, q, q, next_tokens=0)\n"
    facts = extract("a.py", source.encode())
    (found,) = facts.found
    assert (found.function, found.span[:2]) == ("f", (3, 12))
    assert found.span in [item.span for item in items(facts.body) if isinstance(item, ir.Call)]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("[a for *b in c] 1", id="no_parser_takes_it"),
        pytest.param("x = f() = 1\n", id="assignment_to_a_call"),
        pytest.param("def f(a=1, b): pass\n", id="default_before_none"),
        pytest.param("print(a b)\n", id="two_names"),
        pytest.param("type X[T] = \n", id="newer_and_wrong"),
    ],
)
def test_what_is_wrong_stays_wrong(source: str) -> None:
    with pytest.raises(SourceError, match="not valid Python"):
        extract("a.py", source.encode())


@pytest.mark.parametrize(
    ("source", "chain", "expected"),
    [
        pytest.param("(" * 200 + ")" * 200, 1000, True, id="depth_at_the_limit"),
        pytest.param("(" * 201 + ")" * 201, 1000, False, id="too_deep"),
        pytest.param("[" * 201 + "'" + "]" * 201, 1000, False, id="too_deep_and_broken"),
        pytest.param("'" + "(" * 300 + "'", 1000, True, id="in_a_string"),
        pytest.param("# " + "(" * 300 + "\n", 1000, True, id="in_a_comment"),
        pytest.param("a" + "+a" * 50, 50, True, id="chain"),
        pytest.param("a" + "+a" * 51, 50, False, id="chain_too_long"),
        pytest.param("[" + "-1, " * 5000 + "]", 50, True, id="numbers_in_a_list"),
        pytest.param("a" + "()" * 51, 50, False, id="calls_too_long"),
        pytest.param("a + b\n" * 5000, 50, True, id="many_lines"),
    ],
)
def test_limits(source: str, chain: int, expected: bool) -> None:
    assert fits(source, chain) is expected
