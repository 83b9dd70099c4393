"""FIA101, FIA102 and FIA103 against their definitions, tried out on every assignment of a few tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fia_lint.algebra.diagram import Diagram, value_at
from fia_lint.evaluate.sites import Site
from fia_lint.evaluate.windows import WINDOW
from fia_lint.judge.findings import Finding
from fia_lint.judge.groups import groups
from fia_lint.settings import Settings
from tests.judge_builder import (
    HAS_WINDOW,
    UNBOUND,
    asked_for,
    conj,
    evaluation,
    findings,
    less,
    no,
    record,
    site,
    subject,
    true,
    when,
)

#: A layer constant, and three tests of the batch: whether they decide depends on where they stand.
NAMES = ("self.layer", "meta.a", "meta.b", "local")
FLAGS = {name: true(name) for name in NAMES}
ALWAYS = conj()

Assignment = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """One of two things by a test of the window or of a flag, or one thing."""

    name: str | None
    then: Any
    other: Any

    def diagram(self) -> Diagram:
        if self.name is None:
            return when(ALWAYS, self.then, self.then)
        return when(HAS_WINDOW if self.name == "window" else FLAGS[self.name], self.then, self.other)


_TESTS = st.sampled_from([None, "window", *NAMES])
_PATHS = st.lists(st.tuples(st.sampled_from(["window", *NAMES]), st.booleans()), max_size=2)


def _path(parts: list[tuple[str, bool]]) -> Diagram:
    conditions = [HAS_WINDOW if name == "window" else FLAGS[name] for name, _ in parts]
    return conj(*(c if positive else no(c) for c, (_, positive) in zip(conditions, parts, strict=True)))


def _sites(kinds: st.SearchStrategy[tuple[Any, ...]]) -> st.SearchStrategy[list[Site]]:
    made = st.lists(st.tuples(kinds, _PATHS), min_size=2, max_size=4)
    return made.map(lambda found: [_site(10 * n, *each) for n, each in enumerate(found, 1)])


def _site(line: int, kind: tuple[Any, ...], path: list[tuple[str, bool]]) -> Site:
    role, pre, following, mode, mask = kind
    values = [part.diagram() if isinstance(part, Choice) else part for part in (pre, following, mode, mask)]
    return site(line, record(*values, path=_path(path), tests=asked_for("is None")), role=role)


def _everywhere() -> Iterator[Assignment]:
    for window, *flags in itertools.product([None, 512], *([False, True] for _ in NAMES)):
        yield {"sliding_window": window, **dict(zip(NAMES, flags, strict=True))}


def _at(diagram: Diagram, point: Assignment) -> Any:
    return value_at(diagram, {WINDOW: point["sliding_window"], **{subject(name): point[name] for name in NAMES}})


def _holds(condition: str, point: Assignment) -> bool:
    if condition == "always":
        return True
    scope = {"sliding_window": point["sliding_window"]}
    for number, name in enumerate(NAMES):
        condition = condition.replace(name, f"flag{number}")
        scope[f"flag{number}"] = point[name]
    return bool(eval(condition, {"__builtins__": {}}, scope))  # noqa: S307


def _fixed_in(views: list[Any], layers: bool) -> set[str]:
    """The flags that are fixed: what the sites that take part say that decides, and layer constants."""
    decides = {s.text for view in views for s in view.site.blocks}
    return {name for name in NAMES if name in decides or (layers and name.startswith("self."))}


def _alike(point: Assignment, fixed: set[str]) -> list[Assignment]:
    """The assignments that agree with one about the window and the fixed flags."""
    same = {"sliding_window", *fixed}
    return [other for other in _everywhere() if all(other[name] == point[name] for name in same)]


def _by_code(found: list[Finding], code: str, line: int) -> list[Finding]:
    return [f for f in found if f.code == code and f.site.key.span.line == line]


# ------------------------------------------------------------------------------------------------ FIA103

_MASKS = st.sampled_from([(3, "m"), (0, None), (4, "m")])


@st.composite
def _running(draw: st.DrawFn) -> tuple[Any, ...]:
    (mode, mask), (other, other_mask) = draw(_MASKS), draw(_MASKS)
    name = draw(_TESTS)
    role = draw(st.sampled_from(["eager", "eager", "capture"]))
    return role, 1000, 0, Choice(name, mode, other), Choice(name, mask, other_mask)


def _kind(view: Any, point: Assignment) -> str | None:
    """The mask that a record runs, None if it is not reached."""
    if not _at(view.record.path, point).value:
        return None
    return {3: "causal", 0: "full", 4: "band(1000, 0)"}[_at(view.record.values["sparse_mode"], point).value]


@given(_sites(_running()))
def test_graph_mask_disagree(sites: list[Site]) -> None:
    found = findings(*sites)
    (group,) = groups(evaluation(sites), Settings())
    eager = [view for view in group.records if view.site.role == "eager"]
    fixed = _fixed_in(group.records, layers=True)
    windowed = [p for p in _everywhere() if p["sliding_window"] or group.window is None]
    applies = any(_kind(view, p) == "band(1000, 0)" for view in group.records for p in windowed)
    for view in group.records:
        if view.site.role == "capture":
            wrong = _by_code(found, "FIA103", view.site.site.key.span.line)
            for point in _everywhere():
                alike = _alike(point, fixed)
                own = {kind for p in alike if (kind := _kind(view, p))}
                others = {kind for p in alike for w in eager if (kind := _kind(w, p))}
                counts = bool(point["sliding_window"]) or applies or group.window is None
                wanted = bool(own and others and not own & others and counts)
                assert any(_holds(f.condition, point) for f in wrong) == wanted, (point, own, others)


# ------------------------------------------------------------------------------------------------ FIA101 and FIA102

_PRES = st.sampled_from(["w", less(1), 128, UNBOUND])
_NEXTS = st.sampled_from([0, 1, UNBOUND])


@st.composite
def _passing(draw: st.DrawFn) -> tuple[Any, ...]:
    pre = Choice(draw(_TESTS), draw(_PRES), draw(_PRES))
    following = Choice(draw(_TESTS), draw(_NEXTS), draw(_NEXTS))
    return draw(st.sampled_from(["eager", "eager", "capture"])), pre, following, 0, "meta.mask"


def _pair(view: Any, point: Assignment) -> tuple[str, str] | None:
    if not _at(view.record.path, point).value:
        return None
    return str(_at(view.record.values["pre_tokens"], point)), str(_at(view.record.values["next_tokens"], point))


@given(_sites(_passing()))
def test_pre_and_next_disagree(sites: list[Site]) -> None:
    found = findings(*sites)
    (group,) = groups(evaluation(sites), Settings())
    windowed = [p for p in _everywhere() if p["sliding_window"] or group.window is None]
    aware = [view for view in group.records if view.site.window_aware]
    assert {view.site.site.key for view in aware} == {
        view.site.site.key
        for view in group.records
        if any((pair := _pair(view, p)) and pair[0] not in (str(2**31 - 1),) for p in windowed)
    }
    fixed = _fixed_in(aware, layers=False)
    reference = _elected(aware, windowed)
    for view in group.records:
        line = view.site.site.key.span.line
        holders = [other for other in aware if other is not view]
        for index, code in enumerate(("FIA101", "FIA102")):
            wrong = _by_code(found, code, line)
            if view not in aware or reference is None:
                assert not wrong
                continue
            disagreeing = _disagreeing(view, holders, windowed, fixed, reference, index)
            assert {f.value.replace("unbounded", str(2**31 - 1)) for f in wrong} == set(disagreeing)
            for finding in wrong:
                value = finding.value.replace("unbounded", str(2**31 - 1))
                for point in windowed:
                    alike = [_pair(view, p) for p in _alike(point, fixed)]
                    beside = any(_pair(other, p) == reference for other in holders for p in _alike(point, fixed))
                    here = any(pair and pair[index] == value for pair in alike)
                    assert _holds(finding.condition, point) == (here and beside)


def _elected(aware: list[Any], windowed: list[Assignment]) -> tuple[str, str] | None:
    """The pair with the most eager sites, then the most sites, then the first site."""
    votes: dict[tuple[str, str], list[Any]] = {}
    for view in aware:
        for pair in {pair for p in windowed if (pair := _pair(view, p))}:
            votes.setdefault(pair, []).append(view)
    standing = {pair: v for pair, v in votes.items() if pair[1] == "0"} or votes
    ranked = sorted(
        standing,
        key=lambda pair: (
            -sum(v.site.role == "eager" for v in standing[pair]),
            -len(standing[pair]),
            min(v.site.site.key for v in standing[pair]),
            pair,
        ),
    )
    return ranked[0] if ranked else None


def _disagreeing(
    view: Any, holders: list[Any], windowed: list[Assignment], fixed: set[str], reference: tuple[str, str], index: int
) -> set[str]:
    """The values of an argument that differ from the reference where a holder can be as well."""
    found = set()
    for value in {pair[index] for p in windowed if (pair := _pair(view, p))} - {reference[index]}:
        points = [p for p in windowed if (pair := _pair(view, p)) and pair[index] == value]
        together = (
            _pair(holder, other) == reference for p in points for other in _alike(p, fixed) for holder in holders
        )
        if any(together):
            found.add(value)
    return found
