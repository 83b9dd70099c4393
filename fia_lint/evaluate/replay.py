"""Whether what an update call unpacks is in step with what the capture stored (the facts behind rule FIA105)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fia_lint.algebra.diagram import FALSE, Diagram, conj, differ, leaf, map_leaves
from fia_lint.algebra.terms import Const, Kind, Subject, Unknown, symbol
from fia_lint.evaluate.machine import Reading, Stored
from fia_lint.evaluate.recording import NO_NUMBER, NO_TENSOR
from fia_lint.evaluate.sites import Place, Record, ReplayMismatch, Site
from fia_lint.evaluate.values import Ref
from fia_lint.operators import MASK_ARGUMENTS, UNBOUNDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fia_lint.evaluate.driver import Driver, Run


def check(driver: Driver, run: Run) -> None:
    """Compare the mask arguments of update calls with those of the capture calls that fed them, and note what differs."""
    recorder = run.recorder
    checked = []
    for site, record in recorder.records:
        if site.role == "update":
            readings = [reading for reading in recorder.readings if reading.reaches(record.path)]
            record = replace(record, mismatches=tuple(_mismatches(driver, run, site, record, readings)))
        checked.append((site, record))
    recorder.records = checked


def _captured(driver: Driver, readings: list[Reading]) -> list[tuple[Stored, Site, Record]]:
    """The capture calls that belong to what is read: those in the function that stored it, or else the only ones of its run."""
    stored = {s for reading in readings for s in reading.candidates}
    found = []
    for item in stored:
        run = [(site, record) for context, site, record in driver.captures if context == item.context]
        near = [(site, record) for site, record in run if _in_function(site, item)]
        if near or len({(site.key.path, site.symbol) for site, _ in run}) == 1:
            found += [(item, site, record) for site, record in near or run]
    return sorted(found, key=lambda f: (f[0].place.path, f[0].place.span, f[1].key, f[0].context))


def _in_function(site: Site, stored: Stored) -> bool:
    function = stored.function
    return function is not None and function.qualname == site.symbol and stored.place.path == site.key.path


def _mismatches(driver: Driver, run: Run, site: Site, record: Record, readings: list[Reading]) -> list[ReplayMismatch]:
    found = [
        ReplayMismatch(argument, reading.place, reading.length, reading.stored)
        for reading in readings
        for argument in MASK_ARGUMENTS
        if reading.stored and _unknown_length(record, argument, reading.length)
    ]
    captured = _captured(driver, readings)
    if not captured or found:
        return found
    for argument in MASK_ARGUMENTS:
        wrong = _out_of_step(record, argument, captured)
        if wrong is not None:
            better = _better_slot(driver, run, site, record, argument, captured, readings)
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
        condition = conj(record.path, other.path, differ(_plain(record.raw[argument]), _plain(other.raw[argument])))
        if condition is not FALSE and not _unknown(record.raw[argument]) and not _unknown(other.raw[argument]):
            return site, other.values[argument]
    return None


def _plain(value: Diagram) -> Diagram:
    """A value, bounds that do not bind made equal."""

    def of(term: object) -> Diagram:
        if isinstance(term, Const) and type(term.value) is int and term.value >= UNBOUNDED:
            return leaf(Const(UNBOUNDED))
        return leaf(term)

    return map_leaves(value, of)


def _unknown(value: Diagram) -> bool:
    """Whether a value may be anything. What is no number, or no tensor, is known well enough: it is not what belongs there."""
    return any(isinstance(term, Unknown) and not term.reason.endswith((NO_TENSOR, NO_NUMBER)) for term in value.terms)


def _better_slot(
    driver: Driver, run: Run, site: Site, record: Record, argument: str, captured: list, readings: list[Reading]
) -> tuple[Place, int, int, int] | None:
    """One slot that, read in place of one of those that are read, makes the argument agree; None if there is none.

    Gives the unpacking, its length, the slot that is read, and the one to read. Only slots that have something in common
    with what the capture call passes are tried: another one that happens to give the same value (as any tensor does where
    it is only tested for None) is not the one that was meant.
    """
    unpackings = {r.place: r for r in readings if r.candidates}.values()
    marked = _marked(driver, run, site, argument, unpackings)
    for reading in unpackings:
        place, length, candidates = reading.place, reading.length, reading.candidates
        reads = _slots_behind(marked, reading)
        if any(_holds_it(run, candidates, read, argument, captured) for read in reads):
            continue
        for read in reads:
            for right in range(length):
                if right == read or not _is_related(run, candidates, right, argument, captured):
                    continue
                passed = all(_is_passed(value, _mark(place, read)) for value in marked)
                if passed and _holds_it(run, candidates, right, argument, captured):
                    return place, length, read, right
                again = driver.enter(run.function, run.cls, run.recorder.feeding, {(tuple(place.span), read): right})
                if any(_agrees(other_site, other, site, argument, captured) for other_site, other in again.recorder.records):
                    return place, length, read, right
    return None


def _agrees(other_site: Site, other: Record, site: Site, argument: str, captured: list) -> bool:
    if other_site.key != site.key or _unknown(other.raw[argument]):
        return False
    return _out_of_step(other, argument, captured) is None


def _is_related(run: Run, candidates: tuple[Stored, ...], slot: int, argument: str, captured: list) -> bool:
    """Whether a slot holds a number, or something that decides, or is, what a capture call passes for an argument: None, too."""
    reading = _reading(run, argument)
    wanted = {s for _, _, record in captured for s in (*record.raw[argument].support, *record.raw[argument].subjects)}
    constants = {t for _, _, record in captured for t in record.raw[argument].terms if isinstance(t, Const)}
    held = [items[slot] for stored in candidates for items in _stored_items(run, stored) if slot < len(items)]
    return any(
        any(_is_number(term) or term in constants for term in value.terms)
        or wanted & (value.support | value.subjects | map_leaves(value, reading).subjects)
        for value in held
    )


def _reading(run: Run, argument: str) -> Callable[[object], Diagram]:
    """What becomes of a value that is passed for an argument: a tensor as good as another, or a number."""
    return run.recorder._tensor if argument == "atten_mask" else run.recorder._number


def _is_number(term: object) -> bool:
    return isinstance(term, Const) and type(term.value) is int


def _stored_items(run: Run, stored: Stored) -> list[tuple[Diagram, ...]]:
    heap = run.recorder.machine.heap
    found = [heap[term.address].items for term in stored.value.terms if isinstance(term, Ref)]
    return [items for items in found if items is not None]


def _holds_it(run: Run, candidates: tuple[Stored, ...], slot: int, argument: str, captured: list) -> bool:
    """Whether a slot holds exactly what the capture call passes for an argument: then reading it is in step."""
    reading = _reading(run, argument)
    for stored, _, record in captured:
        for items in _stored_items(run, stored):
            if stored in candidates and slot < len(items):
                held = _plain(map_leaves(items[slot], reading))
                if conj(record.path, differ(held, _plain(record.raw[argument]))) is FALSE:
                    return True
    return False


def _mark(place: Place, slot: int) -> Subject:
    return Subject(("opaque", "slot", place.path, place.span, slot), f"slot {slot}", Kind.OPAQUE)


def _marked(driver: Driver, run: Run, site: Site, argument: str, unpackings: Iterable[Reading]) -> list[Diagram]:
    """What a call passes for an argument if every slot that was unpacked before holds a mark of its own."""
    marks: dict[tuple[object, int], int | Diagram] = {
        (tuple(reading.place.span), slot): leaf(symbol(_mark(reading.place, slot)))
        for reading in unpackings
        for slot in range(reading.length)
    }
    again = driver.enter(run.function, run.cls, run.recorder.feeding, marks)
    return [record.raw[argument] for other, record in again.recorder.records if other.key == site.key]


def _is_passed(value: Diagram, mark: Subject) -> bool:
    """Whether an argument is what the marked slot holds, or a constant under conditions of its own."""
    return mark in value.subjects and all(isinstance(t, Const) or t == symbol(mark) for t in value.terms)


def _slots_behind(marked: list[Diagram], reading: Reading) -> list[int]:
    """The slots of an unpacking that an argument is computed from; then those that only decide what it is."""
    held = {subject for value in marked for subject in value.subjects}
    asked = {subject for value in marked for subject in value.support}
    computed = [slot for slot in range(reading.length) if _mark(reading.place, slot) in held]
    return computed + [s for s in range(reading.length) if _mark(reading.place, s) in asked and s not in computed]
