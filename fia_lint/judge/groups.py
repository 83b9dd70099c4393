"""From evaluated sites to groups: which sites belong together, and which sentinels their windows have."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from fia_lint.algebra.diagram import Diagram, compatible, disj, test
from fia_lint.algebra.region import EVERYTHING, identical
from fia_lint.algebra.terms import Kind, Subject
from fia_lint.evaluate.sites import Evaluation, Record, Site, WindowTest
from fia_lint.judge.regimes import NO_RESTRICTION, WINDOWED, Regimes, is_asked_in, reachable, sentinels
from fia_lint.judge.views import GroupView, SiteView
from fia_lint.operators import UNBOUNDED
from fia_lint.settings import Settings


def groups(evaluation: Evaluation, settings: Settings) -> list[GroupView]:
    """The groups of a tree, test trees apart, in a fixed order; their sites in path and line order."""
    ordered = sorted(evaluation.sites, key=lambda site: (site.group, site.in_tests, site.key))
    found = []
    for (name, in_tests), members in groupby(ordered, key=lambda site: (site.group, site.in_tests)):
        sites = list(members)
        window = _window(sites)
        known = _Sentinels(sites, window)
        regimes: dict[tuple[object, ...], Regimes] = {}
        views = [SiteView(site, regimes.setdefault(s, Regimes(window, s))) for site in sites for s in [known.of(site)]]
        found.append(GroupView(name, in_tests, views, window, evaluation.classes, settings.contract))
    return found


def _window(sites: Iterable[Site]) -> Subject | None:
    """The window symbol of a group, if there is one in a value or a condition."""
    windows = {subject for site in sites for record in site.records for subject in _subjects(record)}
    found = sorted((s for s in windows if s.kind is Kind.WINDOW), key=lambda subject: subject.order)
    return found[0] if found else None


def _subjects(record: Record) -> Iterable[Subject]:
    diagrams: list[Diagram] = [record.path, *record.values.values(), *record.written.values()]
    for diagram in diagrams:
        yield from diagram.support
        yield from diagram.subjects


class _Sentinels:
    """Which sentinels exist at a site: by the tests in its arguments, else its path, its class, its group."""

    def __init__(self, sites: list[Site], window: Subject | None) -> None:
        self._window = window
        self._of_group = sentinels(_tests(sites))
        owners: dict[str, list[Site]] = {}
        for site in sites:
            owners.setdefault(site.owner, []).append(site)
        self._of_class = {owner: sentinels(_tests(members)) for owner, members in owners.items()}

    def of(self, site: Site) -> tuple[object, ...]:
        if self._window is None:
            return ()
        own = [test for record in site.records for test in tests_in_arguments(record, self._window)]
        found = sentinels(own) or sentinels(_tests([site])) or self._of_class[site.owner] or self._of_group
        return (*found, UNBOUNDED) if self._runs_without_restriction(site, found) else found

    def _runs_without_restriction(self, site: Site, known: tuple[object, ...]) -> bool:
        """Whether a call is only reached with a window that is no restriction: then that is a sentinel, too."""
        # Record by record: all the ways to a site in one condition can be a large one.
        others = disj(test(self._window, WINDOWED), *(test(self._window, identical(value)) for value in known))
        unrestricted = test(self._window, NO_RESTRICTION)
        paths = {record.path for record in site.records}
        return any(compatible(path, unrestricted) for path in paths) and not any(compatible(path, others) for path in paths)


def _tests(sites: Iterable[Site]) -> Iterable[WindowTest]:
    return (test for site in sites for record in site.records for test in record.window_tests)


def tests_in_arguments(record: Record, window: Subject | None) -> list[WindowTest]:
    """The tests of the window that are made in a record's mask arguments."""
    care = reachable(record.path, window)
    return [t for t in record.window_tests if any(is_asked_in(t, value, care) for value in record.values.values())]


def tests_on_path(record: Record, window: Subject | None) -> list[WindowTest]:
    """The tests of the window that decide whether a record's call is reached."""
    return [test for test in record.window_tests if is_asked_in(test, record.path, EVERYTHING)]


__all__ = ["groups", "tests_in_arguments", "tests_on_path"]
