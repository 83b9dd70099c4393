"""FIA204: a mode that needs a mask, and none is passed."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.arguments import Tensor
from fia_lint.judge.impact import raises
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.settings import Settings


class MaskRequired(Rule):
    """## What it does

    Reports a call in mode 1, 2, 3 or 4 whose `atten_mask` is known to be None: left out, or the constant None.

    ## Why it is bad

    These modes require a mask tensor (a full-size one for mode 1, the 2048 x 2048 triangle for the others); the call fails.

    ## Bad

        fia(q, k, v, sparse_mode=3)

    ## Good

        fia(q, k, v, sparse_mode=3, atten_mask=self.triangle)

    ## Known limits

    A mask that may or may not be None (an attribute, a value chosen by a test of itself) is not reported.

    ## How to fix

    Pass the mask, or use mode 0 for full attention.
    """

    code = "FIA204"
    name = "mask-required"
    no_fix = "which mask is meant, nobody can know"
    summary = "sparse_mode 1 to 4 with an atten_mask that is known to be None"
    summary_zh = "sparse_mode 为 1 至 4，而 atten_mask 已知为 None"
    messages = {
        "en": "sparse_mode {mode} requires atten_mask, which is None{when}",
        "zh": "{when}sparse_mode {mode} 需要 atten_mask，而它为 None",
    }
    examples_bad = (
        """\
import torch_npu


def attention(layer, q, k, v):
    return torch_npu.npu_fused_infer_attention_score(q, k, v, num_heads=layer.num_heads, sparse_mode=3)[0]
""",
    )
    examples_good = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    mask, mode = (None, 0) if meta.is_decode else (meta.mask, 3)
    return torch_npu.npu_fused_infer_attention_score(
        q, k, v, num_heads=layer.num_heads, sparse_mode=mode, atten_mask=mask
    )[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            for case in view.cases(lambda c: c.number in (1, 2, 3, 4) and c.tensor is Tensor.NONE, lambda c: c.tensor):
                yield self.hit(
                    view,
                    "atten_mask",
                    case.condition,
                    "None",
                    frozenset({"sparse_mode", "atten_mask"}),
                    impact=raises("atten_mask"),
                    facts={"mode": " or ".join(dict.fromkeys(str(call.number) for call in case.calls))},
                )
