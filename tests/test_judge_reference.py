"""The reference pair: who votes, who wins, who holds it, who disagrees."""

from __future__ import annotations

import pytest

from fia_lint.algebra.terms import Const, symbol
from fia_lint.evaluate.windows import WINDOW
from fia_lint.judge.bounds import NO_BOUND
from fia_lint.judge.reference import parse_bound
from tests.judge_builder import (
    HAS_WINDOW,
    UNBOUND,
    asked_for,
    codes,
    findings,
    found,
    less,
    no,
    record,
    site,
    true,
    when,
)

BAND = {"mode": 4, "mask": "meta.mask"}
GIVEN = {"mask": "meta.full_mask"}


def test_the_pair_with_the_most_eager_sites_wins() -> None:
    sites = [
        site(10, record(less(1), 0, **BAND), role="capture"),
        site(20, record(less(1), 0, **BAND), role="update"),
        site(30, record("w", 0, **BAND)),
    ]
    assert codes(*sites) == [("FIA101", 10), ("FIA101", 20)]


def test_then_the_pair_with_the_most_sites() -> None:
    sites = [
        site(10, record(less(1), 0, **BAND)),
        site(20, record("w", 0, **BAND)),
        site(30, record("w", 0, **BAND), role="capture"),
    ]
    assert codes(*sites) == [("FIA101", 10)]


def test_then_the_first_site() -> None:
    sites = [site(10, record(less(1), 0, **BAND)), site(20, record("w", 0, **BAND))]
    assert codes(*sites) == [("FIA101", 20)]
    assert findings(*sites)[0].facts["variant"] == "one"


def test_a_pair_that_does_not_look_ahead_stands_alone() -> None:
    sites = [
        site(10, record("w", 1, **GIVEN)),
        site(20, record("w", 1, **GIVEN)),
        site(30, record("w", 0, **GIVEN)),
    ]
    assert codes(*sites) == [("FIA102", 10), ("FIA102", 20)]


def test_sites_with_a_finding_of_their_own_do_not_vote() -> None:
    sites = [
        site(10, record(less(1), 0)),
        site(20, record(less(1), 0, 3, "meta.mask")),
        site(30, record("w", 0, **BAND)),
    ]
    assert codes(*sites) == [("FIA101", 10), ("FIA202", 10), ("FIA101", 20), ("FIA202", 20)]


def test_sites_that_leave_a_bound_to_the_default_do_not_vote() -> None:
    sites = [site(10, record("w", **GIVEN)), site(20, record("w", **GIVEN)), site(30, record("w", 0, **GIVEN))]
    assert codes(*sites) == [("FIA102", 10), ("FIA102", 20)]


def test_if_nobody_is_left_all_vote() -> None:
    sites = [site(10, record("w", **GIVEN)), site(20, record("w", **GIVEN)), site(30, record(less(1), **GIVEN))]
    assert codes(*sites) == [("FIA101", 30)]


def test_workspace_queries_do_not_vote() -> None:
    sites = [
        site(10, record("w", 0, **BAND), role="workspace"),
        site(20, record("w", 0, **BAND), role="workspace"),
        site(30, record(less(1), 0, **BAND), role="capture"),
    ]
    assert codes(*sites) == []


def test_the_calls_of_a_wrapper_vote() -> None:
    inner = site(5).place
    own = frozenset({"pre_tokens"})
    sites = [
        site(20, record(less(-1), 0, **BAND), via=(inner,), own=own),
        site(30, record("w", 0, **BAND), via=(inner,), own=own),
        site(40, record("w", 0, **BAND), via=(inner,), own=own),
    ]
    assert codes(*sites) == [("FIA101", 20)]


def test_a_wrapper_is_blamed_for_its_own_arguments_only() -> None:
    inner = site(5).place
    sites = [
        site(20, record(less(1), 1, **BAND), via=(inner,), own=frozenset({"atten_mask"})),
        site(30, record("w", 0, **BAND)),
        site(40, record("w", 0, **BAND)),
    ]
    assert codes(*sites) == []


def test_a_call_is_not_unlike_itself() -> None:
    ahead = true("self.num_speculative_tokens")
    sites = [site(10, record("w", when(ahead, 1, 0), **BAND))]
    assert found(*sites) == [("FIA201", 10, "self.num_speculative_tokens")]


def test_two_ways_of_reaching_one_call_are_not_compared() -> None:
    sites = [site(10, record("w", 0, **BAND), record("w", 0, **BAND, entry="other"))]
    other = site(10, record("w", -1, **BAND), record("w", 0, **BAND, entry="other"))
    assert codes(*sites) == codes(other) == []


def test_the_condition_is_over_the_window_and_what_decides() -> None:
    flag = true("self.shifted")
    path = no(true("meta.capturing"))
    sites = [
        site(10, record("w", 0, **BAND, path=HAS_WINDOW, tests=asked_for("is None"))),
        site(20, record("w", 0, **BAND, path=HAS_WINDOW, tests=asked_for("is None"))),
        site(30, record(when(flag, less(1), "w"), 0, **BAND, path=path)),
    ]
    assert found(*sites) == [("FIA101", 30, "sliding_window is not None and self.shifted")]


def test_paths_never_excuse_a_difference() -> None:
    decode = true("meta.decode")
    sites = [site(10, record("w", 0, path=decode, **BAND)), site(20, record("w", -1, path=no(decode), **BAND))]
    assert codes(*sites) == [("FIA102", 20)]


def test_values_under_several_conditions_are_several_findings() -> None:
    flag = true("meta.flag")
    sites = [
        site(10, record("w", 0, **GIVEN)),
        site(20, record("w", 0, **GIVEN)),
        site(30, record("w", when(flag, 1, 2), **GIVEN)),
    ]
    assert found(*sites) == [("FIA102", 30, "meta.flag"), ("FIA102", 30, "not meta.flag")]
    assert [(f.value, f.reference) for f in findings(*sites)] == [("1", "0"), ("2", "0")]


def test_several_ways_with_one_value_are_one_finding() -> None:
    a, b = true("meta.a"), true("meta.b")
    records = [record(less(1), 0, **BAND, path=path, entry=name) for path, name in ((a, "one"), (b, "two"))]
    sites = [site(10, record("w", 0, **BAND)), site(20, record("w", 0, **BAND)), site(30, *records)]
    assert found(*sites) == [("FIA101", 30, "always")]


def test_one_of_several_classes_speaks() -> None:
    flag = true("meta.flag")
    sites = [
        site(10, record("w", 0, **BAND)),
        site(20, record(when(flag, "w", "w"), 0, **BAND)),
        site(
            30,
            record(when(flag, less(1), "w"), 0, **BAND),
            record(less(1), 0, cls="pkg/b.py:Below", **BAND),
        ),
    ]
    (finding,) = findings(*sites)
    assert (finding.condition, finding.classes) == ("always", ("Attention",))


def test_the_contract_is_the_reference() -> None:
    sites = [site(10, record("w", 0, **BAND)), site(20, record(less(1), 0, **BAND))]
    wrong = findings(*sites, contract=("sliding_window - 1", "0"))
    assert [(f.code, f.site.key.span.line, f.reference, f.facts["variant"]) for f in wrong] == [
        ("FIA101", 10, "sliding_window - 1", "contract")
    ]
    assert [r.place.span.line for r in wrong[0].related] == [20]


def test_a_contract_needs_no_holder() -> None:
    assert codes(site(10, record("w", 0, **BAND)), contract=("sliding_window", "-1")) == [("FIA102", 10)]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("sliding_window", symbol(WINDOW)),
        (" sliding_window - 1 ", less(1)),
        ("1 + sliding_window - 3", less(2)),
        ("0", Const(0)),
        ("-1", Const(-1)),
        ("2147483647", NO_BOUND),
    ],
)
def test_bounds_of_a_contract(text: str, term: object) -> None:
    assert parse_bound(text, WINDOW) == term


@pytest.mark.parametrize("text", ["", "window", "sliding_window * 2", "1 2", "--"])
def test_a_contract_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="expected|invalid"):
        parse_bound(text, WINDOW)


def test_in_a_group_without_a_window_symbol_numbers_are_windows() -> None:
    sites = [site(10, record(512, 0, **BAND)), site(20, record(512, 0, **BAND)), site(30, record(511, 0, **BAND))]
    assert found(*sites) == [("FIA101", 30, "always")]


def test_a_site_is_window_aware_by_its_mode_too() -> None:
    sites = [site(10, record("w", 0, **BAND)), site(20, record("w", 0, **BAND)), site(30, record(UNBOUND, 0, **BAND))]
    assert codes(*sites) == [("FIA101", 30)]
