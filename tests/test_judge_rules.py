"""Single rules: where they hold, under which condition, and which give way to which."""

from __future__ import annotations

import pytest

from fia_lint.algebra.terms import Unknown, extremum, symbol
from fia_lint.evaluate.sites import Query
from fia_lint.evaluate.windows import WINDOW
from tests.judge_builder import (
    FALSE,
    HAS_WINDOW,
    NO_WINDOW,
    PATH,
    TRUE,
    UNBOUND,
    V2,
    ClassFacts,
    Const,
    Place,
    ReplayMismatch,
    Span,
    asked_for,
    codes,
    conj,
    disj,
    findings,
    found,
    is_none,
    less,
    no,
    record,
    site,
    subject,
    true,
    value,
    when,
)

BAND = {"mode": 4, "mask": "meta.mask"}
CAUSAL = {"mode": 3, "mask": "meta.mask"}
TESTED = asked_for("is None")


def _off(*sites, **more):  # type: ignore[no-untyped-def]
    return [(code, line) for code, line, _ in found(*sites, off=True, **more)]


# ------------------------------------------------------------------------------------------------ FIA201


@pytest.mark.parametrize(
    ("pre", "following", "fires"),
    [
        ("w", 1, True),
        ("w", UNBOUND, True),
        ("w", less(1), True),
        (1024, 3, True),
        ("w", "w", False),
        (64, 64, False),
        ("w", 0, False),
        ("w", -1, False),
        ("w", symbol(subject("meta.ahead")), False),
        (65535, 1, False),
        (UNBOUND, 1, False),
        (Unknown("a loop"), 1, False),
    ],
)
def test_looks_ahead(pre: object, following: object, fires: bool) -> None:
    assert codes(site(10, record(pre, following, **BAND))) == ([("FIA201", 10)] if fires else [])


def test_looks_ahead_only_where_a_band_runs() -> None:
    assert codes(site(10, record("w", 1, mask="meta.mask"))) == []
    mode = when(true("meta.spec"), 4, 3)
    assert found(site(10, record(512, 1, mode, "meta.mask"))) == [("FIA201", 10, "meta.spec")]


def test_a_number_looks_ahead_without_a_window_too() -> None:
    sites = [site(10, record(512, 1, **BAND, tests=TESTED, path=disj(NO_WINDOW, true("meta.x"))))]
    assert found(*sites) == [("FIA201", 10, "always")]
    elsewhere = site(20, record(**CAUSAL, path=equals_window(0), tests=asked_for("== 0")))
    assert found(site(10, record("w", 1, **BAND)), elsewhere) == [("FIA201", 10, "sliding_window > 0")]


# ------------------------------------------------------------------------------------------------ FIA202


@pytest.mark.parametrize(("mode", "mask"), [(1, "m"), (2, "m"), (3, "m"), (0, None)])
def test_window_without_effect(mode: int, mask: object) -> None:
    assert codes(site(10, record("w", 0, mode, mask))) == [("FIA202", 10)]
    assert codes(site(10, record(512, 0, mode, mask))) == []


def test_window_without_effect_in_min_and_opaque_terms() -> None:
    smallest = extremum("min", (symbol(WINDOW), Const(4096)))
    assert codes(site(10, record(smallest, 0, **CAUSAL))) == [("FIA202", 10)]


def test_window_without_effect_only_with_a_window() -> None:
    sites = [site(10, record("w", 0, **CAUSAL, path=NO_WINDOW, tests=TESTED))]
    assert codes(*sites) == []


# ------------------------------------------------------------------------------------------------ FIA203


def test_band_without_bounds() -> None:
    sites = [site(10, record("w", 0, **BAND)), site(20, record("w", 0, **BAND)), site(30, record("w", **BAND))]
    assert codes(*sites) == [("FIA203", 30)]
    (finding,) = findings(site(30, record(**BAND)))
    assert (finding.argument, finding.facts["missing"]) == ("pre_tokens", "pre_tokens and next_tokens are")
    assert finding.place == finding.site.place


def test_the_impact_of_missing_bounds() -> None:
    (ahead,) = findings(site(10, record("w", **BAND)))
    assert ahead.impact is not None and (ahead.impact.kind, ahead.impact.values["rows"]) == ("future", "2")
    elsewhere = site(20, record("w", 0, **BAND))
    (back,) = [f for f in findings(site(10, record(next=0, **BAND)), elsewhere) if f.code == "FIA203"]
    assert back.impact is not None and (back.impact.kind, back.impact.values["past"]) == ("past", "unbounded")


def test_band_without_bounds_gives_way_only_for_what_is_missing() -> None:
    flag = true("meta.flag")
    following = when(flag, 1, UNBOUND)
    sites = [
        site(10, record("w", 0, **BAND)),
        site(20, record("w", 0, **BAND)),
        site(30, record(less(1), following, **BAND, written={"next_tokens": flag})),
    ]
    assert sorted(found(*sites)) == [
        ("FIA101", 30, "always"),
        ("FIA102", 30, "meta.flag"),
        ("FIA201", 30, "meta.flag"),
        ("FIA203", 30, "not meta.flag"),
    ]


def test_band_without_bounds_only_with_a_window() -> None:
    mode = when(HAS_WINDOW, 4, 3)
    assert found(site(10, record(next=0, mode=mode, mask="m", tests=TESTED))) == [
        ("FIA203", 10, "sliding_window is not None")
    ]


def test_a_wrapper_gets_it_for_its_mode_or_its_bounds() -> None:
    inner = (site(5).place,)
    for own, fires in (({"sparse_mode"}, True), ({"next_tokens"}, True), ({"pre_tokens"}, False), ({"atten_mask"}, False)):
        sites = [site(10, record("w", **BAND), via=inner, own=frozenset(own))]
        assert codes(*sites) == ([("FIA203", 10)] if fires else []), own


# ------------------------------------------------------------------------------------------------ FIA204, FIA206


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_mask_required(mode: int) -> None:
    bounds = {"pre": 512, "next": 0} if mode == 4 else {}
    assert codes(site(10, record(mode=mode, mask=None, **bounds))) == [("FIA204", 10)]
    assert codes(site(10, record(mode=mode, mask="meta.mask", **bounds))) == []


def test_mask_required_under_a_condition() -> None:
    drop = true("layer.drop")
    assert found(site(10, record(mode=2, mask=when(drop, None, "meta.mask")))) == [("FIA204", 10, "layer.drop")]
    tested = when(is_none("meta.mask"), None, "meta.mask")
    assert codes(site(10, record(mode=2, mask=tested))) == []


@pytest.mark.parametrize(("mode", "operator", "fires"), [(5, V2, True), (8, V2, True), (9, V2, False), (-1, V2, True)])
def test_unsupported_mode(mode: int, operator: str, fires: bool) -> None:
    assert codes(site(10, record(mode=mode, mask="m"), operator=operator)) == ([("FIA206", 10)] if fires else [])


def test_unsupported_mode_in_the_first_version() -> None:
    assert codes(site(10, record(mode=9, mask="m"))) == [("FIA206", 10)]
    assert codes(site(10, record(mode=symbol(subject("meta.mode")), mask="m"))) == []


# ------------------------------------------------------------------------------------------------ FIA205


@pytest.mark.parametrize(
    ("form", "condition", "shown", "text"),
    [
        ("is None", HAS_WINDOW, "None", "sliding_window is None"),
        ("truth", HAS_WINDOW, "None", "sliding_window is None"),
    ],
)
def test_no_window_passed_as_window(form: str, condition, shown: str, text: str) -> None:  # type: ignore[no-untyped-def]
    path = disj(condition, true("meta.force"))
    wrong = findings(site(10, record("w", 0, **BAND, path=path, tests=asked_for(form))))
    assert [(f.code, f.value, f.condition) for f in wrong] == [("FIA205", shown, text)]


def test_minus_one_passed_as_window() -> None:
    path = equals_window(-1)
    wrong = findings(site(10, record("w", 0, **BAND, path=path, tests=asked_for("== -1"))))
    assert [(f.code, f.value, f.condition) for f in wrong] == [("FIA205", "-1", "sliding_window == -1")]


def test_zero_passed_as_window() -> None:
    path = disj(no(equals_window(0)), true("meta.force"))
    wrong = findings(site(10, record("w", 0, **BAND, path=path, tests=asked_for("> 0"))))
    assert [(f.code, f.value, f.condition) for f in wrong] == [("FIA205", "0", "sliding_window == 0")]


def equals_window(constant: int):  # type: ignore[no-untyped-def]
    from fia_lint.algebra.diagram import test as asked
    from fia_lint.algebra.region import equal

    return asked(WINDOW, equal(constant))


def test_no_window_where_nothing_asks_for_it() -> None:
    assert codes(site(10, record("w", 0, **BAND))) == []
    elsewhere = site(20, record(**CAUSAL, path=NO_WINDOW, tests=TESTED))
    assert codes(site(10, record("w", 0, **BAND)), elsewhere) == []


def test_no_window_where_only_an_argument_asks_for_it() -> None:
    following = when(HAS_WINDOW, 0, UNBOUND)
    assert codes(site(10, record("w", following, **BAND, tests=TESTED))) == []


def test_no_window_asked_for_without_consequence() -> None:
    """A test that neither bars the way nor chooses an argument is on the way all the same."""
    assert found(site(10, record("w", 0, **BAND, tests=TESTED))) == [("FIA205", 10, "sliding_window is None")]


def test_no_window_in_a_mode_that_ignores_it() -> None:
    path = disj(HAS_WINDOW, true("meta.force"))
    mode = when(HAS_WINDOW, 4, 3)
    assert codes(site(10, record("w", 0, mode, "meta.mask", path=path, tests=TESTED))) == []


def test_no_window_comes_before_the_comparison() -> None:
    path = disj(HAS_WINDOW, true("meta.force"))
    sites = [
        site(10, record(less(1), 0, **BAND, path=HAS_WINDOW, tests=TESTED)),
        site(20, record(less(1), 0, **BAND, path=HAS_WINDOW, tests=TESTED)),
        site(30, record("w", 0, **BAND, path=path, tests=TESTED)),
    ]
    assert codes(*sites) == [("FIA205", 30)]


# ------------------------------------------------------------------------------------------------ FIA103


def test_the_order_of_the_questions() -> None:
    causal = true("meta.causal")
    sites = [
        site(10, record(path=no(causal))),
        site(20, record("w", 0, **BAND, path=conj(causal, HAS_WINDOW), tests=TESTED)),
        site(30, record(**CAUSAL, path=conj(causal, NO_WINDOW), tests=TESTED)),
        site(
            40,
            record(when(HAS_WINDOW, "w", UNBOUND), 0, when(HAS_WINDOW, 4, when(causal, 3, 0)), "meta.mask", tests=TESTED),
            role="capture",
        ),
    ]
    assert found(*sites) == [("FIA103", 40, "sliding_window is not None and not meta.causal")]


def test_other_sentinels_mean_the_same() -> None:
    sites = [
        site(10, record(when(HAS_WINDOW, "w", UNBOUND), 0, when(HAS_WINDOW, 4, 3), "m", tests=TESTED)),
        site(
            20,
            record(
                when(no(equals_window(-1)), "w", UNBOUND), 0, when(no(equals_window(-1)), 4, 2), "m", tests=asked_for("== -1")
            ),
            role="capture",
        ),
    ]
    assert found(*sites) == [("FIA103", 20, "sliding_window == -1")]


def test_not_for_conditions_under_which_there_is_another_finding() -> None:
    sites = [site(10, record("w", 0, **BAND)), site(20, record("w", 0, **CAUSAL), role="capture")]
    assert codes(*sites) == [("FIA202", 20)]


def test_a_flag_that_only_a_subclass_sets() -> None:
    base, below = f"{PATH}:Attention", f"{PATH}:Quantised"
    flag = true("self.int8")
    sites = [
        site(5, record("w", 0, **BAND, path=HAS_WINDOW, tests=TESTED)),
        site(10, record(**CAUSAL, path=NO_WINDOW, tests=TESTED)),
        site(
            20,
            record(mode=when(flag, 0, 3), mask=when(flag, None, "meta.mask"), path=NO_WINDOW, tests=TESTED),
            role="capture",
        ),
    ]
    facts = [ClassFacts(base, (), (below,)), ClassFacts(below, (base,), (), frozenset({"int8"}))]
    assert codes(*sites, classes=facts) == []
    own = [ClassFacts(base, (), (below,), frozenset({"int8"})), facts[1]]
    assert found(*sites, classes=own) == [("FIA103", 20, "sliding_window is None and self.int8")]


def test_an_update_names_the_capture_that_feeds_it() -> None:
    capture = site(20, record(mode=2, mask="m"), role="capture", symbol="Attention.capture")
    update = record(mode=2, mask="m", captures=(capture.place,))
    sites = [site(10, record(**CAUSAL)), capture, site(30, update, role="update", owner="pkg/replay.py")]
    kinds = {f.site.role: f for f in findings(*sites)}
    assert kinds["update"].facts["variant"] == "fed"
    assert [r.kind for r in kinds["update"].related] == ["reference", "capture"]
    assert kinds["capture"].facts["variant"] == ""


def test_a_call_inside_a_wrapper_is_a_witness_only_if_its_mask_is_known() -> None:
    eager, graph = site(10, record(**CAUSAL)), site(30, record(), role="capture")
    inside = record(mode=Unknown("parameter of a wrapper"), mask="m")
    assert codes(eager, site(20, inside), graph) == [("FIA103", 30)]
    assert codes(eager, site(20, record(mode=Unknown("a loop"), mask="m")), graph) == []


# ------------------------------------------------------------------------------------------------ FIA104


def _sized(query: dict, made: dict, context: int = 1):  # type: ignore[no-untyped-def,type-arg]
    first = site(10, record(**query), role="workspace")
    return first, site(20, record(**made, queries=(Query(first.key, TRUE),), context=context), role="capture")


@pytest.mark.parametrize(
    ("query", "made", "arguments"),
    [
        ({"pre": less(1), "next": 0, **BAND}, {"pre": "w", "next": 0, **BAND}, ["pre_tokens"]),
        ({"pre": less(-1), **BAND}, {"pre": "w", "next": 0, **BAND}, ["next_tokens", "pre_tokens"]),
        ({"mode": 2, "mask": "m"}, {"mode": 3, "mask": "m"}, ["sparse_mode"]),
        ({"mode": 3}, {"mode": 3, "mask": "m"}, ["atten_mask"]),
        ({"mode": 3, "mask": "m"}, {"mode": 3, "mask": "n"}, []),
        ({"mode": 3, "mask": "m"}, {"mode": 3, "mask": "m", "next": 0}, []),
        ({}, {"pre": UNBOUND, "mode": 0}, []),
        ({"pre": symbol(subject("meta.h")), "next": 0, **BAND}, {"pre": "w", "next": 0, **BAND}, []),
        ({"pre": Unknown("a loop"), "next": 0, **BAND}, {"pre": "w", "next": 0, **BAND}, []),
    ],
)
def test_workspace_mismatch(query: dict, made: dict, arguments: list[str]) -> None:  # type: ignore[type-arg]
    wrong = [f for f in findings(*_sized(query, made)) if f.code == "FIA104"]
    assert sorted(f.argument or "" for f in wrong) == arguments
    assert all(f.site.role == "workspace" and f.related[0].place.span.line == 20 for f in wrong)


def test_a_workspace_query_has_nothing_else() -> None:
    assert codes(site(10, record("w", 1, 4, None), role="workspace")) == []


def test_a_workspace_is_compared_within_one_evaluation_only() -> None:
    assert codes(*_sized({"mode": 2, "mask": "m"}, {"mode": 3, "mask": "m"}, context=2)) == []


def test_a_workspace_is_compared_where_it_is_handed_on() -> None:
    query = site(10, record(mode=when(true("x"), 3, 2), mask="m"), role="workspace")
    made = record(mode=3, mask="m", queries=(Query(query.key, true("x")),))
    assert codes(query, site(20, made, role="capture")) == []


# ------------------------------------------------------------------------------------------------ FIA105

UNPACKING = Place(PATH, Span(28, 9, 28, 60), "update")


def test_replay_mismatch_replaces_the_comparison() -> None:
    mismatch = ReplayMismatch("next_tokens", UNPACKING, 8, (8,), 6, 5, None, value("self.num_heads"), value(0))
    sites = [
        site(10, record("w", 0, **BAND)),
        site(20, record(less(1), "self.num_heads", 6, "meta.mask", mismatches=(mismatch,)), role="update"),
    ]
    wrong = findings(*sites)
    assert [(f.code, f.argument, f.value, f.reference) for f in wrong] == [
        ("FIA105", "next_tokens", "self.num_heads", "0")
    ]
    assert wrong[0].facts["read"] == 6 and wrong[0].facts["right"] == 5


def test_replay_mismatch_stands_beside_what_is_wrong_in_itself() -> None:
    mismatch = ReplayMismatch("next_tokens", UNPACKING, 8, (8,), 4, 5, None, value("w"), value(0))
    update = site(20, record(0, "w", **BAND, mismatches=(mismatch,)), role="update")
    assert codes(update) == [("FIA105", 20), ("FIA201", 20)]


def test_no_tuple_of_that_length() -> None:
    mismatch = ReplayMismatch("atten_mask", UNPACKING, 6, (7, 9))
    (finding,) = findings(site(20, record(mode=3, mask=Unknown("no such tuple"), mismatches=(mismatch,)), role="update"))[:1]
    assert (finding.code, finding.facts["variant"], finding.facts["stored"]) == ("FIA105", "length", "7, 9")


# ------------------------------------------------------------------------------------------------ off by default


def test_window_ignored() -> None:
    sites = [site(10, record("w", 0, **BAND)), site(20, record(**CAUSAL)), site(30, record())]
    assert _off(*sites) == [("FIA106", 20), ("FIA106", 30)]


def test_window_ignored_silent() -> None:
    applying = site(10, record("w", 0, **BAND, path=HAS_WINDOW, tests=TESTED))
    assert _off(applying, site(20, record(**CAUSAL, path=NO_WINDOW, tests=TESTED))) == []
    assert _off(applying, site(20, record(**CAUSAL), owner=f"{PATH}:Other")) == []
    assert _off(applying, site(20, record(mode=0, mask="meta.mask"))) == []
    functions = [site(10, record("w", 0, **BAND), owner=PATH), site(20, record(**CAUSAL), owner=PATH)]
    assert _off(*functions) == []
    in_vain = site(10, record("w", 0))
    assert _off(in_vain, site(20, record(**CAUSAL))) == []


def test_flag_without_effect() -> None:
    flag = true("meta.causal")
    following = when(flag, 0, UNBOUND)
    assert _off(site(10, record(next=following, **CAUSAL))) == [("FIA207", 10)]
    assert _off(site(10, record(next=following))) == [("FIA207", 10)]
    assert _off(site(10, record(next=following, mode=when(flag, 3, 4), mask="m", pre=UNBOUND))) == []
    assert _off(site(10, record(next=0, **CAUSAL))) == []
    assert _off(site(10, record(next=following, mask="meta.mask"))) == []


def _choice(form: str, line: int):  # type: ignore[no-untyped-def]
    from fia_lint.algebra.diagram import test as asked

    (test,) = asked_for(form, line=line)
    there = asked(WINDOW, test.region if form not in ("is None", "== -1", "== 0") else ~test.region)
    return site(line, record(when(there, "w", UNBOUND), 0, mask="meta.full", tests=(test,)))


@pytest.mark.parametrize(
    ("forms", "line"),
    [
        (["is None", "is None", "truth"], 30),
        (["truth", "is None", "is None"], 10),
        (["truth", "truth", "> 0"], 30),
        (["is None", "truth"], 20),
        (["is None", "is None"], None),
        (["truth", "truth"], None),
        (["is None", "> 128"], None),
    ],
)
def test_sentinels_mixed(forms: list[str], line: int | None) -> None:
    sites = [_choice(form, 10 * number) for number, form in enumerate(forms, 1)]
    assert _off(*sites) == ([] if line is None else [("FIA208", line)])


def test_sentinels_mixed_is_about_the_group() -> None:
    (finding,) = [f for f in findings(_choice("is None", 10), _choice("truth", 20)) if f.code == "FIA208"]
    assert (finding.argument, finding.value, finding.reference, finding.condition) == (None, "truth", "is None", "always")


def test_sentinels_mixed_only_by_tests_that_reach_something() -> None:
    usual = _choice("is None", 10)
    aside = site(20, record("w", 0, mask="meta.full", path=HAS_WINDOW, tests=asked_for("is None", "truth")))
    assert _off(usual, aside) == []
    on_path = site(20, record("w", 0, mask="meta.full", path=no(equals_window(0)), tests=asked_for("== 0")))
    assert _off(usual, on_path) == [("FIA208", 20)]


def test_unknown_argument() -> None:
    flag = true("meta.flag")
    mode = when(flag, Unknown("a loop", PATH, 7), 3)
    wrong = [f for f in findings(site(10, record(mode=mode, mask="meta.mask"))) if f.code == "FIA901"]
    assert [(f.argument, f.value, f.condition, f.facts["reason"]) for f in wrong] == [
        ("sparse_mode", "unknown", "meta.flag", "a loop")
    ]
    assert wrong[0].related[0].place.span.line == 7
    inner = (site(5).place,)
    assert _off(site(10, record(mode=mode, mask="m"), via=inner, own=frozenset({"pre_tokens"}))) == []


def test_order_of_findings() -> None:
    wrong = findings(site(10, record("w", 1, **BAND)), site(5, record(mode=3)), site(7, record(mode=6, mask="m")))
    assert [f.site.key.span.line for f in wrong] == sorted(f.site.key.span.line for f in wrong)


def test_a_path_that_is_never_true_is_no_record() -> None:
    assert findings(site(10, record(mode=3, path=FALSE))) == []
