"""The reference pair of a group: a contract, or the pair that the window-aware sites elect; and who holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fia_lint.algebra.diagram import FALSE, Diagram, conj, disj
from fia_lint.algebra.terms import Const, Subject, Term, add, symbol
from fia_lint.evaluate.sites import SiteKey
from fia_lint.evaluate.windows import WINDOW
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.bounds import bound, is_known, same_both_ways
from fia_lint.judge.masks import Mask
from fia_lint.judge.views import GroupView, SiteView

Pair = tuple[Term, Term]


@dataclass(frozen=True)
class Holder:
    """A site with a case that has the reference pair; ``condition`` is when, in fixed conditions, ``masks`` what it is then.

    ``classes`` are the ones in which it has that case, if others run the site, too.
    """

    site: SiteView
    condition: Diagram
    masks: tuple[Mask, ...] = ()
    classes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """What pre_tokens and next_tokens should be in the windowed regime, and who says so, eager sites first.

    ``contract``: the configuration says so.
    """

    pre: Term
    next: Term
    holders: tuple[Holder, ...]
    contract: bool = False

    @property
    def symmetric(self) -> bool:
        return same_both_ways(self.pre, self.next)

    @property
    def certain(self) -> bool:
        """Whether it rests on more than one site's word."""
        return self.contract or len(self.holders) > 1

    def beside(self, site: SiteView, condition: Diagram) -> Iterator[Holder]:
        """The holders, other than the site itself, that can exist together with a case of it."""
        for holder in self.holders:
            if holder.site is not site and conj(holder.condition, condition) is not FALSE:
                yield holder


def reference(group: GroupView) -> Reference | None:
    """The reference pair of a group, or None if there is nothing to compare with."""
    if group.contract is not None:
        window = group.window or WINDOW
        pair = (parse_bound(group.contract[0], window), parse_bound(group.contract[1], window))
        return Reference(*pair, _holders(group, pair), contract=True)
    ballots = {site: pairs for site in group.aware if (pairs := _pairs(site))}
    free = {site: pairs for site, pairs in ballots.items() if _may_vote(group, site)}
    winner = _elect(free or ballots)
    return None if winner is None else Reference(*winner, _holders(group, winner))


def parse_bound(text: str, window: Subject) -> Term:
    """A bound as a contract writes it: integers and the word ``sliding_window`` with + and − between them."""
    total: Term = Const(0)
    if not re.fullmatch(r"\s*[+-]?\s*\w+(\s*[+-]\s*\w+)*\s*", text):
        raise ValueError(f"expected integers, sliding_window, + and -, not {text!r}")
    for sign, word in re.findall(r"([+-]?)\s*(\w+)", text):
        part = symbol(window) if word == "sliding_window" else Const(int(word))
        result = add(total, part, -1 if sign == "-" else 1)
        assert result is not None
        total = result
    return bound(total)


def _pair(call: Arguments) -> Pair:
    return call.pre, call.next


def _pairs(site: SiteView) -> list[Pair]:
    """The known pairs that a site's cases have in the windowed regime."""
    found: dict[Pair, None] = {}
    for view in site.records:
        for case in view.windowed_cases(lambda call: is_known(call.pre) and is_known(call.next), _pair):
            found[_pair(case.calls[0])] = None
    return list(found)


def _may_vote(group: GroupView, site: SiteView) -> bool:
    """Whether nothing is wrong with a site in itself, and it leaves neither bound to the default."""
    for view in site.records:
        if group.own_fault(view) is not FALSE:
            return False
        windowed = view.regimes.windowed
        if any(conj(view.left_out(name), windowed) is not FALSE for name in ("pre_tokens", "next_tokens")):
            return False
    return True


def _elect(ballots: dict[SiteView, list[Pair]]) -> Pair | None:
    """The pair with the most eager sites, then the most sites, then the earliest site."""
    votes: dict[Pair, list[SiteView]] = {}
    for site, pairs in ballots.items():
        for pair in pairs:
            votes.setdefault(pair, []).append(site)
    standing = {pair: sites for pair, sites in votes.items() if pair[1] == Const(0)} or votes

    def rank(pair: Pair) -> tuple[int, int, SiteKey, tuple[object, ...]]:
        sites = standing[pair]
        eager = sum(site.role == "eager" for site in sites)
        return (-eager, -len(sites), min(s.site.key for s in sites), (pair[0].order, pair[1].order))

    return min(standing, key=rank, default=None)


def _holders(group: GroupView, pair: Pair) -> tuple[Holder, ...]:
    def held() -> Iterator[Holder]:
        for site in group.aware:
            by_view = {view: list(view.windowed_cases(lambda call: _pair(call) == pair)) for view in site.records}
            cases = [case for found in by_view.values() for case in found]
            if cases:
                masks = dict.fromkeys(call.mask for case in cases for call in case.calls)
                classes = {view.record.cls for view, found in by_view.items() if found}
                others = {view.record.cls for view in site.records} - classes
                names = tuple(sorted(cls.rpartition(":")[2] for cls in classes)) if others else ()
                yield Holder(site, group.fixed.project(disj(*(case.condition for case in cases))), tuple(masks), names)

    return tuple(sorted(held(), key=lambda holder: (holder.site.role != "eager", holder.site.site.key)))


__all__ = ["Holder", "Pair", "Reference", "parse_bound", "reference"]
