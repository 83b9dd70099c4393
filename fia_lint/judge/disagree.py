"""Who disagrees with the reference pair: what FIA101 and FIA102 have in common."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import Verdict, compare, shown
from fia_lint.judge.findings import Related
from fia_lint.judge.impact import of_calls
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
                holders = list(islice(known.beside(site, group.fixed.project(case.condition)), _MOST_NAMED))
                if holders or known.contract:
                    yield _hit(rule, argument, group, known, view, case, holders)


def _hit(
    rule: Rule, argument: str, group: GroupView, known: Reference, view: RecordView, case: Case, holders: list[Holder]
) -> Hit:
    wanted = known.pre if argument == "pre_tokens" else known.next
    related = tuple(
        Related("reference", holder.site.site.place, holder.site.role, argument, shown(wanted))
        for holder in holders
    )
    return rule.hit(
        view,
        argument,
        case.condition,
        shown(case.calls[0].bound(argument)),
        frozenset({argument}),
        group.fixed,
        reference=shown(wanted),
        related=related,
        impact=of_calls(case.calls, lambda call: call.having(argument, wanted).mask),
        facts={"variant": _variant(known)},
    )


def _variant(known: Reference) -> str:
    if known.contract:
        return "contract"
    return "" if known.certain else "one"


__all__ = ["disagreements"]
