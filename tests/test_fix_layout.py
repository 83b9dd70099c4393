"""What a fix leaves as it was: comments, lines, blanks. A user would lose words of his own if these failed."""

from __future__ import annotations

import ast
import io
from tokenize import COMMENT, generate_tokens

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fia_lint.fix.edits import Add, Drop, Replace, applied
from fia_lint.spans import Span

WINDOW = "self.sliding_window if self.sliding_window is not None else INT_MAX"


def span_of(node: ast.expr) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return Span(node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)


def display(source: str) -> ast.Call | ast.Dict:
    """The call or dict display that a source assigns to x."""
    found = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assign))
    assert isinstance(found.value, (ast.Call, ast.Dict))
    return found.value


def entries(source: str) -> list[tuple[str | None, str]]:
    """The names and values in it."""
    node = display(source)
    if isinstance(node, ast.Dict):
        return [(ast.literal_eval(k) if k else None, ast.unparse(v)) for k, v in zip(node.keys, node.values, strict=True)]
    return [*((None, ast.unparse(a)) for a in node.args), *((k.arg, ast.unparse(k.value)) for k in node.keywords)]


def comments(source: str) -> list[str]:
    return [token.string for token in generate_tokens(io.StringIO(source).readline) if token.type == COMMENT]


def added(source: str, *new: tuple[str, str]) -> str:
    span = span_of(display(source))
    return applied(source.encode(), [Add("a.py", span, name, text) for name, text in new]).decode()


def dropped(source: str, name: str) -> str:
    return applied(source.encode(), [Drop("a.py", span_of(display(source)), name)]).decode()


# ------------------------------------------------------------------------------------------------------ all layouts

GAPS = st.sampled_from(
    [" ", "\n    ", "  # one\n    ", "\n\n    # next_tokens=0,\n    ", "  # two\n    # three\n\n    # four\n    ", "\n        "]
)


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A call or dict display in an ``if``, with comments and line breaks anywhere."""
    names = draw(st.lists(st.sampled_from(["scale", "sparse_mode", "pre", "other"]), unique=True, min_size=1))
    is_call = draw(st.booleans())
    items = [f"{name}=1" if is_call else f'"{name}": 1' for name in names]
    items = ["q", *items] if is_call and draw(st.booleans()) else items
    before_comma = st.sampled_from(["", "", " ", "  # five\n    "])
    text = draw(GAPS) + "".join(f"{item}{draw(before_comma)},{draw(GAPS)}" for item in items[:-1]) + items[-1]
    text += draw(before_comma) + "," + draw(GAPS) if draw(st.booleans()) else draw(GAPS)
    opening, closing = ("f(", ")") if is_call else ("{", "}")
    return f"if y:\n    x = {opening}{text}{closing}  # six\n    # seven\n"


@given(sources(), st.sampled_from([[("next_tokens", "0")], [("next_tokens", "0"), ("pre_tokens", WINDOW)]]))
@settings(max_examples=120, deadline=None)
def test_whatever_is_added_all_comments_stay(source: str, new: list[tuple[str, str]]) -> None:
    """Commented-out arguments, comments behind and between arguments, around blank lines, with and without a last comma."""
    text = added(source, *new)
    assert comments(text) == comments(source)
    assert sorted(map(str, entries(text))) == sorted(map(str, entries(source) + new))
    assert len(text.splitlines()) >= len(source.splitlines())


@given(sources())
@settings(max_examples=80, deadline=None)
def test_whatever_is_dropped_all_comments_stay(source: str) -> None:
    name = entries(source)[-1][0] or ""
    if len(entries(source)) > 1:
        text = dropped(source, name)
        assert comments(text) == comments(source)
        assert entries(text) == entries(source)[:-1]


# ------------------------------------------------------------------------------------------------- as a person would


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "x = f(\n    q,\n    sparse_mode=4,  # band\n    # next_tokens=0,\n\n    # end\n)\n",
            "x = f(\n    q,\n    sparse_mode=4,  # band\n    next_tokens=0,\n    # next_tokens=0,\n\n    # end\n)\n",
            id="one argument to a line: one line more",
        ),
        pytest.param(
            "x = f(\n    q,\n    sparse_mode=4  # band\n    # end\n)\n",
            "x = f(\n    q,\n    sparse_mode=4,  # band\n    next_tokens=0\n    # end\n)\n",
            id="no comma at the end before, none after",
        ),
        pytest.param(
            "x = f(q, sparse_mode=4, # band\n      # the mask\n      m=1)\n",
            "x = f(q, sparse_mode=4, # band\n      next_tokens=0,\n      # the mask\n      m=1)\n",
            id="a comment above an argument stays above it",
        ),
        pytest.param("x = f(q, sparse_mode=4)\n", "x = f(q, sparse_mode=4, next_tokens=0)\n", id="room on the line"),
        pytest.param(
            f"x = f(q, {'a' * 60}=1, sparse_mode=4)\n",
            f"x = f(q, {'a' * 60}=1, sparse_mode=4,\n      next_tokens=0)\n",
            id="no room on the line",
        ),
        pytest.param(
            f"x = f(\n    q, {'a' * 60}=1, sparse_mode=4\n)\n",
            f"x = f(\n    q, {'a' * 60}=1, sparse_mode=4,\n    next_tokens=0\n)\n",
            id="no room on a line of its own",
        ),
    ],
)
def test_where_an_argument_is_added(before: str, after: str) -> None:
    assert added(before, ("next_tokens", "0")) == after


def test_a_pair_is_added_in_the_usual_order() -> None:
    assert added("x = f(\n    sparse_mode=4,\n)\n", ("next_tokens", "0"), ("pre_tokens", "w")) == (
        "x = f(\n    sparse_mode=4,\n    pre_tokens=w,\n    next_tokens=0,\n)\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        pytest.param("(\n    w - 1\n)", "w", "w", id="brackets for two lines go with the second line"),
        pytest.param("(w - 1)", "self.w", "self.w", id="brackets around arithmetic go with it"),
        pytest.param("(  # why\n    w - 1\n)", "w", "(  # why\n    w\n)", id="brackets with a comment stay"),
        pytest.param("(\n    w - 1\n)", "w if w else n", "(\n    w if w else n\n)", id="brackets around what may need them stay"),
    ],
)  # fmt: skip
def test_brackets_around_a_value(old: str, new: str, after: str) -> None:
    source = f"x = f(pre_tokens={old}, m=1)\n"
    node = display(source)
    assert isinstance(node, ast.Call)
    edit = Replace("a.py", span_of(node.keywords[0].value), new)
    assert applied(source.encode(), [edit]).decode() == f"x = f(pre_tokens={after}, m=1)\n"
