"""FIA102: next_tokens differs from the reference of its group."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.disagree import disagreements
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.settings import Settings


class NextTokensDisagree(Rule):
    """## What it does

    Compares `next_tokens` of every call that applies a sliding window with the reference of its group: the configured
    `contract`, else the pair (`pre_tokens`, `next_tokens`) that most eager calls of the package pass. Calls that can never
    run under the same fixed conditions (the window, and the tests that decide about a mask argument) are not compared.

    ## Why it is bad

    `next_tokens` counts how many later tokens a query row may attend. With `next_tokens=1` on the graph path and several
    query rows per request (draft tokens), every row but the last attends a token of the future: causality is broken, and
    draft tokens are rejected. With one query row nothing shows, so that the mistake can sit there for months.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=w, next_tokens=0)               # forward
        fia.out(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=w, next_tokens=1, out=out)  # capture

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=w, next_tokens=0)               # forward
        fia.out(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=w, next_tokens=0, out=out)  # capture

    ## Known limits

    Values are compared where their difference is known: numbers, the unbounded value, and sums over the window. What the
    mode makes of the argument does not matter here: see FIA202 for a window without effect.

    ## How to fix

    Pass what the other calls pass, best from one place: compute the pair once and hand it to all calls of the layer.
    """

    code = "FIA102"
    name = "next-tokens-disagree"
    fix = "argument"
    summary = "next_tokens differs from the reference of its group"
    summary_zh = "next_tokens 与同组的基准不一致"
    messages = {
        "en": "next_tokens is {value}{when}, but {reference} at {there} and the other calls of the group{effect}",
        "zh": "{when}next_tokens 为 {value}，而 {there} 及同组其他调用为 {reference}{effect}",
    }
    variants = {
        "one": {
            "en": "next_tokens is {value}{when}, but {reference} at {there}: the two calls disagree{effect}",
            "zh": "{when}next_tokens 为 {value}，而 {there} 为 {reference}：两处调用不一致{effect}",
        },
        "contract": {
            "en": "next_tokens is {value}{when}, but the contract says {reference}{effect}",
            "zh": "{when}next_tokens 为 {value}，而约定（contract）为 {reference}{effect}",
        },
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def prefill(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.full_mask, pre_tokens=self.sliding_window, next_tokens=0
        )

    def decode(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.full_mask, pre_tokens=self.sliding_window
        )
""",
    )
    examples_good = (
        """\
import torch_npu

INT_MAX = 2**31 - 1


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def prefill(self, q, k, v, meta):
        windowed = self.sliding_window is not None
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v,
            atten_mask=meta.mask,
            sparse_mode=4 if windowed else 3,
            pre_tokens=self.sliding_window if windowed else INT_MAX,
            next_tokens=0,
        )

    def decode(self, q, k, v, meta):
        if self.sliding_window is None:
            return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=1 - 1
        )
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        return disagreements(self, "next_tokens", group)
