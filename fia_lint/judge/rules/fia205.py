"""FIA205: "no window" is passed as the window."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.terms import Subject
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import NO_BOUND, is_window
from fia_lint.judge.groups import tests_in_arguments, tests_on_path
from fia_lint.judge.impact import of_calls, raises
from fia_lint.judge.regimes import sentinels
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import Case, GroupView, RecordView
from fia_lint.settings import Settings


class NoWindowPassedAsWindow(Rule):
    """## What it does

    Reports a call that gets the layer's window as `pre_tokens` in a mode that uses it, where code on the way asks whether
    there is a window and still lets a layer without one through: None, -1 or 0 is passed as the window.

    ## Why it is bad

    None makes the call fail; -1 and 0 are taken for numbers: a row sees nothing, or only itself.

    ## Bad

        if self.sliding_window is not None or meta.force_band:
            fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Good

        if self.sliding_window is not None:
            fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Known limits

    Code that never asks for the window is taken for code of layers that always have one.

    ## How to fix

    Let the path exclude layers without a window, or pass the unbounded value for them.
    """

    code = "FIA205"
    name = "no-window-passed-as-window"
    fix = "argument"
    summary = "the value that says there is no window is passed as the window"
    summary_zh = "表示“没有窗口”的值被当作窗口传入"
    messages = {
        "en": "pre_tokens is {value}{when}: there is no window, and sparse_mode {mode} takes it for one{effect}",
        "zh": "{when}pre_tokens 为 {value}：此时没有窗口，而 sparse_mode {mode} 会把它当作窗口{effect}",
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        if self.sliding_window is not None or meta.force_band:
            return torch_npu.npu_fused_infer_attention_score(
                q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
            )[0]
        return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)[0]
""",
    )
    examples_good = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        if self.sliding_window is None:
            return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)[0]
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
        )[0]
""",
    )
    alone = True

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        if group.window is None:
            return
        for view in group.records:
            for sentinel in _asked_for(view):
                for case in view.cases(_takes_window, lambda call: sentinel, view.regimes.having(sentinel)):
                    yield self._hit(view, group.window, sentinel, case)

    def _hit(self, view: RecordView, window: Subject, sentinel: object, case: Case) -> Hit:
        passed = [call.bind(window, sentinel) for call in case.calls]
        effect = of_calls(passed, lambda call: call.having("pre_tokens", NO_BOUND).mask)
        return self.hit(
            view,
            "pre_tokens",
            case.condition,
            str(sentinel),
            frozenset({"pre_tokens"}).union(*(call.matter for call in case.calls)),
            impact=raises("pre_tokens") if sentinel is None else effect,
            facts={"mode": " or ".join(dict.fromkeys(str(call.number) for call in case.calls))},
        )


def _takes_window(call: Arguments) -> bool:
    return is_window(call.pre) and call.uses_bounds


def _asked_for(view: RecordView) -> tuple[object, ...]:
    """The sentinels of the tests on the way to the call, as opposed to those that only choose an argument."""
    window = view.regimes.window
    in_arguments = tests_in_arguments(view.record, window)
    deciding = tests_on_path(view.record, window)
    return sentinels(test for test in view.record.window_tests if test in deciding or test not in in_arguments)
