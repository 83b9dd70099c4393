"""FIA104: a workspace is sized with other mask arguments than the call it is for."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import FALSE, Diagram, conj
from fia_lint.evaluate.sites import Query
from fia_lint.judge.arguments import Arguments, Tensor
from fia_lint.judge.bounds import Verdict, compare
from fia_lint.judge.findings import Related
from fia_lint.judge.fixed import Fixed, deciding
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView, SiteView
from fia_lint.operators import MASK_ARGUMENTS
from fia_lint.settings import Settings


class WorkspaceMismatch(Rule):
    """## What it does

    Compares the mask arguments of a workspace query (`..._get_max_workspace`) with those of the `.out` call that gets the
    workspace, in the same function or handed on as an argument. An argument that the mode ignores does not differ.

    ## Why it is bad

    The workspace is sized for another computation than the one that runs in it.

    ## Bad

        workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(q, k, v, sparse_mode=3, atten_mask=mask)
        fia.out(q, k, v, sparse_mode=4, atten_mask=mask, pre_tokens=w, next_tokens=0, workspace=workspace, out=out)

    ## Good

        common = dict(sparse_mode=4, atten_mask=mask, pre_tokens=w, next_tokens=0)
        workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(q, k, v, **common)
        fia.out(q, k, v, **common, workspace=workspace, out=out)

    ## Known limits

    Which query filled a cache is not traced. Values are compared where their difference is known.

    ## How to fix

    Put the common arguments into one dict and pass it to both calls.
    """

    code = "FIA104"
    name = "workspace-mismatch"
    fix = "query"
    summary = "a workspace is sized with other mask arguments than the call it is for"
    summary_zh = "workspace 的大小查询与其对应的调用使用了不同的掩码参数"
    messages = {
        "en": "the workspace is sized with {argument} {value}{when}, the call at {there} passes {reference}",
        "zh": "{when}查询 workspace 大小时 {argument} 为 {value}，而 {there} 的调用传入 {reference}",
    }
    examples_bad = (
        """\
import torch
import torch_npu


def capture(layer, q, k, v, meta, output, stream):
    size = torch_npu._npu_fused_infer_attention_score_get_max_workspace(
        q, k, v, num_heads=layer.num_heads, atten_mask=meta.attn_mask, sparse_mode=2
    )
    torch.npu.graph_task_group_begin(stream)
    torch_npu.npu_fused_infer_attention_score.out(
        q, k, v, num_heads=layer.num_heads, atten_mask=meta.attn_mask, sparse_mode=3, workspace=size, out=[output, None]
    )
    return torch.npu.graph_task_group_end(stream)
""",
    )
    examples_good = (
        """\
import torch
import torch_npu


def capture(layer, q, k, v, meta, output, stream):
    common = {"num_heads": layer.num_heads, "atten_mask": meta.attn_mask, "sparse_mode": 3}
    size = torch_npu._npu_fused_infer_attention_score_get_max_workspace(q, k, v, **common)
    torch.npu.graph_task_group_begin(stream)
    torch_npu.npu_fused_infer_attention_score.out(q, k, v, **common, workspace=size, out=[output, None])
    return torch.npu.graph_task_group_end(stream)
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        queries = {site.site.key: site for site in group.sites if site.sizes}
        for view in group.records:
            for asked in view.record.queries:
                for query in _evaluated(asked, queries[asked.key], view) if asked.key in queries else ():
                    yield from self._differences(query, view, asked.holds)

    def _differences(self, query: RecordView, view: RecordView, handed: Diagram) -> Iterator[Hit]:
        fixed = Fixed(deciding((query.calls, view.calls)))
        for sized in query.cases():
            for made in view.cases():
                condition = conj(sized.condition, made.condition, handed)
                if condition is FALSE:
                    continue
                here, there = sized.calls[0], made.calls[0]
                for argument in (name for name in MASK_ARGUMENTS if _differ(name, here, there)):
                    place, value = view.site.site.place, there.text(argument)
                    yield self.hit(
                        query,
                        argument,
                        condition,
                        here.text(argument),
                        frozenset({argument}),
                        fixed,
                        reference=value,
                        related=(Related("call", place, view.site.role, argument, value),),
                    )


def _evaluated(asked: Query, site: SiteView, view: RecordView) -> list[RecordView]:
    """The evaluation of the query whose result a call gets; those of the same entry where it is not among the records."""
    beside = [query for query in site.records if query.record.context == view.record.context]
    own = [query for query in site.records if asked.evaluation and query.record.evaluation == asked.evaluation]
    return own or beside


def _differ(argument: str, here: Arguments, there: Arguments) -> bool:
    """Whether two calls are known to differ in an argument that neither ignores."""
    if argument == "sparse_mode":
        return None not in (here.number, there.number) and here.number != there.number
    if argument == "atten_mask":
        return {_tensor(here), _tensor(there)} == {Tensor.NONE, Tensor.GIVEN}
    if here.ignores_bounds or there.ignores_bounds:
        return False
    return compare(here.bound(argument), there.bound(argument)) is Verdict.DIFFER


def _tensor(call: Arguments) -> Tensor:
    """What is known of a mask: a mode that needs one has one."""
    return Tensor.GIVEN if call.tensor is Tensor.EITHER and call.number in (1, 2, 3, 4, 9) else call.tensor
