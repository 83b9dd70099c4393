"""Files that cannot be read: what is said, and about which line."""

from __future__ import annotations

import codecs
import pickle

import pytest

from fia_lint.errors import BudgetUsedUp, InternalError, NotSupported, SourceError
from fia_lint.extract import extract, ir, lower_expr


def error(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        extract("pkg/a.py", data)
    assert caught.value.path == "pkg/a.py"
    return caught.value


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        pytest.param("x = 1\nprint 'a'\n", 2, "Python 2: a print statement", id="print"),
        pytest.param("def f():\n    if x: print x, y\n", 2, "Python 2: a print statement", id="print_after_colon"),
        pytest.param("try:\n    f()\nexcept Error, e:\n    pass\n", 3, "Python 2: except with a comma", id="except_comma"),
        pytest.param("\nraise ValueError, 'x'\n", 2, "Python 2: raise with a comma", id="raise_comma"),
        pytest.param("exec code in scope\n", 1, "Python 2: an exec statement", id="exec"),
        pytest.param("x = `y`\n", 1, "Python 2: backquotes", id="backquotes"),
        pytest.param("if a <> b: pass\n", 1, "Python 2: the operator <>", id="not_equal"),
        pytest.param("mode = 0644\n", 1, "Python 2: an integer", id="octal"),
        pytest.param("x = 10L\n", 1, "Python 2: an integer", id="long"),
        pytest.param("x = 1\ny = = 2\n", 2, "not valid Python: invalid syntax", id="syntax"),
        pytest.param("if a:\n    b\n  c\n", 3, "not valid Python: unindent", id="unindent"),
        pytest.param("\n\nx = f(1,\n  2\n", 3, "never closed (is the file cut off?)", id="cut_in_a_call"),
        pytest.param("x = 1\ndef f(a):\n    return fia(a,\n        pre_to", 3, "cut off?", id="cut_in_a_word"),
        pytest.param('x = 1\ny = """text\n', 2, "cut off?", id="cut_in_a_string"),
        pytest.param("x = 1\nif x", 2, "cut off?", id="cut_in_a_line"),
        pytest.param("def f():\n", 1, "cut off?", id="cut_after_a_colon"),
        pytest.param("x = 'ab\ny = 1\n", 1, "unterminated string literal", id="string_in_the_middle"),
    ],
)
def test_syntax(source: str, line: int, says: str) -> None:
    found = error(source.encode())
    assert (found.line, says in found.message) == (line, True), found.message
    assert ("cut off" in found.message) == ("cut off" in says)


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        pytest.param(b"x = 1\n\x00\x01\x02", 2, "binary", id="null_bytes"),
        pytest.param(b"\x7fELF\x02\x01\x01\x00", 1, "binary", id="elf"),
        pytest.param("x = 1\n".encode("utf-16"), 1, "binary", id="utf16"),
        pytest.param(b"x = 1\ny = 2\ns = '\xff'\n", 3, "cannot be decoded as utf-8", id="undecodable"),
        pytest.param(b"s = '\xe4'\n", 1, "cannot be decoded as utf-8", id="undecodable_first_line"),
        pytest.param(b"x\r\ny\r\ns = '\xff'\r\n", 3, "cannot be decoded as utf-8", id="undecodable_crlf"),
        pytest.param(b"#!/bin/x\n# coding: nonsense\n", 2, "unknown encoding", id="unknown_encoding"),
        pytest.param(b"# coding: rot13\nk = 1\n", 1, "no encoding of text", id="no_text_encoding"),
        pytest.param(codecs.BOM_UTF8 + b"# coding: latin-1\n", 1, "encoding", id="mark_against_comment"),
        pytest.param(b"# coding: ascii\nx = 1\ns = '\xc3\xa9'\n", 3, "cannot be decoded as ascii", id="not_ascii"),
    ],
)
def test_no_text(data: bytes, line: int, says: str) -> None:
    found = error(data)
    assert (found.line, says in found.message) == (line, True), found.message


LATIN = "# -*- coding: latin-1 -*-\ns = 'ä'\n"
CHINESE = "# x\n# vim: set fileencoding=gbk :\ns = '中'\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param("s = 'ä'\n".encode(), "s = 'ä'\n", id="utf8"),
        pytest.param(codecs.BOM_UTF8 + "s = 'ä'\n".encode(), "s = 'ä'\n", id="byte_order_mark"),
        pytest.param(LATIN.encode("latin-1"), LATIN, id="latin1"),
        pytest.param(CHINESE.encode("gbk"), CHINESE, id="gbk"),
        pytest.param(b"a\r\nb\rc\n", "a\nb\nc\n", id="line_ends"),
        pytest.param(b"", "", id="empty"),
        pytest.param(b"\n\x0c\nx = '\\d'", "\n\x0c\nx = '\\d'", id="form_feed_and_escape"),
    ],
)
def test_text(data: bytes, text: str) -> None:
    facts = extract("a.py", data)
    assert facts.source == text
    assert all(stmt.span.line <= text.count("\n") + 1 for stmt in facts.body)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "-" * 100_000 + "1\n", id="signs"),
        pytest.param("x = " + " + ".join("a" * 210_000) + "\n", id="sum"),
        pytest.param("x = a" + ".b" * 210_000 + "\n", id="attributes"),
    ],
)
def test_too_deep(source: str) -> None:
    found = error(f"a = [1, 2]\n\n{source}b = f(1)\n".encode())
    assert isinstance(found, BudgetUsedUp) and "too deeply" in found.message
    assert found.line == 3


def test_too_many_brackets() -> None:
    assert "too many nested parentheses" in error(b"x = " + b"(" * 5000 + b")" * 5000).message


def test_a_fault_of_ours_names_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower_expr.ExpressionLowering, "expr_Name", lambda self, node: 1 / 0)
    found = error(b"x\n")
    assert isinstance(found, InternalError) and "ZeroDivisionError" in found.message
    assert isinstance(found.__cause__, ZeroDivisionError)


def test_syntax_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(lower_expr.ExpressionLowering, "expr_Lambda")
    found = error(b"lambda: 1\n")
    assert isinstance(found, NotSupported) and "Lambda" in found.message


def test_errors_and_facts_travel_between_processes() -> None:
    assert str(pickle.loads(pickle.dumps(BudgetUsedUp("a.py", 3, "is too deep")))) == "a.py:3: is too deep"
    source = "if a:\n  pass\n" + "".join(f"elif b{i}: x\n" for i in range(3000))
    facts = extract("a.py", source.encode())
    copy = pickle.loads(pickle.dumps(facts))
    assert isinstance(copy, ir.Facts) and copy.source == facts.source
