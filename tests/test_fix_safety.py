"""``--fix`` never breaks a program, and never changes what it does beside the argument that is wrong.

In each program one call passes a wrong bound. The analysis of the calls would be content with many changes; what is at stake
is everything else: names that have no value where they are written, calls and bindings that would be lost, other uses of the
same value, guards, and code that several classes share. Where no change is safe, the file stays as it is.
"""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest

from fia_lint.fix.edits import Replace, applied
from fia_lint.spans import Span
from tests.projects import Run, fia_lint, write

#: Two calls that are right, with and without a window; ``{}`` is the rest of the class.
CLASS = """\
import torch_npu
INF = 2147483647
fia = torch_npu.npu_fused_infer_attention_score


class A:
    def __init__(self, sliding_window=None):
        self.sliding_window = sliding_window

    def prefill(self, q, meta):
        return fia(q, q, q, atten_mask=meta.mask, sparse_mode=4,
                   pre_tokens=self.sliding_window if self.sliding_window is not None else INF,
                   next_tokens=0 if self.sliding_window is not None else INF)

    def chunked(self, q, meta):
        return fia(q, q, q, atten_mask=meta.mask, sparse_mode=4,
                   pre_tokens=self.sliding_window if self.sliding_window is not None else INF,
                   next_tokens=0 if self.sliding_window is not None else INF)

"""
PRE = "self.sliding_window if self.sliding_window is not None else INF"
NEXT = "0 if self.sliding_window is not None else INF"
AHEAD = "1 if self.sliding_window is not None else INF"
OTHERS = "q, q, q, atten_mask=meta.mask, sparse_mode=4"


def fix(folder: Path, source: str, *files: tuple[str, str]) -> tuple[str, Run]:
    """The text of a file after ``--fix``, and the run."""
    write(folder, {"p/a.py": source, "p/__init__.py": "", "fia-lint.toml": "", **dict(files)})
    run = fia_lint("check", "--fix", folder)
    return (folder / "p" / "a.py").read_text(encoding="utf-8"), run


def decode(*lines: str) -> str:
    """The class with a method of these lines."""
    return CLASS + "    def decode(self, q, meta):\n" + "".join(f"        {line}\n" for line in lines)


def refused(folder: Path, source: str, reason: str, *files: tuple[str, str]) -> None:
    """The file stays, and the reason is given."""
    text, run = fix(folder, source, *files)
    assert text == source
    assert run.status == 1 and "not fixed: " in run.err and reason in run.err


# ------------------------------------------------------------------------------------- names where they have a value


def test_a_default_is_evaluated_where_there_is_no_self(tmp_path: Path) -> None:
    """``def f(self, ahead=0 if self.sliding_window …)`` would raise NameError when the class is made: the call says it."""
    source = decode(
        "return self.run(q, meta)\n\n    def run(self, q, meta, ahead=1):",
        f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=ahead)",
    )
    text, run = fix(tmp_path, source)
    assert (text, run.status) == (source.replace("self.run(q, meta)", f"self.run(q, meta, ahead={NEXT})"), 0)


def test_a_module_constant_is_evaluated_where_there_is_no_self(tmp_path: Path) -> None:
    """The constant cannot say it; the call can."""
    source = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=AHEAD)") + "\n\nAHEAD = 1\n"
    text, run = fix(tmp_path, source)
    assert (text, run.status) == (source.replace("next_tokens=AHEAD", f"next_tokens={NEXT}"), 0)


def functions(*bodies: tuple[str, str, str]) -> str:
    """Functions that call the operator: the last parameter of each, the lines before the call, and its ``pre_tokens``."""
    text = "import torch_npu\n"
    for number, (parameter, lines, pre) in enumerate(bodies):
        text += (
            f"\n\ndef call_{number}(q, mask, {parameter}):\n{lines}    return torch_npu.npu_fused_infer_attention_score(\n"
            f"        q, q, q, atten_mask=mask, sparse_mode=4, pre_tokens={pre}, next_tokens=0)\n"
        )
    return text


def test_a_name_that_only_one_branch_binds(tmp_path: Path) -> None:
    """``window`` has no value where the batch is not dense."""
    right = ("layer", "    window = layer.sliding_window\n", "window")
    lines = "    if q.dense:\n        window = layer.sliding_window\n        q = q[:window]\n"
    text, _ = fix(tmp_path, functions(right, right, ("layer", lines, "16")))
    assert "pre_tokens=window" not in text.split("def call_2")[1]


def test_a_name_that_another_function_calls_the_same(tmp_path: Path) -> None:
    """``causal`` of one function is not ``causal`` of another."""
    source = (
        CLASS
        + (f"    def decode(self, q, meta, causal):\n        return fia({OTHERS}, pre_tokens={PRE}, next_tokens={AHEAD})\n")
    ).replace(f"next_tokens={NEXT}", "next_tokens=0 if causal or self.sliding_window is not None else INF")
    source = source.replace("q, meta):", "q, meta, causal):")
    text, _ = fix(tmp_path, source)
    assert "causal" not in text.split("def decode")[1].split("\n", 1)[1]


def test_an_attribute_that_is_not_set_yet(tmp_path: Path) -> None:
    """In ``__init__`` the window has no value on ``self`` before it is assigned there."""
    source = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=self.ahead)")
    source = source.replace(
        "        self.sliding_window = sliding_window\n",
        "        self.ahead = 1\n        self.sliding_window = sliding_window\n",
    )
    text, run = fix(tmp_path, source)
    assert "self.ahead = 1\n" in text or "self.ahead = 0 if sliding_window is not None" in text
    assert run.status == 0


@pytest.mark.parametrize("form", ["(lambda self: {})(q)", "[{} for self in q][0]"])
def test_lambdas_and_comprehensions_have_names_of_their_own(tmp_path: Path, form: str) -> None:
    call = f"fia({OTHERS}, pre_tokens={PRE.replace('self.sliding_window', 'w')}, next_tokens=1 if w is not None else INF)"
    source = decode("w = self.sliding_window", f"return {form.format(call)}")
    text, _ = fix(tmp_path, source)
    assert "self.sliding_window" not in text.split("w = self.sliding_window")[1]


def test_self_of_a_function_in_a_function(tmp_path: Path) -> None:
    """What is called ``self`` further out may be hidden."""
    source = decode(
        "def inner(self):",
        f"    return fia({OTHERS}, pre_tokens=16, next_tokens=0)",
        "return inner(q)",
    )
    text, _ = fix(tmp_path, source)
    assert "self.sliding_window" not in text.split("def inner")[1]


def test_an_object_that_may_be_none(tmp_path: Path) -> None:
    """``layer.sliding_window`` cannot be written where ``layer`` may be None."""
    right = ("layer", "", "layer.sliding_window")
    lines = "    if layer is not None:\n        q = q[:layer.sliding_window]\n"
    refused(tmp_path, functions(right, right, ("layer=None", lines, "16")), "layer may be None")


@pytest.mark.parametrize(
    "argument",
    [
        pytest.param("window if meta.dense else 16", id="a conditional expression"),
        pytest.param("meta.dense and window or 16", id="and, or"),
    ],
)
def test_a_name_that_only_one_case_reads(tmp_path: Path, argument: str) -> None:
    """``window`` has a value where the batch is dense, and is only read there."""
    source = decode(
        "if meta.dense:",
        "    window = self.sliding_window - 1",
        f"return fia({OTHERS}, pre_tokens={argument}, next_tokens={NEXT})",
    )
    text, _ = fix(tmp_path, source)
    assert "pre_tokens=window," not in text and "pre_tokens=window if window" not in text


def test_a_constant_that_the_other_file_calls_the_same(tmp_path: Path) -> None:
    """``LIMIT`` is another number in the file where the call is repaired."""
    other = CLASS.replace("INF", "LIMIT").replace("class A", "class B")
    source = (
        "LIMIT = 65535\n"
        + CLASS.replace("fia(", "torch_npu.npu_laser_attention(")
        + (f"    def decode(self, q, meta):\n        return fia({OTHERS}, pre_tokens={PRE}, next_tokens=1)\n")
    )
    text, _ = fix(tmp_path, source, ("p/b.py", other))
    assert "else LIMIT" not in text


def test_a_class_body_is_no_method(tmp_path: Path) -> None:
    """What stands directly in a class has neither ``self`` nor the names of the methods."""
    source = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=self.ahead)").replace(
        "class A:\n", "class A:\n    ahead = 1\n\n"
    )
    text, _ = fix(tmp_path, source)
    assert "    ahead = 1\n" in text or "    ahead = 0\n" in text


# ------------------------------------------------------------------------------------------- what is done on the way


@pytest.mark.parametrize(
    "argument",
    [
        pytest.param("(w := self.sliding_window - 1)", id="a name is bound, and read afterwards"),
        pytest.param("self.count() and self.sliding_window - 1 or 16", id="a method that counts"),
        pytest.param("meta.windows.pop()", id="a list is changed"),
        pytest.param("[self.sliding_window - 1 for self.n in q][0]", id="a comprehension"),
        pytest.param("self.counted", id="a property that counts"),
    ],
)
def test_what_is_done_beside_the_value_is_not_lost(tmp_path: Path, argument: str) -> None:
    source = decode(f"w = 16\n        return fia({OTHERS}, pre_tokens={argument}, next_tokens={NEXT}), w") + (
        "\n    def count(self):\n        self.n += 1\n        return self.n\n"
        "\n    @property\n    def counted(self):\n        self.n += 1\n        return self.sliding_window - 1\n"
    )
    text, _ = fix(tmp_path, source)
    assert text == source


def test_what_another_call_does_is_not_done_here(tmp_path: Path) -> None:
    """The right calls ask a method that counts: that is not copied to a place where it was not asked."""
    source = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=1)").replace(
        f"next_tokens={NEXT}", "next_tokens=self.ahead()"
    )
    source += (
        "\n    def ahead(self):\n        self.n = self.n + 1\n        return 0 if self.sliding_window is not None else INF\n"
    )
    text, _ = fix(tmp_path, source)
    assert text.count("self.ahead()") == 2


def test_what_is_kept_may_do_something(tmp_path: Path) -> None:
    """Taking away the ``- 1`` leaves the call as it was."""
    source = decode(
        f"return fia({OTHERS}, pre_tokens={PRE.replace('self.sliding_window if', 'int(self.sliding_window) - 1 if')},",
        f"    next_tokens={NEXT})",
    )
    text, run = fix(tmp_path, source)
    assert (text, run.status) == (source.replace("int(self.sliding_window) - 1", "int(self.sliding_window)"), 0)


# --------------------------------------------------------------------------------------- other uses of the same value

USES = [
    pytest.param("blocks = keep // 128 + 1", id="a computation that is returned"),
    pytest.param("blocks = torch_npu.npu_laser_attention(q, q, q, pre_tokens=keep)", id="another operator"),
    pytest.param("blocks = [keep for _ in q]", id="a comprehension"),
    pytest.param("blocks = lambda: keep", id="a closure"),
    pytest.param("blocks = q\n        if keep > 100:\n            blocks = q[1:]", id="a branch"),
    pytest.param("blocks = f'{keep}'", id="a text"),
    pytest.param("blocks = self.last = keep", id="an attribute"),
    pytest.param("blocks = locals()", id="code that looks at all names"),
]


@pytest.mark.parametrize("use", USES)
def test_a_local_with_other_uses_stays(tmp_path: Path, use: str) -> None:
    """What else is made of the value must come out as before: the call is changed, not the assignment."""
    call = f"return fia({OTHERS}, pre_tokens=keep, next_tokens={NEXT}), blocks"
    text, run = fix(tmp_path, decode("keep = self.sliding_window - 1", use, call))
    assert text == decode("keep = self.sliding_window - 1", use, call.replace("=keep", f"={PRE}"))
    assert run.status == 0


def test_a_local_that_feeds_only_the_call_is_repaired(tmp_path: Path) -> None:
    lines = ("keep = self.sliding_window - 1", "size = keep", f"return fia({OTHERS}, pre_tokens=size, next_tokens={NEXT})")
    text, run = fix(tmp_path, decode(*lines))
    assert (text, run.status) == (decode(f"keep = {PRE}", *lines[1:]), 0)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param('blocks = kw["pre_tokens"] // 128 + 1', id="the entry is read"),
        pytest.param("blocks = torch_npu.npu_laser_attention(q, **kw)", id="another operator gets the dict"),
        pytest.param("blocks = self.kept = kw", id="the dict is kept"),
        pytest.param("blocks = dict(kw)", id="the dict is copied"),
        pytest.param('blocks = kw.get("pre_tokens")', id="get"),
        pytest.param("blocks = list(kw.values())", id="all values are read"),
        pytest.param("name = q.name\n        blocks = kw[name]", id="an entry that is not known"),
    ],
)
def test_an_entry_of_a_dict_with_other_uses_stays(tmp_path: Path, use: str) -> None:
    source = decode(
        'kw = {"pre_tokens": self.sliding_window - 1, "next_tokens": 0}', use,
        "return fia(q, q, q, atten_mask=meta.mask, sparse_mode=4, **kw), blocks",
    )  # fmt: skip
    text, _ = fix(tmp_path, source)
    assert text == source


def test_no_entry_is_added_to_a_dict_that_another_operator_gets(tmp_path: Path) -> None:
    source = decode(
        f'kw = {{"pre_tokens": {PRE}}}', "blocks = torch_npu.npu_laser_attention(q, **kw)",
        "return fia(q, q, q, atten_mask=meta.mask, sparse_mode=4, **kw), blocks",
    )  # fmt: skip
    text, _ = fix(tmp_path, source)
    assert text in (source, source.replace("sparse_mode=4, **kw", f"sparse_mode=4, next_tokens={NEXT}, **kw"))


def test_a_constant_that_another_file_takes_over_stays(tmp_path: Path) -> None:
    wrong = f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens=AHEAD if self.sliding_window is not None else INF)"
    source = decode(wrong) + "\n\nAHEAD = 1\n"
    text, _ = fix(tmp_path, source, ("p/b.py", "from p.a import AHEAD\nHEADS = AHEAD + 2\n"))
    assert text == source.replace(wrong[-len("AHEAD if self.sliding_window is not None else INF)") :], f"{NEXT})")


def test_an_attribute_that_is_read_elsewhere_stays(tmp_path: Path) -> None:
    source = decode(f"return fia({OTHERS}, pre_tokens=self.size, next_tokens={NEXT})").replace(
        "        self.sliding_window = sliding_window\n",
        "        self.sliding_window = sliding_window\n        self.size = sliding_window - 1\n",
    )
    text, _ = fix(tmp_path, source, ("p/b.py", "def blocks(layer):\n    return layer.impl.size // 128\n"))
    assert "self.size = sliding_window - 1\n" in text


def test_a_captured_value_that_replay_uses_otherwise_stays(tmp_path: Path) -> None:
    """The bound goes through the tuple into a computation of the function that unpacks it."""
    source = (
        CLASS.replace(
            "def __init__(self, sliding_window=None):",
            "def __init__(self, params, sliding_window=None):\n        self.params = params",
        )
        + f"""\
    def capture(self, q, meta, stream, out):
        ahead = 1 if self.sliding_window is not None else INF
        self.params.attn_params[q.size].append((q, meta.mask, self.sliding_window, ahead, out))
        torch_npu.npu.graph_task_group_begin(stream)
        fia.out({OTHERS}, pre_tokens={PRE}, next_tokens=ahead, out=out)
        torch_npu.npu.graph_task_group_end(stream)

    def update(self, stream, handle, size):
        for q, mask, window, ahead, out in self.params.attn_params[size]:
            torch_npu.npu.graph_task_update_begin(stream, handle)
            fia.out(q, q, q, atten_mask=mask, sparse_mode=4,
                    pre_tokens=window if window is not None else INF, next_tokens=ahead, out=out)
            torch_npu.npu.graph_task_update_end(stream)
            self.total = ahead + 1
"""
    )
    text, _ = fix(tmp_path, source)
    assert "ahead = 1 if" in text
    alone = source.replace("            self.total = ahead + 1\n", "")
    text, _ = fix(tmp_path, alone)
    assert f"ahead = {NEXT}\n" in text
    # The same if the tuple is put together in two steps.
    joined = alone.replace(", ahead, out))", ", ahead) + (out,))")
    text, _ = fix(tmp_path, joined)
    assert joined != alone and f"ahead = {NEXT}\n" in text


# ------------------------------------------------------------------------------------------------ guards and classes


def test_a_guard_is_not_lost(tmp_path: Path) -> None:
    """Most calls pass ``window - 1`` without asking; the one that asks what there is without a window goes on asking."""
    source = CLASS.replace(f"pre_tokens={PRE}", "pre_tokens=self.sliding_window - 1").replace(NEXT, "0") + (
        f"    def decode(self, q, meta):\n        return fia({OTHERS}, pre_tokens={PRE}, next_tokens=0)\n"
    )
    text, _ = fix(tmp_path, source)
    assert text in (
        source,
        source.replace(f"pre_tokens={PRE}", f"pre_tokens=self.sliding_window - 1{PRE[len('self.sliding_window') :]}"),
    )


def test_what_is_passed_without_a_window_stays(tmp_path: Path) -> None:
    """The others pass 0 always: a call that does not mask without a window is repaired with one, or not at all."""
    source = CLASS.replace(NEXT, "0") + (
        f"    def decode(self, q, meta):\n        return fia({OTHERS}, pre_tokens={PRE}, next_tokens={AHEAD})\n"
    )
    text, _ = fix(tmp_path, source)
    assert text in (source, source.replace("next_tokens=1 if", "next_tokens=0 if"))


def test_a_case_that_is_not_known_stays(tmp_path: Path) -> None:
    """One arm is wrong, the other one nobody can judge: it is not thrown away."""
    source = decode(f"return fia({OTHERS}, pre_tokens=meta.keep if meta.special else 16, next_tokens={NEXT})")
    text, _ = fix(tmp_path, source)
    assert "meta.keep if meta.special" in text or text == source


def test_what_a_subclass_decides_is_not_passed_over(tmp_path: Path) -> None:
    """The method that all call is right; only what a subclass returns instead is not."""
    source = decode("pre, ahead = self.bounds()", f"return fia({OTHERS}, pre_tokens=pre, next_tokens=ahead)") + (
        f"\n    def bounds(self):\n        return {PRE}, {NEXT}\n\n\n"
        "class B(A):\n    def bounds(self):\n        return self.sliding_window - 1, 0\n"
    )
    refused(tmp_path, source, "self.bounds decides about pre")


# ------------------------------------------------------------------------------------------------------ other calls


def test_only_the_call_of_the_operator_is_touched(tmp_path: Path) -> None:
    """Another operator on the same line, with the same argument, is right by definition."""
    source = decode(
        f"return torch_npu.npu_laser_attention(q, next_tokens=1), fia({OTHERS}, pre_tokens={PRE}, next_tokens={AHEAD})"
    )
    text, run = fix(tmp_path, source)
    assert (text, run.status) == (source.replace("next_tokens=1 if", "next_tokens=0 if"), 0)


# -------------------------------------------------------------------------------------------------- the rest of a file


def test_line_ends_stay() -> None:
    """Also those at the end of a file, of whatever kind."""
    for between, end in product(
        ["\n", "\r", "\r\n"], ["", "\n", "\r", "\r\n", "\r\r", "\n\r\n", "\n\n", "\n# the end", "\n  \n"]
    ):
        data = f"x = 1{between}y = 2{between}z = 3{end}".encode()
        assert applied(data, [Replace("a.py", Span(2, 5, 2, 6), "0")]) == data.replace(b"2", b"0")


def test_a_file_with_old_line_ends(tmp_path: Path) -> None:
    """One whose lines end in a carriage return keeps the last one."""
    data = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens={AHEAD})").replace("\n", "\r").encode()
    write(tmp_path, {"a.py": data, "fia-lint.toml": ""})
    fia_lint("check", "--fix", tmp_path)
    assert (tmp_path / "a.py").read_bytes() == data.replace(b"next_tokens=1 if", b"next_tokens=0 if")


def test_a_file_that_could_not_be_written_back_whole_stays(tmp_path: Path) -> None:
    source = decode(f"return fia({OTHERS}, pre_tokens={PRE}, next_tokens={AHEAD})")
    refused(tmp_path, source.replace("\n\nclass", "\n\x0cclass"), "would not stay as it is")


def test_a_comment_in_the_expression_is_not_lost(tmp_path: Path) -> None:
    source = decode(
        f"return fia({OTHERS}, pre_tokens=(  # why\n            16  # tokens\n            + 1), next_tokens={NEXT})"
    )
    text, _ = fix(tmp_path, source)
    assert text.count("#") == 2


def test_programs_of_this_file_are_python() -> None:
    ast.parse(decode("pass"))
