"""The bug that the project exists for, as evaluated sites."""

from __future__ import annotations

from tests.judge_builder import HAS_WINDOW, asked_for, cases, audit, codes, findings, found, less, record, site


def _paths(shift: int, following: int, mode: int | None = 4):
    """Eager forward, helper, capture and update, reached only with a window; the last three say (w - shift, following)."""
    more = {"path": HAS_WINDOW, "tests": asked_for("is None")}
    if mode is not None:
        more |= {"mode": mode, "mask": "meta.mask"}
    return (
        site(10, record("w", 0, **more), symbol="Backend._forward_window"),
        site(20, record(less(shift), following, **more), symbol="Backend._forward_decode"),
        site(30, record(less(shift), following, **more), symbol="Backend._capture", role="capture"),
        site(40, record(less(shift), following, **more), symbol="update", role="update", owner="pkg/replay.py"),
    )


def test_capture_update_and_helper_look_ahead() -> None:
    condition = "sliding_window is not None"
    wrong = [(code, line, condition) for line in (20, 30, 40) for code in ("FIA101", "FIA102", "FIA201")]
    assert sorted(found(*_paths(1, 1))) == sorted(wrong)


def test_what_the_findings_tell() -> None:
    (other,) = [f for f in findings(*_paths(1, 1)) if f.code == "FIA102" and f.site.role == "capture"]
    assert (other.argument, other.value, other.reference) == ("next_tokens", "1", "0")
    assert [(r.kind, r.place.symbol, r.value) for r in other.related] == [("reference", "Backend._forward_window", "0")]
    assert other.impact is not None and other.impact.kind == "future"
    assert other.impact.values["rows"] == "2" and other.impact.values["one_row"] is False
    assert other.facts["variant"] == "one"  # the reference rests on one site: nobody knows who is wrong
    assert other.place.span != other.site.key.span  # the place is the argument
    (short,) = [f for f in findings(*_paths(1, 1)) if f.code == "FIA101" and f.site.role == "capture"]
    assert (short.value, short.reference) == ("sliding_window - 1", "sliding_window")
    assert short.impact is not None and short.impact.values["keys"] == "sliding_window + 1"


def test_the_repair_is_silent() -> None:
    assert codes(*_paths(0, 0)) == []


def test_nothing_but_pre_and_next() -> None:
    eager, _, capture, _ = _paths(1, 1, mode=None)
    assert codes(eager, capture) == [("FIA202", 10), ("FIA101", 30), ("FIA202", 30), ("FIA102", 30)]


def test_nothing_but_pre_and_next_has_no_impact_and_says_so() -> None:
    eager, _, capture, _ = _paths(1, 1, mode=None)
    assert {f.code: f.impact.kind for f in findings(eager, capture) if f.impact and f.site is capture} == {
        "FIA101": "same", "FIA102": "same", "FIA202": "both",
    }  # fmt: skip


def test_the_table() -> None:
    rows = audit(*_paths(1, 1))
    assert [row.site.role for row in rows] == ["eager", "eager", "capture", "update"]
    assert [row.disagrees for row in rows] == [False, True, True, True]
    assert all(row.window_aware for row in rows)
    assert cases(rows[2], "mask") == [("sliding_window is not None", "band(sliding_window - 1, 1)")]
