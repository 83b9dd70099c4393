"""``--fix``, form by form: what goes in, what comes out. Each pair of texts differs in nothing but what is wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fia_lint.fix.conditions import narrower
from fia_lint.judge.rules import RULES
from tests.projects import Run, fia_lint, write

#: Two eager calls that agree; ``{}`` is the rest of the class.
CLASS = """\
import torch
import torch_npu

INT_MAX = 2**31 - 1


class Backend:
    def __init__(self, sliding_window, params):
        self.sliding_window = sliding_window
        self.params = params

    def prefill(self, q, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, q, q, atten_mask=meta.mask,
            sparse_mode=4 if self.sliding_window is not None else 3,
            pre_tokens=self.sliding_window if self.sliding_window is not None else INT_MAX,
            next_tokens=0,
        )

    def chunked(self, q, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, q, q, atten_mask=meta.mask,
            sparse_mode=4 if self.sliding_window is not None else 3,
            pre_tokens=self.sliding_window if self.sliding_window is not None else INT_MAX,
            next_tokens=0,
        )

{}"""

#: A decode method that passes ``{}`` beside the mask.
DECODE = """\
    def decode(self, q, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, q, q, atten_mask=meta.mask,  # of the batch
            {}
        )
"""
BAND = "sparse_mode=4 if self.sliding_window is not None else 3"
WINDOW = "pre_tokens=self.sliding_window if self.sliding_window is not None else INT_MAX"


def fix(folder: Path, source: str, *options: str) -> tuple[str, Run]:
    """The text of a file after ``--fix``, and the run."""
    write(folder, {"a.py": source, "fia-lint.toml": ""})
    run = fia_lint("check", "--fix", *options, folder)
    return (folder / "a.py").read_text(encoding="utf-8"), run


def decode(*arguments: str) -> str:
    return CLASS.format(DECODE.format("\n            ".join(arguments)))


RIGHT = decode(f"{BAND},", f"{WINDOW},  # the layer's", "next_tokens=0,  # no draft token")
#: The same with dicts at hand that have no mask argument.
DICTS = "        more = {}\n        if meta.c8:\n            more = {'scale': 2}\n"
MORE = RIGHT.replace("        return torch_npu", f"{DICTS}        return torch_npu")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(
            RIGHT.replace(f"{WINDOW},  #", f"pre_tokens=({WINDOW[11:]}) - 1,  #"), RIGHT,
            id="FIA101: the one that was taken away is added again",
        ),
        pytest.param(
            RIGHT.replace(f"{WINDOW},  #", f"pre_tokens=min({WINDOW[11:]}, 512) - 1,  #"), None,
            id="a value that cannot be compared is no finding and stays",
        ),
        pytest.param(
            RIGHT.replace(f"{WINDOW},  #", "pre_tokens=self.sliding_window + 7 if self.sliding_window else INT_MAX,  #"),
            RIGHT.replace(f"{WINDOW},  #", "pre_tokens=self.sliding_window if self.sliding_window else INT_MAX,  #"),
            id="FIA101: in one arm of a conditional expression",
        ),
        pytest.param(
            RIGHT.replace(f"{WINDOW},  #", "pre_tokens=INT_MAX if self.sliding_window is not None else self.sliding_window,  #"),
            RIGHT,
            id="FIA101: the condition is the wrong way round",
        ),
        pytest.param(
            RIGHT.replace("next_tokens=0,  # no", "next_tokens=1,  # no"), RIGHT,
            id="FIA102 and FIA201: a later token",
        ),
        pytest.param(
            RIGHT.replace("            next_tokens=0,  # no draft token\n", ""),
            RIGHT.replace("next_tokens=0,  # no draft token", "next_tokens=0,"),
            id="FIA203: next_tokens is added on a line of its own",
        ),
        pytest.param(
            RIGHT.replace(f"            {WINDOW},  # the layer's\n", ""),
            RIGHT.replace(f"            {WINDOW},  # the layer's\n            next_tokens=0,  # no draft token",
                          f"            next_tokens=0,  # no draft token\n            {WINDOW},"),
            id="FIA203: pre_tokens is added as the other calls write it",
        ),
        pytest.param(
            RIGHT.replace(f"{BAND},\n            {WINDOW},  #", f"sparse_mode=3,\n            {WINDOW},  #"), RIGHT,
            id="FIA202: band mode, and only where there is a window",
        ),
        pytest.param(
            CLASS.format(
                "    def decode(self, q, meta):\n"
                "        kwargs = {'sparse_mode': 4 if self.sliding_window is not None else 3, 'atten_mask': meta.mask}\n"
                "        kwargs['pre_tokens'] = self.sliding_window if self.sliding_window is not None else INT_MAX\n"
                "        return torch_npu.npu_fused_infer_attention_score(q, q, q, **kwargs)\n"
            ),
            CLASS.format(
                "    def decode(self, q, meta):\n"
                "        kwargs = {'sparse_mode': 4 if self.sliding_window is not None else 3,\n"
                "                  'next_tokens': 0, 'atten_mask': meta.mask}\n"
                "        kwargs['pre_tokens'] = self.sliding_window if self.sliding_window is not None else INT_MAX\n"
                "        return torch_npu.npu_fused_infer_attention_score(q, q, q, **kwargs)\n"
            ),
            id="FIA203: the key is added to the dict that the call passes by **",
        ),
        pytest.param(
            MORE.replace("            next_tokens=0,  # no draft token\n", "            **more,\n"),
            MORE.replace("next_tokens=0,  # no draft token\n", "next_tokens=0,\n            **more,\n"),
            id="FIA203: next_tokens is added to the call, whatever else comes by ** from several dicts",
        ),
        pytest.param(
            CLASS.format(
                "    def decode(self, q, meta):\n"
                "        kwargs = dict(sparse_mode=4, atten_mask=meta.mask, pre_tokens=self.sliding_window, next_tokens=1)\n"
                "        if self.sliding_window is not None:\n"
                "            return torch_npu.npu_fused_infer_attention_score(q, q, q, **kwargs)\n"
            ),
            CLASS.format(
                "    def decode(self, q, meta):\n"
                "        kwargs = dict(sparse_mode=4, atten_mask=meta.mask, pre_tokens=self.sliding_window, next_tokens=0)\n"
                "        if self.sliding_window is not None:\n"
                "            return torch_npu.npu_fused_infer_attention_score(q, q, q, **kwargs)\n"
            ),
            id="FIA102: the value of a key in a dict",
        ),
    ],
)  # fmt: skip
def test_one_call(tmp_path: Path, wrong: str, right: str | None) -> None:
    text, run = fix(tmp_path, wrong)
    assert text == (wrong if right is None else right)
    assert (run.status, run.out) == (0, "")


CAPTURE = """\
    def capture(self, q, meta, stream, out):
        pre_tokens, next_tokens = self.sliding_window, 0  # what all of them say
        size = torch_npu._npu_fused_infer_attention_score_get_max_workspace(
            q, q, q, atten_mask=meta.mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens
        )
        self.params.attn_params[q.shape[0]].append((q, meta.mask, pre_tokens, next_tokens, out))
        torch.npu.graph_task_group_begin(stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, q, q, atten_mask=meta.mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens,
            workspace=size, out=out,
        )
        self.params.handles[q.shape[0]].append(torch.npu.graph_task_group_end(stream))

    def update(self, stream, handle, num_tokens):
        for param in self.params.attn_params[num_tokens]:
            q, mask, pre_tokens, next_tokens, out = param
            torch.npu.graph_task_update_begin(stream, handle)
            torch_npu.npu_fused_infer_attention_score.out(
                q, q, q, atten_mask=mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens, out=out
            )
            torch.npu.graph_task_update_end(stream)

    def forward(self, q, meta, stream, out):
        if self.sliding_window is not None:
            self.capture(q, meta, stream, out)
"""
GRAPH = CLASS.format(CAPTURE)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        pytest.param("= self.sliding_window, 0  #", "= self.sliding_window - 1, 1  #", id="the assignment that all calls share"),
        pytest.param("q, mask, pre_tokens, next_tokens, out = param", "q, mask, next_tokens, pre_tokens, out = param",
                     id="FIA105: two slots of the unpacking change places"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens, out=out",
                     "pre_tokens=next_tokens, next_tokens=pre_tokens, out=out",
                     id="FIA105: two names change places at the call"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens, out=out",
                     "pre_tokens=next_tokens, next_tokens=next_tokens, out=out",
                     id="FIA105: one name is passed for another, and the unpacking is right"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens, out=out",
                     "pre_tokens=pre_tokens, next_tokens=1, out=out",
                     id="the update call passes what it unpacks"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens,\n", "pre_tokens=next_tokens, next_tokens=pre_tokens,\n",
                     id="the two bounds of the capture call change places"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens\n", "pre_tokens=pre_tokens - 1, next_tokens=next_tokens\n",
                     id="FIA104: the workspace query"),
        pytest.param("pre_tokens=pre_tokens, next_tokens=next_tokens\n", "pre_tokens=pre_tokens\n",
                     id="FIA104: an argument that the workspace query leaves out"),
        pytest.param("sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens,\n",
                     "sparse_mode=4, pre_tokens=pre_tokens - 1, next_tokens=next_tokens,\n",
                     id="the capture call, whose workspace query is right"),
    ],
)  # fmt: skip
def test_capture_and_update(tmp_path: Path, right: str, wrong: str) -> None:
    """In graph code one mistake shows at several calls: what causes it is repaired, and nothing else."""
    assert GRAPH.count(right) == 1
    text, run = fix(tmp_path, GRAPH.replace(right, wrong))
    assert text.replace("next_tokens=0, out=out", "next_tokens=next_tokens, out=out") == GRAPH
    assert (run.status, run.out) == (0, "")


def test_other_file_spells_the_window_its_own_way(tmp_path: Path) -> None:
    """A reference is taken over in the words of the scope: ``self`` and INT_MAX are not at hand in a function."""
    write(
        tmp_path,
        {
            "serving/__init__.py": "",
            "serving/a.py": CLASS.format("").replace(WINDOW, "pre_tokens=self.sliding_window").replace(BAND, "sparse_mode=4"),
            "serving/b.py": "import torch_npu\n\n\ndef decode(q, mask, layer):\n"
            "    return torch_npu.npu_fused_infer_attention_score(\n"
            "        q, q, q, atten_mask=mask, sparse_mode=4, next_tokens=0, pre_tokens=layer.sliding_window - 1)\n",
        },
    )
    assert fia_lint("check", "--fix", "--isolated", tmp_path).status == 0
    assert "pre_tokens=layer.sliding_window)" in (tmp_path / "serving" / "b.py").read_text()


def test_what_a_function_returns(tmp_path: Path) -> None:
    """Arguments that a method gathers for several calls are repaired in that method."""
    source = CLASS.format(
        "    def common(self):\n"
        '        return {"sparse_mode": 4, "pre_tokens": self.sliding_window, "next_tokens": 0}\n\n'
        "    def decode(self, q, meta):\n"
        "        if self.sliding_window:\n"
        "            return torch_npu.npu_fused_infer_attention_score(q, q, q, atten_mask=meta.mask, **self.common())\n"
    )
    text, run = fix(tmp_path, source.replace('"next_tokens": 0}', '"next_tokens": 1}'))
    assert (text, run.status) == (source, 0)


RUN = """\
    def run(self, q, mask, pre_tokens, ahead=0):
        return torch_npu.npu_fused_infer_attention_score(
            q, q, q, atten_mask=mask, sparse_mode=4, pre_tokens=int(pre_tokens), next_tokens=ahead)

    def decode(self, q, meta):
        if self.sliding_window:
            return self.run(q, meta.mask, self.sliding_window)
"""
OTHER = """
    def other(self, q, meta):
        if self.sliding_window:
            return self.run(q, meta.mask, self.sliding_window, 0)
"""


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(RUN.replace("ahead=0", "ahead=1"), RUN, id="the default, on which all calls rely"),
        pytest.param(RUN.replace("self.sliding_window)", "self.sliding_window - 1)"), RUN, id="an argument by position"),
        pytest.param(
            RUN.replace("self.sliding_window)", "self.sliding_window - 1)").replace("ahead=0", "ahead=1"), RUN,
            id="an argument by position and the default",
        ),
        pytest.param(
            (RUN + OTHER).replace("ahead=0", "ahead=1"),
            (RUN + OTHER).replace("ahead=0", "ahead=1").replace("self.sliding_window)", "self.sliding_window, ahead=0)"),
            id="the default stays where another call passes the argument: the call that leaves it out says it",
        ),
        pytest.param(
            (RUN + OTHER).replace("self.sliding_window, 0)", "self.sliding_window, 1)"), RUN + OTHER,
            id="a second argument by position",
        ),
    ],
)  # fmt: skip
def test_a_call_of_a_wrapper(tmp_path: Path, wrong: str, right: str) -> None:
    text, run = fix(tmp_path, CLASS.format(wrong))
    assert (text, run.status) == (CLASS.format(right), 0)


def test_the_default_of_a_function_that_is_handed_on_stays(tmp_path: Path) -> None:
    """Who else calls it, and how, cannot be seen; the call that is seen can say it."""
    source = CLASS.format(RUN.replace("ahead=0", "ahead=1") + "\n    def hook(self):\n        return register(self.run)\n")
    text, run = fix(tmp_path, source)
    assert "ahead=1):" in text and "self.run(q, meta.mask, self.sliding_window, ahead=0)" in text and run.status == 0


def test_what_comes_to_light_is_repaired_along(tmp_path: Path) -> None:
    """Call and workspace query share a mistake, each in its own words: one of them alone would leave them apart."""
    right = "sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens"
    wrong = GRAPH.replace(f"{right},\n", f"{right.replace('=pre_tokens', '=pre_tokens - 1')},\n")
    wrong = wrong.replace(f"{right}\n", f"{right.replace('=pre_tokens', '=self.sliding_window - 1')}\n")
    text, run = fix(tmp_path, wrong)
    assert (text, run.status, run.out) == (GRAPH, 0, "")


# ------------------------------------------------------------------------------------------------ what is left alone

TWO = """\
import torch_npu


def eager(q, mask, layer):
    return torch_npu.npu_fused_infer_attention_score(
        q, q, q, atten_mask=mask, sparse_mode=4, pre_tokens=layer.sliding_window, next_tokens=0
    )


def decode(q, mask, layer):
    return torch_npu.npu_fused_infer_attention_score(
        q, q, q, atten_mask=mask, sparse_mode={mode}, pre_tokens={pre}, next_tokens=0
    )
"""


@pytest.mark.parametrize(
    ("source", "code", "reason"),
    [
        pytest.param(
            TWO.format(mode=4, pre="layer.sliding_window - 1"), "FIA101", "only one call", id="one word against another",
        ),
        pytest.param(TWO.format(mode=5, pre="layer.sliding_window"), "FIA206", "which mode is meant", id="a rule without a fix"),
        pytest.param(
            TWO.format(mode=0, pre="layer.sliding_window").replace("atten_mask=mask, sparse_mode=0", "sparse_mode=0"),
            "FIA202", "needs a mask", id="a mask that nobody names",
        ),
        pytest.param(
            GRAPH.replace("q, mask, pre_tokens, next_tokens, out = param", "q, mask, pre_tokens, next_tokens = param"),
            "FIA105", "another number of values", id="a slot too few",
        ),
    ],
)  # fmt: skip
def test_a_guess_is_not_made(tmp_path: Path, source: str, code: str, reason: str) -> None:
    """Wrong repairs are worse than none: the file stays as it is, and the reason is given for every finding."""
    text, run = fix(tmp_path, source)
    assert text == source
    assert run.status == 1 and f" {code} " in run.out
    assert f"{code} not fixed: " in run.err and reason in run.err


def test_what_brings_another_finding_is_not_done(tmp_path: Path) -> None:
    """The window itself would let None through where the path asks whether there is one: the next spelling is taken."""
    source = CLASS.format(
        "    def decode(self, q, meta, w):\n"
        "        if self.sliding_window is None and meta.dense:\n"
        "            return None\n"
        "        return torch_npu.npu_fused_infer_attention_score(\n"
        "            q, q, q, atten_mask=meta.mask, sparse_mode=4 if self.sliding_window is not None else 3,\n"
        "            pre_tokens=16 if self.sliding_window is not None else INT_MAX, next_tokens=0)\n"
    )
    text, run = fix(tmp_path, source)
    assert text == source.replace("pre_tokens=16 if", "pre_tokens=self.sliding_window if")
    assert run.status == 0


def test_narrower() -> None:
    """A finding may be left under a narrower condition, never under another one."""
    assert narrower("a and b", "a") and narrower("a and b or a and c", "a") and narrower("a", "always")
    assert not narrower("a", "a") and not narrower("a", "a and b") and not narrower("a or b", "a")
    assert not narrower("f(x and a)", "a")


def test_no_change_ends_in_silence(tmp_path: Path) -> None:
    """With one bound repaired and the other left, the band would be symmetric, and nothing would be found any more."""
    wrong = RIGHT.replace(f"{WINDOW},  #", "pre_tokens=0,  #")
    wrong = wrong.replace("next_tokens=0,  # no", f"{WINDOW.replace('pre', 'next')},  # no")
    text, run = fix(tmp_path, wrong)
    assert (text, run.status) == (RIGHT, 0)
    text, run = fix(tmp_path, wrong, "--select", "FIA101")
    assert (text, run.status) in ((RIGHT, 0), (wrong, 1))


def test_once_is_enough(tmp_path: Path) -> None:
    """A second run changes nothing."""
    first, _ = fix(tmp_path, GRAPH.replace("= self.sliding_window, 0  #", "= self.sliding_window - 1, 1  #"))
    second, run = fix(tmp_path, first)
    assert (second, run.err) == (first, "")


def test_bytes_around_stay(tmp_path: Path) -> None:
    """Encoding, byte order mark, line ends, blanks and comments are the author's."""
    wrong = RIGHT.replace("next_tokens=0,  # no", "next_tokens = 1 ,  # größer als  no")
    data = b"\xef\xbb\xbf" + wrong.replace("\n", "\r\n").encode("utf-8")
    write(tmp_path, {"a.py": data, "fia-lint.toml": ""})
    assert fia_lint("check", "--fix", tmp_path).status == 0
    assert (tmp_path / "a.py").read_bytes() == data.replace(b"next_tokens = 1 ,", b"next_tokens = 0 ,")

    wrong = RIGHT.replace("next_tokens=0,  # no", "next_tokens=1,  # no")
    latin = b"# -*- coding: latin-1 -*-\n# gr\xf6\xdfer\n" + wrong.encode()
    write(tmp_path, {"a.py": latin})
    assert fia_lint("check", "--fix", tmp_path).status == 0
    assert (tmp_path / "a.py").read_bytes() == latin.replace(b"next_tokens=1,", b"next_tokens=0,")


@pytest.mark.parametrize("code", [code for code, rule in RULES.items() if rule.default])
def test_examples_of_the_rules(tmp_path: Path, code: str) -> None:
    """No fix brings a finding, a finding that stays has a reason, and a second run changes nothing."""
    for example in RULES[code].examples_bad:
        write(tmp_path, {"a.py": example, "fia-lint.toml": ""})
        before = [finding[3] for finding in fia_lint("check", "--format", "json", tmp_path).found]
        run = fia_lint("check", "--fix", "--format", "json", tmp_path)
        after = [finding[3] for finding in run.found]
        assert code in before and not Counter(after) - Counter(before)
        assert run.err.count("not fixed: ") == len(after) and "not fixed: \n" not in run.err
        text = (tmp_path / "a.py").read_text()
        fia_lint("check", "--fix", tmp_path)
        assert (tmp_path / "a.py").read_text() == text
