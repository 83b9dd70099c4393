"""FIA901: a mask argument could not be determined."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import FALSE, Diagram, cases, conj, where
from fia_lint.algebra.terms import Unknown
from fia_lint.evaluate.sites import Place
from fia_lint.judge.findings import Related
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.operators import MASK_ARGUMENTS
from fia_lint.settings import Settings
from fia_lint.spans import Span


class UnknownArgument(Rule):
    """## What it does

    Reports a mask argument that could not be determined from the source, with the reason and the place where knowledge
    ended.

    ## Why it is bad

    It is not bad: it is where the other rules could not look. An unknown value is never taken for a disagreement.

    ## Bad

        options = {"sparse_mode": 3}
        tune(options)  # of another package: it may change the dict
        fia(q, k, v, atten_mask=mask, **options)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=3)

    ## Known limits

    Off by default. Whether a mask is None is often not in the source; that alone is not reported.

    ## How to fix

    Nothing needs fixing. To let the tool see the value, pass it without a detour through code that it cannot follow.
    """

    code = "FIA901"
    name = "unknown-argument"
    default = False
    no_fix = "what is not known cannot be repaired"
    summary = "a mask argument could not be determined"
    summary_zh = "某个掩码参数无法确定"
    messages = {
        "en": "{argument} could not be determined{when}: {reason}",
        "zh": "{when}无法确定 {argument}：{reason}",
    }
    examples_bad = (
        """\
import torch_npu

from vendor import tune


def attention(layer, q, k, v, meta):
    options = {"mode": 3}
    tune(options)
    return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=options["mode"])[0]
""",
    )
    examples_good = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    options = {"mode": 3}
    return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=options["mode"])[0]
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            for argument in MASK_ARGUMENTS:
                condition = conj(view.path, where(view.record.values[argument], _is_unknown))
                if condition is not FALSE:
                    yield self._hit(view, argument, condition)

    def _hit(self, view: RecordView, argument: str, condition: Diagram) -> Hit:
        reasons = [term for _, term in cases(view.record.values[argument], condition)]
        ends = [Place(term.path, Span(term.line, 1, term.line, 1)) for term in reasons if term.path]
        return self.hit(
            view,
            argument,
            condition,
            "unknown",
            frozenset({argument}),
            related=tuple(Related("end", place, "", argument) for place in dict.fromkeys(ends)),
            facts={"reason": "; ".join(dict.fromkeys(term.reason for term in reasons))},
        )


def _is_unknown(term: object) -> bool:
    return isinstance(term, Unknown)
