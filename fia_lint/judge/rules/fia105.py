"""FIA105: what replay unpacks is out of step with what capture stored."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import Diagram, simplify
from fia_lint.evaluate.sites import ReplayMismatch
from fia_lint.judge.bounds import bound, shown
from fia_lint.judge.findings import Impact, Related
from fia_lint.judge.impact import of_calls
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.settings import Settings


class ReplayOutOfStep(Rule):
    """## What it does

    Capture stores a tuple of arguments, and the update before replay unpacks it. The rule reports an unpacking that feeds a
    mask argument of an update call where no tuple of that length is stored, or where the argument is not what the capture
    call passes and reading one other slot would make it so.

    ## Why it is bad

    Every later slot is off by one: the mask may be the block table, `next_tokens` the number of heads.

    ## Bad

        params.append((q, k, v, mask, pre_tokens, next_tokens, num_heads))   # capture
        q, k, v, mask, pre_tokens, num_heads, next_tokens = param            # update

    ## Good

        params.append((q, k, v, mask, pre_tokens, next_tokens, num_heads))   # capture
        q, k, v, mask, pre_tokens, next_tokens, num_heads = param            # update

    ## Known limits

    Values are compared, never names: two slots with the same value can be exchanged without a finding. Only slots that
    reach a mask argument count. Messages count slots from 0, as subscripts do.

    ## How to fix

    Store a record with named fields (a dataclass, a NamedTuple) in place of the tuple.
    """

    code = "FIA105"
    name = "replay-mismatch"
    fix = "slots"
    summary = "an update call unpacks other slots than capture stored"
    summary_zh = "update 调用解包的槽位与 capture 存入的不一致"
    messages = {
        "en": "{argument} is read from slot {read} of {length} (counted from 0), which holds {value}{when}; "
        "capture passes {reference}, slot {right}{effect}",
        "zh": "{when}{argument} 取自 {length} 个槽位中的第 {read} 个（从 0 起编号），其值为 {value}；"
        "capture 传入的是 {reference}，在第 {right} 个槽位{effect}",
    }
    variants = {
        "length": {
            "en": "{argument} is unpacked from {length} slots{when}, but capture stores {stored}",
            "zh": "{when}{argument} 由 {length} 个槽位解包得到，而 capture 存入的是 {stored} 个",
        }
    }
    examples_bad = (
        """\
import torch
import torch_npu


class Backend:
    def __init__(self, sliding_window, graph_params):
        self.sliding_window = sliding_window
        self.graph_params = graph_params

    def capture(self, q, k, v, meta, output, stream):
        pre_tokens, next_tokens = self.sliding_window, 0
        self.graph_params.attn_params[q.shape[0]].append((q, k, v, meta.mask, pre_tokens, next_tokens, output))
        torch.npu.graph_task_group_begin(stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens, out=output
        )
        return torch.npu.graph_task_group_end(stream)

    def update(self, stream, num_tokens, handle):
        for param in self.graph_params.attn_params[num_tokens]:
            q, k, v, mask, next_tokens, pre_tokens, output = param
            torch.npu.graph_task_update_begin(stream, handle)
            torch_npu.npu_fused_infer_attention_score.out(
                q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens, out=output
            )
            torch.npu.graph_task_update_end(stream)
""",
    )
    examples_good = (
        """\
import torch
import torch_npu


class Backend:
    def __init__(self, sliding_window, graph_params):
        self.sliding_window = sliding_window
        self.graph_params = graph_params

    def capture(self, q, k, v, meta, output, stream):
        pre_tokens, next_tokens = self.sliding_window, 0
        self.graph_params.attn_params[q.shape[0]].append((q, k, v, meta.mask, pre_tokens, next_tokens, output))
        torch.npu.graph_task_group_begin(stream)
        torch_npu.npu_fused_infer_attention_score.out(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens, out=output
        )
        return torch.npu.graph_task_group_end(stream)

    def update(self, stream, num_tokens, handle):
        for param in self.graph_params.attn_params[num_tokens]:
            q, k, v, mask, pre_tokens, next_tokens, output = param
            torch.npu.graph_task_update_begin(stream, handle)
            torch_npu.npu_fused_infer_attention_score.out(
                q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=pre_tokens, next_tokens=next_tokens, out=output
            )
            torch.npu.graph_task_update_end(stream)
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        for view in group.records:
            for mismatch in view.record.mismatches:
                yield self._hit(view, mismatch)

    def _hit(self, view: RecordView, mismatch: ReplayMismatch) -> Hit:
        related = [Related("unpacking", mismatch.unpacking, "update", mismatch.argument)]
        expected = _text(mismatch.argument, mismatch.expected, view)
        if mismatch.capture is not None:
            related.append(Related("capture", mismatch.capture, "capture", mismatch.argument, expected or ""))
        return self.hit(
            view,
            mismatch.argument,
            view.path,
            _text(mismatch.argument, mismatch.value, view) or "unknown",
            frozenset({mismatch.argument}),
            reference=expected,
            related=tuple(related),
            impact=_impact(view, mismatch),
            facts={
                "variant": "length" if mismatch.read is None else "",
                "length": mismatch.length,
                "stored": ", ".join(map(str, mismatch.stored)) or "none",
                "read": mismatch.read,
                "right": mismatch.right,
            },
        )


def _impact(view: RecordView, mismatch: ReplayMismatch) -> Impact | None:
    """What reading the wrong slot means, where the right one holds one known bound."""
    terms = mismatch.expected.terms if mismatch.expected is not None else ()
    if mismatch.argument not in ("pre_tokens", "next_tokens") or len(terms) != 1:
        return None
    return of_calls(view.calls.terms, lambda call: call.having(mismatch.argument, bound(terms[0])).mask)


def _text(argument: str, value: Diagram | None, view: RecordView) -> str | None:
    """The terms that a value can have at the call, in words."""
    if value is None:
        return None
    terms = simplify(value, view.record.path).terms
    if argument in ("pre_tokens", "next_tokens"):
        terms = tuple(bound(term) for term in terms)
    return " or ".join(dict.fromkeys(map(shown, terms)))
