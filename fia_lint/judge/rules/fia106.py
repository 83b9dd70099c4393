"""FIA106: another call of the class applies the window, this one does not."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import is_windowing, mentions_window
from fia_lint.judge.findings import Related
from fia_lint.judge.impact import impact
from fia_lint.judge.masks import Causal, Full
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, RecordView, SiteView
from fia_lint.settings import Settings


class WindowIgnored(Rule):
    """## What it does

    Reports a call that does not pass the window, can be reached by a layer with a window, and then runs full or causal
    attention, while another call in a method of the same class applies the window.

    ## Why it is bad

    On this path a layer with a sliding window attends more than it was trained for.

    ## Bad

        if decode_only:
            return fia(q, k, v, atten_mask=mask, sparse_mode=3)
        return fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Good

        if decode_only and self.sliding_window is None:
            return fia(q, k, v, atten_mask=mask, sparse_mode=3)
        return fia(q, k, v, atten_mask=mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0)

    ## Known limits

    Off by default: a class may have good reasons (sequences that are shorter than any window) which the code does not say.

    ## How to fix

    Pass the window here too, or let the path exclude layers with a window.
    """

    code = "FIA106"
    name = "window-ignored"
    default = False
    no_fix = "whether the path may be reached with a window, nobody can know"
    summary = "another call of the class applies the window, this one does not"
    summary_zh = "同一个类的其他调用使用了窗口，此处没有"
    messages = {
        "en": "no window is passed here and the mask is {value}{when}, while {there} applies the window{effect}",
        "zh": "{when}此处没有传入窗口，实际掩码为 {value}，而 {there} 使用了窗口{effect}",
    }
    examples_bad = (
        """\
import torch_npu


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q, k, v, meta):
        if meta.is_decode_only:
            return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)[0]
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
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
        if self.sliding_window is None:
            return torch_npu.npu_fused_infer_attention_score(q, k, v, atten_mask=meta.mask, sparse_mode=3)[0]
        return torch_npu.npu_fused_infer_attention_score(
            q, k, v, atten_mask=meta.mask, sparse_mode=4, pre_tokens=self.sliding_window, next_tokens=0
        )[0]
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        if group.window is None:
            return
        appliers: dict[str, tuple[SiteView, Arguments]] = {}
        for site in group.calls:
            applied = _applying(site)
            if applied is not None and site.site.owner != site.site.key.path:  # module-level functions are in no class
                appliers.setdefault(site.site.owner, (site, applied))
        for site in group.calls:
            if site.site.owner in appliers and not _passes(site):
                for view in site.records:
                    yield from self._hits(view, *appliers[site.site.owner])

    def _hits(self, view: RecordView, other: SiteView, applied: Arguments) -> Iterator[Hit]:
        related = Related("reference", other.site.place, other.role, "pre_tokens", applied.text("pre_tokens"))
        for case in view.windowed_cases(lambda c: c.mask in (Full(), Causal()), lambda c: c.mask):
            yield self.hit(
                view,
                "pre_tokens",
                case.condition,
                str(case.calls[0].mask),
                case.calls[0].matter | {"pre_tokens"},
                reference=str(applied.mask),
                related=(related,),
                impact=impact(case.calls[0].mask, applied.mask),
            )


def _applying(site: SiteView) -> Arguments | None:
    """A call of the site that applies a window, if there is one; rather one whose mask is known."""
    cases = [
        case.calls[0]
        for view in site.records
        for case in view.windowed_cases(lambda c: is_windowing(c.pre) and not c.ignores_bounds)
    ]
    return next((call for call in cases if call.mask.known), next(iter(cases), None))


def _passes(site: SiteView) -> bool:
    """Whether the window is passed under some condition."""
    return any(
        next(view.windowed_cases(lambda c: mentions_window(c.pre) or c.number == 4), None) is not None for view in site.records
    )
