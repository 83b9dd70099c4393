"""FIA206: a mode that the operator does not have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fia_lint.algebra.terms import Const
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.impact import raises
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.operators import CATALOGUE
from fia_lint.settings import Settings


class UnsupportedMode(Rule):
    """## What it does

    Reports a `sparse_mode` that the operator does not implement: 5 to 8, 9 in the first version, any other number.

    ## Why it is bad

    The call fails, or does something that no reference page describes.

    ## Bad

        fia(q, k, v, atten_mask=mask, sparse_mode=5)

    ## Good

        fia(q, k, v, atten_mask=mask, sparse_mode=3)

    ## Known limits

    A mode that is only known at run time is not reported.

    ## How to fix

    Use 0 (default), 1 (allMask), 2 (leftUpCausal), 3 (rightDownCausal) or 4 (band); 9 (tree) exists in the second version.
    """

    code = "FIA206"
    name = "unsupported-mode"
    no_fix = "which mode is meant, nobody can know"
    summary = "sparse_mode is not a mode of the operator"
    summary_zh = "sparse_mode 不是该算子支持的模式"
    messages = {
        "en": "sparse_mode is {value}{when}, but {operator} has the modes {modes}",
        "zh": "{when}sparse_mode 为 {value}，而 {operator} 只有模式 {modes}",
    }
    examples_bad = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=9)[0]
""",
    )
    examples_good = (
        """\
import torch_npu


def attention(layer, q, k, v, meta):
    return torch_npu.npu_fused_infer_attention_score_v2(q, k, v, atten_mask=meta.mask, sparse_mode=9)[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            modes = _MODES.get(view.operator, frozenset())
            for case in view.cases(partial(_is_none_of, modes), lambda call: call.mode):
                yield self.hit(
                    view,
                    "sparse_mode",
                    case.condition,
                    str(case.calls[0].mode),
                    frozenset({"sparse_mode"}),
                    impact=raises("sparse_mode"),
                    facts={"operator": view.operator, "modes": ", ".join(map(str, sorted(modes)))},
                )


def _is_none_of(modes: frozenset[int], call: Arguments) -> bool:
    return isinstance(call.mode, Const) and call.mode.value not in modes


_MODES = {row.name: row.modes for row in CATALOGUE}
