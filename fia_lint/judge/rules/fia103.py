"""FIA103: a graph path runs another kind of mask than eager code does."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.graph import ClassView, Disagreement
from fia_lint.judge.impact import impact
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView
from fia_lint.settings import Settings


class GraphMaskDisagree(Rule):
    """## What it does

    For every class that runs a capture or update call, compares the kind of its effective mask (full, causal, left-up
    causal, band, given) with those of the eager calls of that class, under fixed conditions: the window, the tests that
    decide about a mask argument, and the constants of the layer. A call whose kind no eager call has there is reported.

    ## Why it is bad

    The same layer gives one answer in eager mode and another one when the graph is replayed.

    ## Bad

        if self.sliding_window is not None:
            fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)  # eager
        ...
        fia.out(q, k, v, atten_mask=mask, sparse_mode=3, out=out)  # capture: causal, window or not

    ## Good

        mode, pre = (4, self.sliding_window) if self.sliding_window is not None else (3, INT_MAX)
        fia.out(q, k, v, atten_mask=mask, sparse_mode=mode, pre_tokens=pre, next_tokens=0, out=out)

    ## Known limits

    Bounds of a band are FIA101's and FIA102's business. Where the mask of one of the calls is not known, and where no eager
    call can run, nothing is reported.

    ## How to fix

    Ask the same questions in the same order on both paths, best in one function that returns mode, mask and bounds.
    """

    code = "FIA103"
    name = "graph-mask-disagree"
    no_fix = "mode, mask and bounds belong together: which questions the path should ask, nobody can know"
    summary = "a graph path runs another kind of mask than eager code"
    summary_zh = "图模式路径的掩码类型与 eager 路径不一致"
    messages = {
        "en": "the {role} call runs the mask {value}{when}, eager code {reference} ({there}){effect}",
        "zh": "{when}该 {role} 调用的实际掩码为 {value}，而 eager 代码为 {reference}（{there}）{effect}",
    }
    variants = {
        "fed": {
            "en": "the update call runs the mask {value}{when}, as the capture that feeds it does, "
            "eager code {reference} ({there}){effect}",
            "zh": "{when}该 update 调用的实际掩码为 {value}（与其 capture 相同），而 eager 代码为 {reference}（{there}）{effect}",
        }
    }
    examples_bad = (
        """\
import torch
import torch_npu


class Backend:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        if self.sliding_window is not None:
            return torch_npu.npu_fused_infer_attention_score(
                q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
            )[0]
        return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)[0]

    def capture(self, q, k, v, meta, stream, output):
        torch.npu.graph_task_group_begin(stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, k, v, atten_mask=meta.mask, sparse_mode=3, workspace=None, out=[output, None]
        )
        return torch.npu.graph_task_group_end(stream)
""",
    )
    examples_good = (
        """\
import torch
import torch_npu

INT_MAX = 2**31 - 1


class Backend:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def mask_arguments(self):
        if self.sliding_window is not None:
            return {"sparse_mode": 4, "pre_tokens": self.sliding_window, "next_tokens": 0}
        return {"sparse_mode": 3}

    def forward(self, q, k, v, meta):
        return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, **self.mask_arguments())[0]

    def capture(self, q, k, v, meta, stream, output):
        torch.npu.graph_task_group_begin(stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, k, v, atten_mask=meta.mask, **self.mask_arguments(), workspace=None, out=[output, None]
        )
        return torch.npu.graph_task_group_end(stream)
""",
    )
    one_per_site = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        graph_sites = [site for site in group.calls if site.role in ("capture", "update")]
        for cls in dict.fromkeys(view.record.cls for site in graph_sites for view in site.records):
            of = ClassView(group, cls)
            for view in of.members:
                if view.site.role in ("capture", "update"):
                    yield from (self._hit(of, found) for found in of.disagreements(view))

    def _hit(self, of: ClassView, found: Disagreement) -> Hit:
        fed = of.feeding(found)
        return self.hit(
            found.view,
            "sparse_mode",
            found.condition,
            str(found.mask),
            found.involved,
            of.fixed,
            reference=" or ".join(map(str, found.others)),
            related=(*of.witnesses_of(found), *fed),
            impact=impact(found.mask, found.others[0]),
            facts={"variant": "fed" if fed else ""},
        )
