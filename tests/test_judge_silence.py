"""What stays silent, and why."""

from __future__ import annotations

import pytest

from fia_lint.algebra.terms import Unknown, symbol
from fia_lint.evaluate.sites import Site
from tests.judge_builder import (
    HAS_WINDOW,
    NO_WINDOW,
    UNBOUND,
    asked_for,
    codes,
    conj,
    less,
    no,
    record,
    site,
    subject,
    true,
    when,
)

BAND = {"mode": 4, "mask": "meta.mask"}
CAUSAL = {"mode": 3, "mask": "meta.mask"}


def _decoders() -> list[Site]:
    return [site(10, record("w", 0, **BAND)), site(20, record("w", 0, **BAND))]


def _windowed(**more):  # type: ignore[no-untyped-def]
    """Band with a window, causal without one."""
    arguments = {"pre": when(HAS_WINDOW, "w", UNBOUND), "next": 0, "mode": when(HAS_WINDOW, 4, 3), "mask": "meta.mask"}
    return record(**{**arguments, **more}, tests=asked_for("is None"))


SILENT = {
    "1 only an ignored argument differs, and no site is window-aware": [
        site(10, record(next=0, **CAUSAL)),
        site(20, record(**CAUSAL)),
        site(30, record(pre=2147483647, next=1, **CAUSAL)),
    ],
    "1 an ignored argument differs where there is no window": [
        site(10, _windowed()),
        site(20, _windowed(next=when(HAS_WINDOW, 0, UNBOUND))),
    ],
    "2 a default against the same value written out": [
        site(10, record("w", mask="meta.full_mask")),
        site(20, record("w", 2**31 - 1, 0, "meta.full_mask")),
        site(30, record("w", 2**63 - 1, mask="meta.full_mask")),
    ],
    "3 full attention in an encoder beside windowed decoders": [
        site(5, record(2**31 - 1, 2**31 - 1, cls="pkg/vit.py:Encoder"), owner="pkg/vit.py:Encoder"),
        *_decoders(),
    ],
    "4 mode 3 with next_tokens=0": [
        site(5, record(next=0, path=NO_WINDOW, **CAUSAL)),
        site(6, record(path=NO_WINDOW, **CAUSAL)),
        site(10, record("w", 0, path=HAS_WINDOW, **BAND)),
    ],
    "5 -1 where mode 0 without a mask ignores it": [site(10, record(-1, -1, 0)), site(20, record())],
    "6 the two halves of a chunked computation": [site(10, record(mode=0, mask=None)), site(20, record(next=0, **CAUSAL))],
    "7 a window that two classes spell differently": [
        site(10, record("w", 0, cls="a.py:A", **BAND), owner="a.py:A", path="a.py"),
        site(10, record("w", 0, cls="b.py:B", **BAND), owner="b.py:B", path="b.py"),
    ],
    "8 equal after normalisation": [
        site(10, record(when(HAS_WINDOW, "w", None), 0, tests=asked_for("is None"), path=HAS_WINDOW, **BAND)),
        site(20, record(less(0), False, path=HAS_WINDOW, **BAND)),
    ],
    "9 unknown values": [
        *_decoders(),
        site(30, record(Unknown("a loop"), Unknown("a loop"), **BAND)),
        site(40, record("w", 0, Unknown("a loop"), "meta.mask")),
    ],
    "values that cannot be compared": [*_decoders(), site(30, record(symbol(subject("meta.history")), 0, **BAND))],
    "a symmetric band beside a causal one": [*_decoders(), site(30, record(64, 64, **BAND))],
    "a deciding atom keeps the two apart": [
        site(10, record(when(true("self.inclusive"), "w", less(1)), 0, **BAND)),
        site(20, record(when(true("self.inclusive"), "w", less(1)), 0, **BAND)),
    ],
    "a difference without a window": [
        site(10, _windowed()),
        site(20, _windowed(pre=when(HAS_WINDOW, "w", 65535))),
    ],
    "the mask may be None in mode 0": [site(10, record("w", 0, 0, "meta.mask")), site(20, record("w", 0, 0, "meta.mask"))],
    "a mode that needs a mask, and a mask that may be None": [site(10, record(**CAUSAL))],
    "None only where the mode is 0": [
        site(10, record(mode=when(true("c8"), 0, 3), mask=when(true("c8"), None, "meta.mask"))),
    ],
    "band mode only without a window": [
        site(10, record(mode=when(HAS_WINDOW, 3, 4), mask="meta.mask", tests=asked_for("is None"))),
    ],
    "a graph site of a class without eager calls": [site(10, record(cls="a.py:A", **CAUSAL), role="capture", owner="a.py:A")],
    "an eager call of another class": [
        site(10, record(cls="a.py:A", **CAUSAL), role="capture", owner="a.py:A"),
        site(20, record(cls="b.py:B"), owner="b.py:B"),
    ],
    "a layer constant keeps eager and graph apart": [
        site(10, record(path=true("self.is_encoder"))),
        site(20, record(path=no(true("self.is_encoder")), **CAUSAL)),
        site(30, record(path=no(true("self.is_encoder")), **CAUSAL), role="capture"),
    ],
    "one of several eager masks is the graph's": [
        site(10, record(path=true("meta.prefill"), **CAUSAL)),
        site(20, record(path=no(true("meta.prefill")))),
        site(30, record(), role="capture"),
    ],
    "an eager mask that is not known": [site(10, record(mode=0, mask="meta.mask")), site(20, record(**CAUSAL), role="capture")],
    "a graph mask that is not known": [site(10, record(**CAUSAL)), site(20, record(mode=0, mask="meta.mask"), role="capture")],
    "the only eager call has a finding of its own": [
        site(10, record("w", path=HAS_WINDOW, tests=asked_for("is None"))),
        site(20, record(path=NO_WINDOW, **CAUSAL)),
        site(30, record(**CAUSAL), role="capture"),
    ],
    "without a window, in a class that applies none": [
        site(5, record("w", 0, path=HAS_WINDOW, tests=asked_for("is None"), cls="a.py:A", **BAND), owner="a.py:A"),
        site(10, record(path=NO_WINDOW)),
        site(20, record(path=NO_WINDOW, **CAUSAL), role="capture"),
    ],
    "a call without records": [site(10), *_decoders()],
    "a path that no regime allows": [*_decoders(), site(30, record(less(1), 1, path=conj(HAS_WINDOW, NO_WINDOW), **BAND))],
}
#: Findings that these programs have, beside the ones that they must not have.
ALLOWED = {"the only eager call has a finding of its own": [("FIA202", 10)]}


@pytest.mark.parametrize("why", SILENT)
def test_silent(why: str) -> None:
    assert codes(*SILENT[why]) == ALLOWED.get(why, [])


def test_test_trees_are_silent_unless_they_are_asked_for() -> None:
    sites = [site(10, record("w", 1, **BAND), in_tests=True, path="tests/test_a.py")]
    assert codes(*sites) == []
    assert codes(*sites, include_tests=True) == [("FIA201", 10)]


def test_test_trees_are_compared_with_nothing_else() -> None:
    sites = [*_decoders(), site(30, record(less(1), 0, **BAND), in_tests=True, path="tests/test_a.py")]
    assert codes(*sites, include_tests=True) == []


def test_groups_are_not_compared() -> None:
    other = site(30, record(less(1), 0, **BAND), group="other", path="other/attention.py")
    assert codes(*_decoders(), other) == []
