"""FIA101: pre_tokens differs from the reference of its group."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.disagree import disagreements
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.settings import Settings


class PreTokensDisagree(Rule):
    """## What it does

    Compares `pre_tokens` of every call that applies a sliding window with the reference of its group: the configured
    `contract`, else the pair (`pre_tokens`, `next_tokens`) that most eager calls of the package pass. Calls that can never
    run under the same fixed conditions (the window, and the tests that decide about a mask argument) are not compared.

    ## Why it is bad

    Eager code, graph capture and graph replay run the same layer. If one of them passes `sliding_window - 1` where the
    others pass `sliding_window`, one path sees a key less than the others, once there are more keys than the window.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)      # forward
        fia.out(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window - 1, next_tokens=0, out=out)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)      # forward
        fia.out(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0, out=out)

    ## Known limits

    Values are compared where their difference is known: numbers, the unbounded value, and sums over the window. Anything
    else is neither the same nor different. Where only one call holds the reference, nobody can know which of the two is
    wrong.

    The documented exception for query length 1: the operator's documentation says that with one query row per request
    (plain decode) `pre_tokens` and `next_tokens` have no effect. Practice did not hold to it for every layout and kernel, so
    that it explains why a mistake can stay unseen, and never silences a finding.

    ## How to fix

    Pass what the other calls pass, best from one place: compute the pair once and hand it to all calls of the layer.
    """

    code = "FIA101"
    name = "pre-tokens-disagree"
    fix = "argument"
    summary = "pre_tokens differs from the reference of its group"
    summary_zh = "pre_tokens 与同组的基准不一致"
    messages = {
        "en": "pre_tokens is {value}{when}, but {reference} at {there} and the other calls of the group{effect}",
        "zh": "{when}pre_tokens 为 {value}，而 {there} 及同组其他调用为 {reference}{effect}",
    }
    variants = {
        "one": {
            "en": "pre_tokens is {value}{when}, but {reference} at {there}: the two calls disagree{effect}",
            "zh": "{when}pre_tokens 为 {value}，而 {there} 为 {reference}：两处调用不一致{effect}",
        },
        "contract": {
            "en": "pre_tokens is {value}{when}, but the contract says {reference}{effect}",
            "zh": "{when}pre_tokens 为 {value}，而约定（contract）为 {reference}{effect}",
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
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
        )

    def chunked(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
        )

    def decode(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window - 1, next_tokens=0
        )
""",
    )
    examples_good = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def prefill(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window - 1, next_tokens=0
        )

    def decode(self, q, k, v, meta):
        w = self.sliding_window
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=-1 + w, next_tokens=0
        )
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        return disagreements(self, "pre_tokens", group)
