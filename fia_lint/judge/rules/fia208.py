"""FIA208: a group asks in different ways whether there is a window."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import TRUE
from fia_lint.algebra.region import EVERYTHING, NUMBERS
from fia_lint.evaluate.sites import WindowTest
from fia_lint.judge.findings import Related
from fia_lint.judge.groups import tests_in_arguments, tests_on_path
from fia_lint.judge.regimes import is_absence_test
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import GroupView, SiteView
from fia_lint.settings import Settings


class SentinelsMixed(Rule):
    """## What it does

    Reports a group whose code asks in different ways whether there is a window, in tests that decide about a mask argument
    or about reaching a call: truth and `is not None` differ for 0, truth and `> 0` for -1. One finding per group, at the
    first call with the rarer form.

    ## Why it is bad

    A configuration that says 0 or -1 for "no window" gives a window on one path and none on another.

    ## Bad

        pre = self.sliding_window or INT_MAX                                           # prefill
        pre = self.sliding_window if self.sliding_window is not None else INT_MAX      # decode

    ## Good

        pre = self.sliding_window if self.sliding_window is not None else INT_MAX      # both

    ## Known limits

    Off by default: for the values that a project really uses, both forms may mean the same.

    ## How to fix

    Turn the configured value into one sentinel in one place, and ask for that everywhere.
    """

    code = "FIA208"
    name = "sentinels-mixed"
    default = False
    no_fix = "which value says that there is no window, nobody can know"
    summary = "a group tests the same window for absence in different ways"
    summary_zh = "同组代码以不同方式判断窗口是否存在"
    messages = {
        "en": "whether there is a window is asked by {value} here and by {reference} at {there}: they differ for some value",
        "zh": "此处用 {value} 判断是否有窗口，而 {there} 用 {reference}：两者对某些取值不一致",
    }
    examples_bad = (
        """\
from torch_npu import npu_fused_infer_attention_score as fia

MAX = 2147483647


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def prefill(self, q, k, v, meta):
        pre = self.sliding_window if self.sliding_window is not None else MAX
        return fia(q, k, v, atten_mask=meta.full_mask, pre_tokens=pre, next_tokens=0)

    def decode(self, q, k, v, meta):
        pre = self.sliding_window or MAX
        return fia(q, k, v, atten_mask=meta.full_mask, pre_tokens=pre, next_tokens=0)
""",
    )
    examples_good = (
        """\
from torch_npu import npu_fused_infer_attention_score as fia

MAX = 2147483647


class Attention:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def prefill(self, q, k, v, meta):
        pre = self.sliding_window if self.sliding_window is not None else MAX
        return fia(q, k, v, atten_mask=meta.full_mask, pre_tokens=pre, next_tokens=0)

    def decode(self, q, k, v, meta):
        pre = MAX
        if not self.sliding_window is None:
            pre = self.sliding_window
        return fia(q, k, v, atten_mask=meta.full_mask, pre_tokens=pre, next_tokens=0)
""",
    )

    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        forms: dict[tuple[object, ...], dict[SiteView, WindowTest]] = {}
        for site in group.calls:
            for view in site.records:
                for test in (*tests_in_arguments(view.record, group.window), *tests_on_path(view.record, group.window)):
                    if is_absence_test(test):
                        forms.setdefault(_question(test), {}).setdefault(site, test)
        if len(forms) < 2:
            return
        ranked = sorted(forms.values(), key=lambda sites: (-len(sites), min(site.site.key for site in sites)))
        usual, rarest = ranked[0], ranked[-1]
        site, other = min(rarest, key=lambda s: s.site.key), min(usual, key=lambda s: s.site.key)
        view = site.records[0]
        there = usual[other]
        yield self.hit(
            view,
            None,
            TRUE,
            rarest[site].form,
            frozenset({"pre_tokens", "next_tokens", "sparse_mode", "atten_mask"}),
            reference=there.form,
            related=(Related("reference", there.place, other.role, "", there.form),),
            facts={"forms": tuple(sorted({test.form for sites in forms.values() for test in sites.values()}))},
        )


def _question(test: WindowTest) -> tuple[object, ...]:
    """What a test asks, the same for a test and its negation."""
    universe = NUMBERS if test.form.split(" ")[0] in ("<", "<=", ">", ">=") else EVERYTHING
    return min((test.region & universe).order, (~test.region & universe).order)
