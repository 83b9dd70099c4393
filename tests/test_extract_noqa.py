"""Suppression comments: what flake8 sees, and where."""

from __future__ import annotations

from argparse import Namespace

import pytest
from flake8.processor import FileProcessor

from fia_lint.extract.noqa import suppressions
from fia_lint.spans import Span


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("x  # noqa\n", [(1, 1, (), False)], id="bare"),
        pytest.param("x  # NoQA\n", [(1, 1, (), False)], id="case"),
        pytest.param("x  # noqa: FIA102\n", [(1, 1, ("FIA102",), False)], id="code"),
        pytest.param("x  # noqa:FIA102,E501 W1\n", [(1, 1, ("FIA102", "E501", "W1"), False)], id="codes"),
        pytest.param("x  # noqa: FIA102 because it is so\n", [(1, 1, ("FIA102",), False)], id="reason"),
        pytest.param("x  # noqa : FIA102\n", [(1, 1, (), False)], id="blank_before_colon"),
        pytest.param("x  # a comment  # noqa: FIA1\n", [(1, 1, ("FIA1",), False)], id="after_a_comment"),
        pytest.param("x  #noqa\n", [], id="without_blank"),
        pytest.param("x  # type: noqa\n", [], id="other_comment"),
        pytest.param("# flake8: noqa\nx\n", [(1, 1, (), True)], id="file"),
        pytest.param("x\n  # FLAKE8=NOQA\n", [(2, 2, (), True)], id="file_anywhere"),
        pytest.param("x  # flake8: noqa\n", [], id="file_beside_code"),
        pytest.param("f(\n  a,  # noqa: FIA1\n)  # noqa\n", [(2, 2, ("FIA1",), False), (3, 3, (), False)], id="brackets"),
        pytest.param("x = '''a\nb\n'''  # noqa\n", [(3, 1, (), False)], id="after_a_long_string"),
        pytest.param("x = a + \\\n  b  # noqa\n", [(2, 1, (), False)], id="after_a_backslash"),
        pytest.param("x = '# noqa'\n", [(1, 1, (), False)], id="in_a_string_as_flake8_has_it"),
        pytest.param("x = (  # noqa\n'''", [(1, 1, (), False)], id="tokens_end_in_an_error"),
        pytest.param("x\n", [], id="none"),
    ],
)
def test_comments(source: str, expected: list[tuple[int, int, tuple[str, ...], bool]]) -> None:
    assert [(n.line, n.start_line, n.codes, n.whole_file) for n in suppressions(source)] == expected


def test_spans() -> None:
    (noqa,) = suppressions("s = 'äö'  # noqa: FIA1, E501 why\n")
    assert noqa.span == Span(1, 11, 1, 29)


@pytest.mark.parametrize(
    "source",
    [
        "f(\n a,\n)  # noqa\n",
        "x = '''a\nb''' + \\\n c  # noqa\ny\n",
        "if x:\n    y = '''\n'''  # noqa\n",
        "x = '''a # noqa\nb'''\ny\n",
    ],
)
def test_lines_are_joined_as_flake8_joins_them(source: str) -> None:
    options = Namespace(
        hang_closing=False, indent_size=4, max_line_length=79, max_doc_length=None, verbose=0,
        stdin_display_name="-", disable_noqa=False,
    )  # fmt: skip
    processor = FileProcessor("-", options, lines=source.splitlines(keepends=True))
    theirs = {line for line in range(1, source.count("\n") + 1) if "noqa" in (processor.noqa_line_for(line) or "")}
    assert {line for noqa in suppressions(source) for line in range(noqa.start_line, noqa.end_line + 1)} == theirs
