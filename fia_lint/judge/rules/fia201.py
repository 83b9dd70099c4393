"""FIA201: a band with a window whose rows attend future tokens."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import FALSE, Diagram, conj, negate
from fia_lint.algebra.terms import Const
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import NO_BOUND, is_integer, mentions_window, shown
from fia_lint.judge.impact import of_calls
from fia_lint.judge.masks import Band
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.settings import Settings


class LooksAhead(Rule):
    """## What it does

    Reports a band with a window (`pre_tokens` mentions the window, or is a number up to 65534) that is not symmetric and
    whose `next_tokens` is a positive number, mentions the window, or is passed as unbounded.

    ## Why it is bad

    In a decoder a row must not attend what comes after it. With several query rows per request, every row but the last
    attends future tokens; with one row there is none, and nothing shows.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=1)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Known limits

    A band that reaches as far ahead as back is taken for local attention in both directions and left alone. A number that
    is only known at run time is not reported.

    The documented exception for query length 1: the operator's documentation says that with one query row per request
    (plain decode) `pre_tokens` and `next_tokens` have no effect. Practice did not hold to it for every layout and kernel, so
    that it explains why a mistake can stay unseen, and never silences a finding.

    ## How to fix

    Pass `next_tokens=0`.
    """

    code = "FIA201"
    name = "looks-ahead"
    fix = "argument"
    summary = "a band with a window lets rows attend future tokens"
    summary_zh = "带窗口的带状掩码允许查询行看到未来的 token"
    messages = {
        "en": "next_tokens is {value}{when} in the mask {mask}: rows attend future tokens{effect}",
        "zh": "{when}next_tokens 为 {value}，掩码为 {mask}：查询行会看到未来的 token{effect}",
    }
    examples_bad = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    return torch_npu.npu_fused_infer_attention_score(
        q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=layer.sliding_window - 1, next_tokens=1
    )[0]
""",
    )
    examples_good = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    return torch_npu.npu_fused_infer_attention_score(
        q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=layer.sliding_window - 1, next_tokens=0
    )[0]


def local_attention(layer, q, k, v, meta):
    half = layer.sliding_window // 2
    return torch_npu.npu_fused_infer_attention_score(
        q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=half, next_tokens=half
    )[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            yield from self._windowed(view)
            if view.regimes.sentinels:
                yield from self._numbers(view)

    def _windowed(self, view: RecordView) -> Iterator[Hit]:
        for case in view.windowed_cases(_looks_ahead, lambda call: call.next):
            yield from self._hits(view, case.calls, case.condition)

    def _numbers(self, view: RecordView) -> Iterator[Hit]:
        """Without a window, a number is a window all the same; the window itself is not."""

        def holds(call: Arguments) -> bool:
            return _looks_ahead(call) and not mentions_window(call.pre) and not mentions_window(call.next)

        for case in view.cases(holds, lambda call: call.next, view.regimes.unwindowed):
            yield from self._hits(view, case.calls, case.condition)

    def _hits(self, view: RecordView, calls: tuple[Arguments, ...], condition: Diagram) -> Iterator[Hit]:
        following = calls[0].next
        if following == NO_BOUND:
            condition = conj(condition, negate(view.left_out("next_tokens")))
        if condition is FALSE:
            return
        yield self.hit(
            view,
            "next_tokens",
            condition,
            shown(following),
            frozenset({"sparse_mode", "pre_tokens", "next_tokens"}),
            impact=of_calls(calls, lambda call: call.having("next_tokens", Const(0)).mask),
            facts={"mask": str(calls[0].mask)},
        )


def _looks_ahead(call: Arguments) -> bool:
    mask = call.mask
    if not isinstance(mask, Band) or not mask.with_window or mask.symmetric:
        return False
    return mentions_window(mask.next) or (is_integer(mask.next) and mask.next.value > 0)  # type: ignore[attr-defined]
