"""Who disagrees with the reference pair: what FIA101 and FIA102 have in common."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.algebra.diagram import FALSE, TRUE, conj, disj
from fia_lint.algebra.terms import Term
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import Verdict, compare, shown
from fia_lint.judge.findings import Impact, Related
from fia_lint.judge.impact import impact, of_calls
from fia_lint.judge.joint import made
from fia_lint.judge.reference import Holder, Reference
from fia_lint.judge.rule import Hit, Rule
from fia_lint.judge.views import Case, GroupView, RecordView

#: How many sites that hold the reference are named.
_MOST_NAMED = 3


def disagreements(rule: Rule, argument: str, group: GroupView) -> Iterator[Hit]:
    """The cases of window-aware sites whose argument differs from the reference of their group."""
    known = group.reference
    if known is None:
        return
    wanted = known.pre if argument == "pre_tokens" else known.next

    def differs(call: Arguments) -> bool:
        return call.symmetric == known.symmetric and compare(call.bound(argument), wanted) is Verdict.DIFFER

    for site in group.aware:
        for view in site.records:
            for case in view.windowed_cases(differs, lambda call: call.bound(argument)):
                holders = list(known.beside(site, group.fixed.project(case.condition)))
                if holders or known.contract:
                    yield _hit(rule, argument, group, known, view, case, holders)


def _hit(
    rule: Rule, argument: str, group: GroupView, known: Reference, view: RecordView, case: Case, holders: list[Holder]
) -> Hit:
    wanted = known.pre if argument == "pre_tokens" else known.next
    related = tuple(
        Related("reference", holder.site.site.place, holder.site.role, argument, shown(wanted), holder.classes)
        for holder in holders[:_MOST_NAMED]
    )
    together = conj(case.condition, TRUE if known.contract else disj(*(holder.condition for holder in holders)))
    calls = [call for call in case.calls if conj(together, made(view.calls, call)) is not FALSE] or list(case.calls)
    return rule.hit(
        view,
        argument,
        together,
        shown(case.calls[0].bound(argument)),
        frozenset({argument}),
        group.fixed,
        reference=shown(wanted),
        related=related,
        impact=_impact(argument, wanted, calls, holders),
        facts={"variant": _variant(known)},
    )


def _impact(argument: str, wanted: Term, calls: list[Arguments], holders: list[Holder]) -> Impact:
    """What the argument alone makes of the mask; where the mode makes nothing of it, what the whole calls differ in."""
    found = of_calls(calls, lambda call: call.having(argument, wanted).mask)
    if found.kind != "same":
        return found
    whole = (impact(call.mask, mask) for holder in holders for mask in holder.masks for call in calls)
    return next((each for each in whole if each.kind not in ("same", "unclear")), found)


def _variant(known: Reference) -> str:
    if known.contract:
        return "contract"
    return "" if known.certain else "one"


__all__ = ["disagreements"]
