"""The audit's cases: regimes, sentinels, what is known of a mask, several ways of reaching a site."""

from __future__ import annotations

import json

from fia_lint.algebra.diagram import test as asked
from fia_lint.algebra.terms import Unknown
from fia_lint.evaluate.windows import WINDOW
from tests.judge_builder import (
    FALSE,
    HAS_WINDOW,
    NO_WINDOW,
    UNBOUND,
    asked_for,
    audit,
    cases,
    conj,
    disj,
    equals,
    identical,
    is_none,
    no,
    record,
    site,
    true,
    when,
)


def _one(*records, **more):  # type: ignore[no-untyped-def]
    return audit(site(10, *records, **more))[0]


def _window(form: str, *others: str):  # type: ignore[no-untyped-def]
    """Passes the window where it is there by one form of test; other forms stand on the way."""
    (test,) = asked_for(form)
    there = asked(WINDOW, test.region if form in ("truth", "> 0", ">= 0") else ~test.region)
    return record(when(there, "w", UNBOUND), 0, when(there, 4, 3), "meta.mask", tests=(test, *asked_for(*others)))


# ------------------------------------------------------------------------------------------------ regimes


def test_regimes_are_one_literal() -> None:
    assert cases(_one(_window("is None")), "pre_tokens") == [
        ("sliding_window is None", "unbounded"),
        ("sliding_window is not None", "sliding_window"),
    ]
    assert cases(_one(_window("truth")), "pre_tokens") == cases(_one(_window("is None")), "pre_tokens")
    assert cases(_one(_window("== -1")), "pre_tokens") == [
        ("sliding_window != -1", "sliding_window"),
        ("sliding_window == -1", "unbounded"),
    ]
    assert cases(_one(_window(">= 0")), "pre_tokens") == cases(_one(_window("== -1")), "pre_tokens")
    assert cases(_one(_window("> 0")), "pre_tokens") == [
        ("sliding_window == 0", "unbounded"),
        ("sliding_window > 0", "sliding_window"),
    ]


def test_two_sentinels() -> None:
    none, minus = NO_WINDOW, asked(WINDOW, identical(-1))
    value = when(disj(none, minus), UNBOUND, "w")
    audited = _one(record(value, 0, tests=asked_for("is None", "== -1")))
    assert cases(audited, "pre_tokens") == [
        ("sliding_window is None or sliding_window == -1", "unbounded"),
        ("sliding_window is not None and sliding_window != -1", "sliding_window"),
    ] or [value for _, value in cases(audited, "pre_tokens")] == ["unbounded", "sliding_window"]


def test_zero_is_a_sentinel_only_alone() -> None:
    audited = _one(_window("> 0", "is None"))
    assert [when for when, _ in cases(audited, "pre_tokens")] == ["sliding_window == 0", "sliding_window > 0"]
    both = _one(record("w", 0, when(HAS_WINDOW, 4, 3), "m", tests=asked_for("is None", "> 0")))
    assert cases(both, "sparse_mode") == [("sliding_window is None", "3"), ("sliding_window is not None", "4")]


def test_sentinels_of_the_path_the_class_and_the_group() -> None:
    asking = site(20, _window("== -1"))
    silent = record("w", 0, mask="meta.mask")
    assert cases(audit(site(10, silent), asking)[0], "pre_tokens") == [("always", "sliding_window")]
    guarded = record("w", 0, mask="meta.mask", path=no(asked(WINDOW, identical(-1))))
    assert cases(audit(site(10, guarded), asking)[0], "pre_tokens") == [("sliding_window != -1", "sliding_window")]
    other = site(30, _window("is None"), owner="pkg/other.py:Other", path="pkg/other.py")
    assert cases(audit(site(10, guarded), asking, other)[0], "pre_tokens") == [("sliding_window != -1", "sliding_window")]
    alone = site(10, record("w", 0, mask="m", path=HAS_WINDOW, tests=asked_for("is None")))
    assert cases(audit(alone, asking)[0], "pre_tokens") == [("sliding_window is not None", "sliding_window")]


def test_a_size_of_the_window_is_its_own_literal() -> None:
    large = asked(WINDOW, asked_for("> 128")[0].region)
    audited = _one(record(when(HAS_WINDOW, when(large, 128, "w"), UNBOUND), 0, tests=asked_for("is None", "> 128")))
    assert cases(audited, "pre_tokens") == [
        ("sliding_window is None", "unbounded"),
        ("sliding_window is not None and sliding_window <= 128", "sliding_window"),
        ("sliding_window is not None and sliding_window > 128", "128"),
    ]


def test_without_sentinels_there_is_no_literal() -> None:
    assert cases(_one(record("w", 0, mask="meta.mask")), "pre_tokens") == [("always", "sliding_window")]


# ------------------------------------------------------------------------------------------------ cases


def test_cases_are_over_the_window_and_what_decides() -> None:
    flag, other = true("meta.flag"), true("meta.other")
    audited = _one(record(next=when(flag, 1, 2), path=conj(other, HAS_WINDOW), tests=asked_for("is None")))
    assert cases(audited, "next_tokens") == [
        ("sliding_window is not None and meta.flag", "1"),
        ("sliding_window is not None and not meta.flag", "2"),
    ]
    assert cases(audited, "sparse_mode") == [("sliding_window is not None", "0")]


def test_a_path_that_decides_is_printed() -> None:
    kind = {number: equals("meta.kind", number) for number in (1, 2)}
    audited = _one(record(next=when(kind[1], 1, when(kind[2], 2, 3)), path=disj(kind[1], kind[2])))
    assert sorted(value for _, value in cases(audited, "next_tokens")) == ["1", "2"]


def test_what_is_known_of_a_mask() -> None:
    given = no(is_none("meta.mask"))
    assert cases(_one(record(mask="meta.mask")), "atten_mask") == [("always", "given or None")]
    assert cases(_one(record(mask="meta.mask", path=given)), "atten_mask") == [("always", "given")]
    assert cases(_one(record(mask="meta.mask", path=given)), "mask") == [("always", "given")]
    assert cases(_one(record(mask=when(is_none("meta.mask"), None, "meta.mask"))), "atten_mask") == [("always", "given or None")]
    assert cases(_one(record(mask=None)), "mask") == [("always", "full")]
    dropped = _one(record(mode=when(true("c8"), 0, 3), mask=when(true("c8"), None, "meta.mask")))
    assert cases(dropped, "mask") == [("c8", "full"), ("not c8", "causal")]
    assert cases(dropped, "atten_mask") == [("c8", "None"), ("not c8", "given or None")]


def test_a_mask_that_only_some_batches_have_is_not_known() -> None:
    path = disj(no(is_none("meta.mask")), true("meta.decode"))
    assert cases(_one(record(mask="meta.mask", path=path)), "atten_mask") == [("always", "given or None")]


def test_several_ways_are_one_function() -> None:
    flag = true("meta.flag")
    audited = _one(record(next=1, path=flag, entry="a"), record(next=1, path=no(flag), entry="b"))
    assert cases(audited, "next_tokens") == [("always", "1")]


def test_ways_that_contradict_each_other_are_told_apart() -> None:
    chosen = record(mode=3, mask="m", selector=true("causal"))
    other = record(mode=0, mask="m", selector=no(true("causal")), entry="other")
    audited = _one(chosen, other)
    assert cases(audited, "sparse_mode") == [("causal", "3"), ("not causal", "0")]
    assert cases(audited, "atten_mask") == [("always", "given or None")]


def test_ways_that_nothing_tells_apart_are_named() -> None:
    classes = _one(record(mode=3, mask="m"), record(mode=0, mask="m", cls="pkg/b.py:Below"))
    assert cases(classes, "sparse_mode") == [("type(self) == Attention", "3"), ("type(self) == Below", "0")]
    entries = _one(record(mode=3, mask="m", entry="prefill"), record(mode=0, mask="m", entry="decode"))
    assert cases(entries, "sparse_mode") == [("entry == decode", "0"), ("entry == prefill", "3")]


def test_unknown_values() -> None:
    audited = _one(record(next=when(true("x"), Unknown("a loop", "a.py", 3), 0), mode=3, mask="m"))
    assert cases(audited, "next_tokens") == [("not x", "0"), ("x", "unknown")]
    assert cases(audited, "mask") == [("always", "causal")]


def test_rows_hold_what_is_passed_together() -> None:
    audited = _one(_window("is None"))
    assert [(row.when, row.values["sparse_mode"], row.values["mask"]) for row in audited.rows] == [
        ("sliding_window is None", "3", "causal"),
        ("sliding_window is not None", "4", "band(sliding_window, 0)"),
    ]


# ------------------------------------------------------------------------------------------------ JSON


def test_the_json_object() -> None:
    inner = site(3, path="pkg/inner.py", symbol="wrapped").place
    audited = _one(_window("is None"), via=(inner,), role="capture")
    found = audited.as_json(lambda path: f"root/{path}")
    assert json.loads(json.dumps(found)) == {
        "path": "root/pkg/attention.py",
        "line": 10,
        "column": 5,
        "symbol": "Attention.forward",
        "operator": "npu_fused_infer_attention_score",
        "overload": "out",
        "role": "capture",
        "group": "pkg",
        "window_aware": True,
        "via": [{"path": "root/pkg/inner.py", "line": 3, "column": 5, "symbol": "wrapped"}],
        "arguments": {
            "pre_tokens": {
                "source": "pre_tokens",
                "default": False,
                "cases": [
                    {"when": "sliding_window is None", "value": "unbounded"},
                    {"when": "sliding_window is not None", "value": "sliding_window"},
                ],
            },
            "next_tokens": {"source": "next_tokens", "default": False, "cases": [{"when": "always", "value": "0"}]},
            "sparse_mode": {
                "source": "sparse_mode",
                "default": False,
                "cases": [
                    {"when": "sliding_window is None", "value": "3"},
                    {"when": "sliding_window is not None", "value": "4"},
                ],
            },
            "atten_mask": {"source": "atten_mask", "default": False, "cases": [{"when": "always", "value": "given or None"}]},
        },
        "mask": [
            {"when": "sliding_window is None", "value": "causal"},
            {"when": "sliding_window is not None", "value": "band(sliding_window, 0)"},
        ],
    }


def test_a_site_that_nothing_reaches() -> None:
    found = _one().as_json()
    assert found["unreached"] is True
    assert found["mask"] == [] and all(argument["cases"] == [] for argument in found["arguments"].values())
    assert "unreached" not in _one(record()).as_json()


def test_sites_are_in_path_and_line_order() -> None:
    sites = [site(30, record()), site(10, record(), path="b.py", group="b"), site(20, record(path=FALSE))]
    assert [(each.path, each.site.key.span.line) for each in audit(*sites)] == [
        ("b.py", 10), ("pkg/attention.py", 20), ("pkg/attention.py", 30),
    ]  # fmt: skip
