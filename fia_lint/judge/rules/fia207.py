"""FIA207: next_tokens depends on a condition, and the mode ignores it."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.bounds import is_known, shown
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, SiteView
from fia_lint.settings import Settings


class FlagWithoutEffect(Rule):
    """## What it does

    Reports a call whose `next_tokens` depends on a condition (causal or not), while its mode ignores the argument in every
    case: 1, 2, 3, or 0 with an `atten_mask` that is known to be None.

    ## Why it is bad

    The code looks as if the flag decided about causality, and it decides nothing.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=3, next_tokens=0 if self.causal else INT_MAX)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=3 if self.causal else 0)

    ## Known limits

    Off by default: the mask is what it is, and may be right.

    ## How to fix

    Choose the mode by the flag, or drop the flag.
    """

    code = "FIA207"
    name = "flag-without-effect"
    default = False
    no_fix = "which mode is meant, nobody can know"
    summary = "next_tokens depends on a condition, but the mode ignores it in every case"
    summary_zh = "next_tokens 取决于某个条件，但该模式在所有情况下都忽略它"
    messages = {
        "en": "next_tokens is {value} by a condition, but sparse_mode {mode} ignores it{when}",
        "zh": "next_tokens 按条件取 {value}，但{when}sparse_mode {mode} 会忽略它",
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, causal):
        self.causal = causal

    def forward(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=3, next_tokens=0 if self.causal else 2147483647
        )[0]
""",
    )
    examples_good = (
        """\
import torch_npu


class Attention:
    def __init__(self, causal):
        self.causal = causal

    def forward(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=2147483647,
            next_tokens=0 if self.causal else 2147483647,
        )[0]
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for site in group.calls:
            if _ignores_always(site):
                yield from self._hits(site)

    def _hits(self, site: SiteView) -> Iterator[Hit]:
        for view in site.records:
            cases = list(view.cases(lambda call: is_known(call.next), lambda call: call.next))
            if len(cases) > 1:
                calls = [call for case in cases for call in case.calls]
                yield self.hit(
                    view,
                    "next_tokens",
                    view.path,
                    " or ".join(shown(case.calls[0].next) for case in cases),
                    frozenset({"next_tokens"}).union(*(call.matter for call in calls)),
                    facts={"mode": " or ".join(sorted({str(call.number) for call in calls}))},
                )


def _ignores_always(site: SiteView) -> bool:
    return bool(site.records) and all(
        next(view.cases(lambda call: not call.ignores_bounds), None) is None for view in site.records
    )
