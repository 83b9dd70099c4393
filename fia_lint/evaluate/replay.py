"""Whether what an update call unpacks is in step with what the capture stored (the facts behind rule FIA105)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fia_lint.algebra.diagram import FALSE, Diagram, conj, differ, leaf, map_leaves, restrict
from fia_lint.algebra.region import Region
from fia_lint.algebra.terms import Const
from fia_lint.evaluate.machine import Stored
from fia_lint.evaluate.sites import Place, Record, ReplayMismatch, Site
from fia_lint.evaluate.windows import WINDOW
from fia_lint.operators import MASK_ARGUMENTS, UNBOUNDED

if TYPE_CHECKING:
    from fia_lint.evaluate.driver import Driver, Run

_POSITIVE = Region(0, ((1, float("inf")),), frozenset(), False)


def check(driver: Driver, run: Run) -> None:
    """Compare the mask arguments of update calls with those of the capture calls that fed them, and note what differs."""
    recorder = run.recorder
    captured = _captured(driver, run)
    checked = []
    for site, record in recorder.records:
        if site.role == "update":
            record = replace(record, mismatches=tuple(_mismatches(driver, run, site, record, captured)))
        checked.append((site, record))
    recorder.records = checked


def _captured(driver: Driver, run: Run) -> list[tuple[Stored, Site, Record]]:
    """The capture calls in the functions that stored what this run reads."""
    stored = {s for _, _, _, candidates in run.recorder.readings for s in candidates}
    found = []
    for context, site, record in driver.captures:
        for item in stored:
            if item.context == context and item.function is not None and item.function.qualname == site.symbol and item.place.path == site.key.path:
                found.append((item, site, record))
    return sorted(found, key=lambda f: (f[0].place, f[1].key, f[0].context))


def _mismatches(driver: Driver, run: Run, site: Site, record: Record, captured: list) -> list[ReplayMismatch]:
    lost = [m for m in run.recorder.lost_unpackings if any(_unknown_length(record, a, m[1]) for a in MASK_ARGUMENTS)]
    found = []
    for unpacking, length, stored in lost:
        for argument in MASK_ARGUMENTS:
            if stored and _unknown_length(record, argument, length):
                found.append(ReplayMismatch(argument, unpacking, length, stored))
    if not captured or found:
        return found
    for argument in MASK_ARGUMENTS:
        wrong = _out_of_step(record, argument, captured)
        if wrong is not None:
            better = _better_slot(driver, run, site, record, argument, captured)
            if better is not None:
                unpacking, length, read, right = better
                found.append(
                    ReplayMismatch(
                        argument, unpacking, length, (length,), read, right, wrong[0].place, record.values[argument], wrong[1]
                    )
                )
    return found


def _unknown_length(record: Record, argument: str, length: int) -> bool:
    return any(getattr(t, "reason", "") == f"no tuple of {length} values is stored" for t in record.values[argument].terms)


def _out_of_step(record: Record, argument: str, captured: list) -> tuple[Site, Diagram] | None:
    """The capture call that passes something else for ``argument`` under conditions that both allow."""
    for _, site, other in captured:
        condition = conj(record.path, other.path, differ(_plain(record.values[argument]), _plain(other.values[argument])))
        if condition is not FALSE and not _unknown(record.values[argument]) and not _unknown(other.values[argument]):
            return site, other.values[argument]
    return None


def _plain(value: Diagram) -> Diagram:
    """A value in the windowed regime, bounds that do not bind made equal."""

    def of(term: object) -> Diagram:
        if isinstance(term, Const) and type(term.value) is int and term.value >= UNBOUNDED:
            return leaf(Const(UNBOUNDED))
        return leaf(term)

    return restrict(map_leaves(value, of), WINDOW, _POSITIVE)


def _unknown(value: Diagram) -> bool:
    return any(hasattr(term, "reason") for term in value.terms)


def _better_slot(driver: Driver, run: Run, site: Site, record: Record, argument: str, captured: list):
    """One slot that, read in place of one of those that are read, makes the argument agree; None if there is none."""
    for _, length, span, _ in run.recorder.readings[:1]:
        unpacking = Place(site.key.path, span, site.symbol)
        for read in range(length):
            for right in range(length):
                if right == read:
                    continue
                again = driver.enter(run.function, run.cls, run.recorder.feeding, {(tuple(span), read): right})
                for other_site, other in again.recorder.records:
                    if other_site.key == site.key and _out_of_step(other, argument, captured) is None:
                        if other.values[argument] is not record.values[argument]:
                            return unpacking, length, read, right
    return None

