"""From hits to findings: what several ways of reaching a site share is one finding."""

from __future__ import annotations

from collections.abc import Iterable

from fia_lint.algebra.diagram import Diagram, disj
from fia_lint.judge.findings import Finding, Related
from fia_lint.judge.fixed import length, printed
from fia_lint.judge.rule import Hit
from fia_lint.judge.rules import RULES
from fia_lint.judge.views import SiteView

Key = tuple[object, ...]


def findings(hits: Iterable[Hit]) -> list[Finding]:
    """The findings that hits make, in path and line order."""
    gathered: dict[Key, list[Hit]] = {}
    for hit in hits:
        gathered.setdefault(_what(hit), []).append(hit)
    found = [finding for same in gathered.values() for finding in _merged(same)]
    return sorted(found, key=_order)


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        finding.place.path, finding.place.span, finding.code, finding.argument or "", finding.value,
        finding.reference or "", finding.condition,
    )  # fmt: skip


def _what(hit: Hit) -> Key:
    """What makes hits of several classes one finding."""
    key: Key = (hit.code, hit.view.site, hit.argument)
    return key if RULES[hit.code].one_per_site else (*key, hit.value, hit.reference)


def _merged(hits: list[Hit]) -> list[Finding]:
    """One class speaks for all: that with the shortest condition, then the site's own."""
    site = hits[0].view.site
    by_class: dict[str, list[Hit]] = {}
    for hit in hits:
        by_class.setdefault(hit.view.record.cls, []).append(hit)
    conditions = {cls: _condition(of) for cls, of in by_class.items()}

    def rank(cls: str) -> tuple[object, ...]:
        return (length(conditions[cls], site.regimes), cls != site.site.owner, cls)

    speaker, *others = sorted(by_class, key=rank) if len(by_class) > 1 else by_class
    running = {view.record.cls for view in site.records}
    # What holds in the class where the call is written is said of the call, what holds in others only, of them.
    confined = site.site.owner not in by_class and not running <= by_class.keys()
    named = tuple(cls.rpartition(":")[2] for cls in ([speaker, *others] if confined else others))
    by_value: dict[Key, list[Hit]] = {}
    for hit in by_class[speaker]:
        by_value.setdefault((hit.value, hit.reference), []).append(hit)
    return [_finding(site, of, named, confined) for of in by_value.values()]


def _condition(hits: Iterable[Hit]) -> Diagram:
    """The disjunction of the conditions of hits, in fixed conditions."""
    return disj(*(hit.fixed.project(hit.condition) for hit in hits))


def _finding(site: SiteView, hits: list[Hit], named: tuple[str, ...], confined: bool) -> Finding:
    first = hits[0]
    related: dict[Related, None] = dict.fromkeys(each for hit in hits for each in hit.related)
    return Finding(
        code=first.code,
        site=site.site,
        place=site.place(first.argument),
        argument=first.argument,
        value=first.value,
        reference=first.reference,
        condition=printed(_condition(hits), site.regimes),
        related=tuple(related),
        impact=first.impact,
        classes=named,
        confined=confined,
        facts=first.facts,
    )


__all__ = ["findings"]
