"""FIA203: band mode without its bounds."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import FALSE, Diagram, conj, disj
from fia_lint.algebra.terms import Const, Subject, symbol
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.impact import of_calls
from fia_lint.judge.masks import Mask
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.settings import Settings


class BandWithoutBounds(Rule):
    """## What it does

    Reports a call in band mode (`sparse_mode=4`) that can run with a window and does not write `pre_tokens` or
    `next_tokens`. One finding per call, for the first that is missing; the message names both if both are.

    ## Why it is bad

    The default of both is unbounded. Without `next_tokens` every row attends everything after it, without `pre_tokens` there
    is no window.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Known limits

    An unbounded value that is written out is taken as meant.

    ## How to fix

    Write both bounds: the window and 0 in a decoder.
    """

    code = "FIA203"
    name = "band-without-bounds"
    fix = "bounds"
    summary = "band mode leaves pre_tokens or next_tokens at the unbounded default"
    summary_zh = "带状模式下 pre_tokens 或 next_tokens 采用了无界默认值"
    messages = {
        "en": "sparse_mode is 4{when}, but {missing} not written and unbounded by default{effect}",
        "zh": "{when}sparse_mode 为 4，但未写 {missing_zh}，其默认值无界{effect}",
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window
        )[0]
""",
    )
    examples_good = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        bounds = {"pre_tokens": self.sliding_window, "next_tokens": 0}
        return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=4, **bounds)[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            for case in view.windowed_cases(lambda call: call.number == 4, lambda call: call.number):
                found = {name: missing for name in _BOUNDS if (missing := conj(case.condition, view.left_out(name))) is not FALSE}
                if found:
                    yield self._hit(view, case.calls, found, group.window)

    def _hit(self, view: RecordView, calls: tuple[Arguments, ...], missing: dict[str, Diagram], window: Subject | None) -> Hit:
        first, *others = missing
        meant = {"next_tokens": Const(0)} if window is None else {"pre_tokens": symbol(window), "next_tokens": Const(0)}

        def bounded(call: Arguments) -> Mask:
            for argument in missing:
                call = call.having(argument, meant.get(argument, call.bound(argument)))
            return call.mask

        return self.hit(
            view,
            first,
            disj(*missing.values()),
            "unbounded",
            frozenset({"sparse_mode", *missing}),
            impact=of_calls(calls, bounded),
            facts={
                "missing": f"{first} and {others[0]} are" if others else f"{first} is",
                "missing_zh": " 和 ".join(missing),
                "arguments": tuple(missing),
            },
        )


_BOUNDS = ("pre_tokens", "next_tokens")
