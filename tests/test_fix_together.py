"""What must pass the same is repaired together or not at all: a workspace query and its call, a capture and its replay.

If these failed, a fix would make the first step after capture and all later ones compute different things.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.projects import Run, fia_lint, write

PRE = "self.sliding_window if self.sliding_window is not None else INT_MAX"
NEXT = "0 if self.sliding_window is not None else INT_MAX"
MODE = "4 if self.sliding_window is not None else 3"

BACKEND = """\
import torch
import torch_npu

from p.consts import AHEAD, INT_MAX
from p.replay import graph_params


class Backend:
    def __init__(self, sliding_window=None):
        self.sliding_window = sliding_window

    def forward(self, q, meta, out):
        if meta.capturing:
            return self.capture(q, meta, out)
        if meta.prefill:
            return torch_npu.npu_fused_infer_attention_score(
                q, q, q, atten_mask=meta.mask, sparse_mode={mode}, pre_tokens={pre}, next_tokens={next}
            )
        return torch_npu.npu_fused_infer_attention_score(
            q, q, q, atten_mask=meta.mask, sparse_mode={mode}, pre_tokens={pre}, next_tokens={next}
        )

    def pack(self, *values):
        return values

    def capture(self, q, meta, out):
        mode = {mode}
        pre_tokens = <pre>
        next_tokens = <next>
        size = torch_npu._npu_fused_infer_attention_score_get_max_workspace(
            q, q, q, atten_mask=meta.mask, sparse_mode=mode, pre_tokens=<pre passed>, next_tokens=<next passed>
        )
        graph_params.stored[q.shape[0]].append(<stored>)
        torch.npu.graph_task_group_begin(meta.stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, q, q, atten_mask=meta.mask, sparse_mode=mode, pre_tokens=<pre passed>, next_tokens=<next passed>,
            workspace=size, out=out,
        )
        torch.npu.graph_task_group_end(meta.stream)
""".replace("{pre}", PRE).replace("{next}", NEXT).replace("{mode}", MODE)

REPLAY = """\
import torch
import torch_npu


class GraphParams:
    def __init__(self):
        self.stored = {}


graph_params = GraphParams()


def update(stream, handle, num_tokens):
    for param in graph_params.stored[num_tokens]:
        q, mask, mode, pre_tokens, next_tokens, out = param
        torch.npu.graph_task_update_begin(stream, handle)
        torch_npu.npu_fused_infer_attention_score.out(
            q, q, q, atten_mask=mask, sparse_mode=mode, pre_tokens=pre_tokens, next_tokens=next_tokens, out=out
        )
        torch.npu.graph_task_update_end(stream)
"""
CONSTS = "INT_MAX = 2147483647\nAHEAD = 1\n"


def backend(**words: str) -> str:
    """The backend: what ``pre`` and ``next`` are assigned, what is passed (``pre_passed``), and what is ``stored``."""
    words = {"pre": PRE, "next": NEXT, "pre_passed": "pre_tokens", "next_passed": "next_tokens", **words}
    words.setdefault("stored", "(q, meta.mask, mode, pre_tokens, next_tokens, out)")
    text = BACKEND
    for name, word in words.items():
        text = text.replace(f"<{name.replace('_', ' ')}>", word)
    return text


def fix(folder: Path, source: str, target: str = "", replay: str = REPLAY) -> tuple[str, Run]:
    """The text of the backend after ``--fix``, and the run; the other files must stay."""
    files = {"p/__init__.py": "", "p/consts.py": CONSTS, "p/replay.py": replay, "p/backend.py": source, "fia-lint.toml": ""}
    write(folder, files)  # type: ignore[arg-type]
    run = fia_lint("check", "--fix", folder / target)
    assert all((folder / path).read_text() == text for path, text in files.items() if path != "p/backend.py")
    return (folder / "p" / "backend.py").read_text(), run


def test_the_right_program_is_right(tmp_path: Path) -> None:
    text, run = fix(tmp_path, backend())
    assert (text, run.status, run.err) == (backend(), 0, "")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(backend(next="AHEAD"), backend(), id="a constant of another file, where it is assigned"),
        pytest.param(backend(next="AHEAD if self.sliding_window is not None else INT_MAX"), backend(next=NEXT),
                     id="a constant of another file in a conditional expression"),
        pytest.param(
            backend(pre_passed="self.sliding_window - 1", next_passed="1",
                    stored="(q, meta.mask, mode, self.sliding_window - 1, 1, out)"),
            backend(pre_passed=PRE, next_passed=NEXT, stored=f"(q, meta.mask, mode, {PRE}, {NEXT}, out)"),
            id="the same words at the query, in the tuple and at the call",
        ),
        pytest.param(
            backend(next="AHEAD", stored="(q, meta.mask, mode, pre_tokens, 1, out)"),
            backend(next=NEXT, stored=f"(q, meta.mask, mode, pre_tokens, {NEXT}, out)"),
            id="other words in the tuple than at the call",
        ),
        pytest.param(
            backend(stored=f"(q, meta.mask, mode, ({PRE}) - 1, next_tokens, out)"),
            backend(stored=f"(q, meta.mask, mode, {PRE}, next_tokens, out)"),
            id="the tuple alone: replay is repaired where it was stored",
        ),
    ],
)  # fmt: skip
def test_repaired_together(tmp_path: Path, wrong: str, right: str) -> None:
    text, run = fix(tmp_path, wrong)
    assert (text, run.status, run.out) == (right, 0, "")


def test_a_mode_that_asks_the_wrong_way_round(tmp_path: Path) -> None:
    """Band mode alone would do with a window; without one, eager and graph code would still run other masks."""
    wrong = backend().replace(f"        mode = {MODE}", f"        mode = {MODE.replace('is not None', 'is None')}")
    text, run = fix(tmp_path, wrong)
    assert (text, run.status, run.out) == (backend(), 0, "")
    assert "stays what it was" not in run.err


def test_what_cannot_be_repaired_together_stays(tmp_path: Path) -> None:
    """Where the tuple is made by a function, its slot is not rewritten: then neither are the calls, and the place is named."""
    wrong = backend(next="AHEAD", next_passed="AHEAD", stored="self.pack(q, meta.mask, mode, pre_tokens, AHEAD, out)")
    text, run = fix(tmp_path, wrong)
    assert text == wrong and run.status == 1
    line = wrong[: wrong.index("graph_params.stored[")].count("\n") + 1
    assert f"which replays what is stored at p/backend.py:{line}" in run.err


def test_a_part_of_the_target_is_not_enough(tmp_path: Path) -> None:
    """If only the file with the replay may be changed, the value that it replays stays, and it is said where that is."""
    wrong = backend(next="AHEAD")
    text, run = fix(tmp_path, wrong, "p/replay.py")
    assert text == wrong and run.status == 1
    assert "not fixed: what is wrong stands in p/backend.py" in run.err


#: Replay of dicts, and what is stored then.
OF_DICTS = REPLAY.replace(
    "q, mask, mode, pre_tokens, next_tokens, out = param\n", 'q, mask, out = param["q"], param["mask"], param["out"]\n'
).replace(
    "sparse_mode=mode, pre_tokens=pre_tokens, next_tokens=next_tokens",
    'sparse_mode=param["mode"], pre_tokens=param["pre"], next_tokens=param["next"]',
)
DICT = '{"q": q, "mask": meta.mask, "mode": mode, "pre": pre_tokens, "next": <next>, "out": out}'


def test_replay_of_a_dict(tmp_path: Path) -> None:
    """The assignment behind query, entry and call is repaired; an entry that says the value itself keeps all of them back."""
    shared = backend(next="AHEAD", stored=DICT.replace("<next>", "next_tokens"))
    text, run = fix(tmp_path / "shared", shared, replay=OF_DICTS)
    assert (text, run.status, run.out) == (shared.replace("= AHEAD", f"= {NEXT}"), 0, "")
    apart = backend(next_passed="1", stored=DICT.replace("<next>", "1"))
    text, run = fix(tmp_path / "apart", apart, replay=OF_DICTS)
    assert text == apart and "p/replay.py:17, which replays it: both are to be changed" in run.err


@pytest.mark.parametrize(
    "use",
    [
        pytest.param('print(param["next"])', id="read for something else"),
        pytest.param("print(list(param.values()))", id="read with all others"),
        pytest.param('print(param.get("next"))', id="read by a method"),
        pytest.param("print(*param)", id="handed on"),
    ],
)
def test_an_entry_that_replay_uses_otherwise_stays(tmp_path: Path, use: str) -> None:
    source = backend(next="AHEAD", stored=DICT.replace("<next>", "next_tokens"))
    end = "        torch.npu.graph_task_update_end"
    replay = OF_DICTS.replace(end, f"        {use}\n{end}")
    text, run = fix(tmp_path, source, replay=replay)
    assert text == source and run.status == 1
