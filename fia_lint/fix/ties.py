"""Calls that belong together: a workspace query and the call it is for, a captured call and the replay of what it stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fia_lint.evaluate.sites import Place, Site, SiteKey


@dataclass(frozen=True)
class Tie:
    """Two calls that must pass the same; ``stored`` is where what is replayed is put into a container."""

    one: SiteKey
    other: SiteKey
    stored: Place | None = None


def ties(sites: Iterable[Site]) -> Iterator[Tie]:
    """What belongs together among some calls, each pair once, in a fixed order."""
    every = sorted(sites, key=lambda site: site.key)
    captures: dict[tuple[str, str], list[Site]] = {}
    for site in every:
        if site.role == "capture":
            captures.setdefault((site.key.path, site.symbol), []).append(site)
    for site in every:
        if site.role == "workspace":
            calls = [other.key for other in captures.get((site.key.path, site.symbol), ())]
            asking = [o.key for o in every for record in o.records if any(q.key == site.key for q in record.queries)]
            yield from (Tie(site.key, key) for key in dict.fromkeys([*calls, *asking]))
        elif site.role == "update":
            places = dict.fromkeys(place for record in site.records for place in record.captures)
            for place in places:
                for call in captures.get((place.path, place.symbol), ()):
                    yield Tie(call.key, site.key, place)
