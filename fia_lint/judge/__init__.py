"""Judge: evaluated call sites in, findings out."""

from __future__ import annotations

from functools import cached_property

from fia_lint.algebra.diagram import disj
from fia_lint.evaluate.sites import Evaluation, SiteKey
from fia_lint.judge.audit import AuditSite, audited
from fia_lint.judge.findings import Finding
from fia_lint.judge.groups import groups
from fia_lint.judge.merge import findings
from fia_lint.judge.reference import reference
from fia_lint.judge.rule import Hit
from fia_lint.judge.rules import RULES
from fia_lint.judge.select import concerns, reported
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.settings import Settings


class Judgement:
    """What the rules say of an evaluation. Each group is judged once, whoever asks."""

    def __init__(self, evaluation: Evaluation, settings: Settings) -> None:
        self._evaluation = evaluation
        self._settings = settings

    @cached_property
    def _judged(self) -> list[tuple[GroupView, list[Hit]]]:
        """The groups with what is reported in each."""
        views = groups(self._evaluation, self._settings)
        return [(group, reported(every_hit(group, self._settings))) for group in views]

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings of all rules, those that are off by default too, in path and line order.

        Findings in test trees are left out unless ``include_tests`` is set.
        """
        found = [hit for _, hits in self._judged for hit in hits]
        return findings([hit for hit in found if self._settings.include_tests or not hit.view.site.site.in_tests])

    @cached_property
    def sites(self) -> list[AuditSite]:
        """Every call site with its values by case, in path and line order."""
        found = []
        for group, hits in self._judged:
            marks: dict[SiteKey, list[Finding]] = {}
            for finding in findings(hits):
                marks.setdefault(finding.site.key, []).append(finding)
            found += [audited(site, tuple(marks.get(site.site.key, ()))) for site in group.sites]
        return sorted(found, key=lambda each: each.site.key)


def every_hit(group: GroupView, settings: Settings) -> list[Hit]:
    """What holds in a group: first what is wrong in itself, then, knowing that, what is unlike its siblings.

    What gives way to something else at its call is in it too.
    """
    alone = [h for rule in RULES.values() if rule.alone for h in rule.check(group, settings) if concerns(h)]
    wrong: dict[RecordView, list[Hit]] = {}
    for hit in alone:
        wrong.setdefault(hit.view, []).append(hit)
    group.wrong.update({view: disj(*(hit.condition for hit in hits)) for view, hits in wrong.items()})
    group.reference = reference(group)
    others = [h for rule in RULES.values() if not rule.alone for h in rule.check(group, settings) if concerns(h)]
    return sorted([*alone, *others], key=lambda hit: (hit.view.site.site.key, hit.code))


__all__ = ["AuditSite", "Finding", "Judgement", "every_hit", "reported"]
