"""Which hits are reported: rules give way to each other in one place, here."""

from __future__ import annotations

from collections.abc import Iterable

from fia_lint.algebra.diagram import FALSE, Diagram, conj, disj, negate
from fia_lint.judge.rule import Hit
from fia_lint.judge.views import SiteView

#: What FIA105 replaces at its site, whatever the argument.
_REPLAY = frozenset({"FIA101", "FIA102", "FIA103", "FIA206"})

#: Per argument, the first of these that holds is reported.
_ORDER = ("FIA105", "FIA205", "FIA203", "FIA101", "FIA102")

#: Under conditions under which a site has one of these, it has no FIA103.
_BEFORE_KIND = frozenset({"FIA101", "FIA102", "FIA105", "FIA201", "FIA202", "FIA203", "FIA204", "FIA205"})


def concerns(hit: Hit) -> bool:
    """Whether a hit is one that its site can have at all, whatever else holds there.

    A workspace query has FIA104 and nothing else; a call of a wrapper only what its own arguments cause.
    """
    site = hit.view.site
    if site.sizes != (hit.code == "FIA104"):
        return False
    return not site.site.via or bool(hit.involved & site.site.own)


def reported(hits: Iterable[Hit]) -> list[Hit]:
    """The hits that remain when those that give way are gone, in the same order."""
    by_site: dict[SiteView, list[Hit]] = {}
    for hit in hits:
        by_site.setdefault(hit.view.site, []).append(hit)
    return [hit for found in by_site.values() for hit in _of_site(found)]


def _of_site(hits: list[Hit]) -> list[Hit]:
    codes = {hit.code for hit in hits}
    if "FIA105" in codes:
        hits = [hit for hit in hits if hit.code not in _REPLAY]
    kept = [left for hit in hits if (left := _after_others(hit, hits)) is not None]
    found = []
    for hit in kept:
        if hit.code == "FIA103":
            hit = hit.under(conj(hit.condition, negate(_taken(hit, kept))))
        if hit.condition is not FALSE:
            found.append(hit)
    return found


def _after_others(hit: Hit, hits: list[Hit]) -> Hit | None:
    """A hit, or what is left of it, after those that come before it for its argument."""
    if hit.code in _ORDER:
        before = _ORDER[: _ORDER.index(hit.code)]
        if any(other.argument == hit.argument and other.code in before and other.code != "FIA203" for other in hits):
            return None
    if hit.code in ("FIA101", "FIA102", "FIA201"):
        missing = [o for o in hits if o.code == "FIA203" and o.view is hit.view and hit.argument in _arguments(o)]
        left_out = disj(*(conj(o.condition, hit.view.left_out(str(hit.argument))) for o in missing))
        condition = conj(hit.condition, negate(left_out))
        return None if condition is FALSE else hit.under(condition)
    return hit


def _arguments(hit: Hit) -> tuple[str, ...]:
    """The arguments that a FIA203 is about."""
    return hit.facts["arguments"]  # type: ignore[return-value]


def _taken(hit: Hit, hits: list[Hit]) -> Diagram:
    """The conditions of a FIA103 under which its site has another finding, in the same class."""
    others = (o for o in hits if o.code in _BEFORE_KIND and o.view.record.cls == hit.view.record.cls)
    return disj(*(hit.fixed.project(o.view.regimes.abstract(o.condition)) for o in others))


__all__ = ["concerns", "reported"]
