"""Band mode without its bounds (FIA203): those that are missing are added as the other calls write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from fia_lint.fix.ways.common import rewritings, saying
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding

#: How many spellings of each bound are combined where both are missing.
_EACH = 2


def candidates(finding: Finding, world: World) -> Iterator[Candidate]:
    missing: tuple[str, ...] = finding.facts["arguments"]  # type: ignore[assignment]
    ways = [_of(finding, world, argument) for argument in missing]
    if len(ways) == 1:
        return iter(ways[0])
    return (tuple(edit for part in parts for edit in part) for parts in product(*(way[:_EACH] for way in ways)))


def _of(finding: Finding, world: World, argument: str) -> list[Candidate]:
    wanted = "0" if argument == "next_tokens" else _window(finding, world)
    return list(rewritings(world, finding.site, argument, wanted, saying(world, argument, {wanted}), undo=False))


def _window(finding: Finding, world: World) -> str:
    """The window as most calls of the group pass it."""
    votes: Counter[str] = Counter()
    for other in world.siblings(finding.site):
        votes.update(value for value in world.values(other, "pre_tokens") if "sliding_window" in value)
    if not votes:
        raise NoWay("no other call passes a window: whether it is the window or one less, nobody can know")
    return max(votes, key=lambda value: (votes[value], value == "sliding_window"))
