"""Calls that belong together: a workspace query and the call it is for, a captured call and the replay of what it stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fia_lint.evaluate.sites import Place, Site, SiteKey


@dataclass(frozen=True)
class Tie:
    """Two calls that must pass the same. ``stored`` is where what the ``other`` one replays is put into a container, if the
    two are a capture and its replay and that is known."""

    one: SiteKey
    other: SiteKey
    replays: bool = False
    stored: Place | None = None

    @property
    def why(self) -> str:
        """Why they must, in words."""
        if not self.replays:
            return "which it is made for"
        where = f"what is stored at {self.stored.path}:{self.stored.span.line}" if self.stored else "it"
        return f"which replays {where}"


def ties(sites: Iterable[Site]) -> Iterator[Tie]:
    """What belongs together among some calls, each pair once, in a fixed order."""
    every = sorted(sites, key=lambda site: site.key)
    captures = [site for site in every if site.role == "capture"]
    for site in every:
        if site.role == "workspace":
            calls = [each.key for each in captures if (each.key.path, each.symbol) == (site.key.path, site.symbol)]
            asking = [o.key for o in every for record in o.records if any(q.key == site.key for q in record.queries)]
            yield from (Tie(site.key, key) for key in dict.fromkeys([*calls, *asking]))
        elif site.role == "update":
            yield from _replayed(site, captures)


def _replayed(update: Site, captures: list[Site]) -> Iterator[Tie]:
    """The captures that a call may replay: those in the functions that store what it reads, or else those of its classes."""
    places = dict.fromkeys(place for record in update.records for place in record.captures)
    for place in places:
        for call in captures:
            if (call.key.path, call.symbol) == (place.path, place.symbol):
                yield Tie(call.key, update.key, True, place)
    if not places:
        classes = {record.cls for record in update.records}
        for call in captures:
            if not classes.isdisjoint(record.cls for record in call.records):
                yield Tie(call.key, update.key, True)
