"""FIA202: the window is passed, and the mode ignores it."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import mentions_window, shown
from fia_lint.judge.impact import of_calls
from fia_lint.judge.masks import band
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.settings import Settings


class WindowWithoutEffect(Rule):
    """## What it does

    Reports a call that passes the window as `pre_tokens` in a mode that makes nothing of it: 1, 2, 3, or 0 with an
    `atten_mask` that is known to be None.

    ## Why it is bad

    There is no window at all. The layer attends everything before it (mode 2 and 3) or everything (mode 0 without a
    mask), which is slow and, for a model trained with a window, wrong.

    ## Bad

        fia(q, k, v, pre_tokens=self.sliding_window, next_tokens=0)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Known limits

    In mode 0 the window counts where there is a mask. Where the source does not say whether there is one, nothing is
    reported. With one query row per request the reference pages say that `pre_tokens` never has an effect.

    ## How to fix

    Pass `sparse_mode=4` together with the 2048 x 2048 mask, or do not pass the window.
    """

    code = "FIA202"
    name = "window-without-effect"
    fix = "mode"
    summary = "the window is passed, but the mode ignores it"
    summary_zh = "传入了窗口，但该模式会忽略它"
    messages = {
        "en": "pre_tokens is {value}{when}, but sparse_mode {mode} ignores it: the mask is {mask}{effect}",
        "zh": "{when}pre_tokens 为 {value}，但 sparse_mode {mode} 会忽略它：实际掩码为 {mask}{effect}",
    }
    variants = {
        "no-mask": {
            "en": "pre_tokens is {value}{when}, but sparse_mode 0 without a mask ignores it: the mask is full{effect}",
            "zh": "{when}pre_tokens 为 {value}，但没有掩码的 sparse_mode 0 会忽略它：实际掩码为 full{effect}",
        }
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=3, pre_tokens=self.sliding_window, next_tokens=0
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
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
        )[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            for case in view.windowed_cases(_is_in_vain, lambda call: call.pre):
                call = case.calls[0]
                yield self.hit(
                    view,
                    "pre_tokens",
                    case.condition,
                    shown(call.pre),
                    call.matter | {"pre_tokens"},
                    impact=of_calls(case.calls, lambda call: band(call.pre, call.next)),
                    facts={
                        "mode": " or ".join(dict.fromkeys(str(c.number) for c in case.calls)),
                        "mask": " or ".join(dict.fromkeys(str(c.mask) for c in case.calls)),
                        "variant": "no-mask" if {c.number for c in case.calls} == {0} else "",
                    },
                )


def _is_in_vain(call: Arguments) -> bool:
    return mentions_window(call.pre) and call.number in (0, 1, 2, 3) and call.ignores_bounds
