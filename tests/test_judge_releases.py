"""Two releases of vllm-ascend as evaluated sites, read from their code by hand: findings, conditions, values."""

from __future__ import annotations

import pytest

from fia_lint.evaluate.sites import Site
from tests.judge_builder import (
    HAS_WINDOW,
    NO_WINDOW,
    UNBOUND,
    V2,
    ClassFacts,
    asked_for,
    audit,
    cases,
    codes,
    conj,
    disj,
    equals,
    findings,
    found,
    is_none,
    no,
    record,
    site,
    true,
    when,
)

V1 = "vllm_ascend/attention/attention_v1.py"
BASE, C8, CP = f"{V1}:AscendAttentionBackendImpl", f"{V1}:AscendC8AttentionBackendImpl", "cp.py:AscendAttentionCPImpl"
CAPTURING, SHAPE = true("_EXTRA_CTX.capturing"), true("shape_matches")
DECODE_ONLY = equals("attn_metadata.attn_state", "State.DecodeOnly")
S = no(is_none("self.sinks"))
MASK = "attn_metadata.attn_mask"
IS_NONE = asked_for("is None")
CLASSES = (ClassFacts(BASE, (), (C8,)), ClassFacts(C8, (BASE,), ()))


def call(line: int, *records, role: str = "eager", owner: str = BASE, **more) -> Site:  # type: ignore[no-untyped-def]
    return site(line, *records, role=role, owner=owner, path=V1, group="vllm_ascend", **more)


# ------------------------------------------------------------------------------------------------ 0.18.0


def release_0_18() -> list[Site]:
    eager = no(CAPTURING)
    decode = conj(eager, DECODE_ONLY, HAS_WINDOW, SHAPE, no(S))
    sinks = {
        "pre": when(HAS_WINDOW, "w", UNBOUND),
        "next": 0,
        "mode": when(HAS_WINDOW, 4, 3),
        "mask": when(HAS_WINDOW, "attn_metadata.swa_mask", MASK),
    }
    not_decode = conj(eager, no(S), no(decode))
    plain = {"mode": 3, "mask": MASK}
    return [
        call(508, record(**plain, cls=BASE, path=no(true("using_paged_attention"))), role="update", symbol="update_graph_params"),
        call(557, record(**plain, cls=BASE, path=CAPTURING), role="workspace", symbol="full_graph_fia"),
        call(603, record(**plain, cls=BASE, path=CAPTURING), role="capture", symbol="full_graph_fia"),
        call(742, record("w", cls=BASE, path=decode, tests=IS_NONE), symbol="_forward_fia_slidingwindow"),
        call(803, record(**sinks, cls=BASE, path=conj(eager, S), tests=IS_NONE), operator=V2, symbol="forward"),
        call(822, record(**plain, cls=BASE, path=not_decode, tests=IS_NONE), symbol="forward"),
        call(1156, record(cls=C8), owner=C8, symbol="_forward_c8_decode"),
        call(1204, record(cls=C8), owner=C8, symbol="_forward_c8_chunked_prefill"),
        call(1258, record(**plain, cls=C8), owner=C8, symbol="_forward_c8_chunked_prefill"),
        site(337, record(cls=CP), role="update", owner=CP, path="cp.py", group="vllm_ascend"),
        site(375, record(cls=CP), owner=CP, path="cp.py", group="vllm_ascend"),
        site(393, record(**plain, cls=CP), owner=CP, path="cp.py", group="vllm_ascend"),
        site(594, record(cls=CP), role="capture", owner=CP, path="cp.py", group="vllm_ascend"),
    ]


def test_0_18() -> None:
    windowed = "sliding_window is not None"
    sinks = f"{windowed} and self.sinks is not None"
    assert found(*release_0_18(), classes=CLASSES) == [
        ("FIA103", 508, sinks),
        ("FIA103", 603, sinks),
        ("FIA102", 742, windowed),
        ("FIA202", 742, windowed),
    ]


def test_0_18_sides() -> None:
    by_code = {(f.code, f.site.key.span.line): f for f in findings(*release_0_18(), classes=CLASSES)}
    kind = by_code["FIA103", 603]
    assert (kind.argument, kind.value, kind.reference) == ("sparse_mode", "causal", "band(sliding_window, 0)")
    assert [r.place.span.line for r in kind.related] == [803]
    ahead = by_code["FIA102", 742]
    assert (ahead.value, ahead.reference) == ("unbounded", "0")
    assert [r.place.span.line for r in ahead.related] == [803]
    assert ahead.place == ahead.site.place  # not written in the call, so the call is the place


def test_0_18_rules_that_are_off() -> None:
    off = [(code, line) for code, line, _ in found(*release_0_18(), classes=CLASSES, off=True)]
    assert off == [("FIA106", 508), ("FIA106", 603), ("FIA106", 822)]


# ------------------------------------------------------------------------------------------------ 0.23.0

C = true("attn_metadata.causal")
D = true("_EXTRA_CTX.is_draft_model")
PRODUCER = true("self.is_kv_producer")
Q = conj(true("self.enable_c8_quant"), no(is_none("layer")))
PRE, NEXT = when(HAS_WINDOW, "w", UNBOUND), when(HAS_WINDOW, 0, UNBOUND)
MODE = when(HAS_WINDOW, 4, when(C, 3, 0))
WITH_SINKS = {"pre": PRE, "next": 0, "mode": when(HAS_WINDOW, 4, 3), "mask": MASK}
CAPTURED = {"pre": PRE, "next": NEXT, "mode": MODE, "mask": MASK}
CAPTURED_C8 = {"pre": PRE, "next": NEXT, "mode": when(Q, 0, MODE), "mask": when(Q, None, MASK)}


def _update(arguments: dict) -> dict:  # type: ignore[type-arg]
    """The update resets the mode for a draft model that is not causal."""
    return {**arguments, "mode": when(conj(D, no(C)), 0, arguments["mode"])}


def release_0_23() -> list[Site]:
    tests = asked_for("is None", "truth")
    eager, sinks = no(CAPTURING), no(is_none("self.sinks"))
    plain = conj(eager, no(sinks))
    unused = no(true("using_paged_attention"))
    ctx_sinks = true("_EXTRA_CTX.sinks")

    def ways(arguments: dict, path, c8: dict | None = None, **more):  # type: ignore[no-untyped-def,type-arg]
        own = record(**arguments, cls=BASE, path=path, tests=tests, **more)
        below = record(**(c8 or arguments), cls=C8, path=conj(path, PRODUCER), tests=tests, entry="C8.forward", **more)
        return own, below

    captured = conj(CAPTURING, no(sinks))
    c8 = record(**CAPTURED_C8, cls=C8, path=conj(CAPTURING, no(PRODUCER)), tests=tests, entry="C8.forward")
    fed = conj(unused, no(ctx_sinks), captured)
    fed_c8 = record(**_update(CAPTURED_C8), cls=C8, path=conj(unused, no(ctx_sinks)), tests=tests)
    return [
        call(599, *ways(WITH_SINKS, conj(unused, ctx_sinks, sinks)), role="update", operator=V2),
        call(777, record(**_update(CAPTURED), cls=BASE, path=fed, tests=tests), fed_c8, role="update"),
        call(867, *ways(CAPTURED, captured), c8, role="workspace"),
        call(958, *ways(CAPTURED, captured), c8, role="capture"),
        call(1087, *ways(WITH_SINKS, conj(CAPTURING, sinks)), role="capture", operator=V2),
        call(1283, *ways(WITH_SINKS, conj(eager, sinks)), operator=V2),
        call(1303, *ways({"mode": 0}, conj(plain, no(C)))),
        call(1318, *ways({"pre": "w", "next": 0, "mode": 4, "mask": MASK}, conj(plain, C, HAS_WINDOW))),
        call(1336, *ways({"mode": 3, "mask": MASK}, conj(plain, C, NO_WINDOW)), via=(site(92).place,)),
        call(1771, record(cls=C8, path=conj(eager, no(PRODUCER), DECODE_ONLY)), owner=C8),
        call(1819, record(cls=C8, path=conj(eager, no(PRODUCER), no(DECODE_ONLY))), owner=C8),
        call(1874, record(mode=3, mask=MASK, cls=C8, path=conj(eager, no(PRODUCER), no(DECODE_ONLY))), owner=C8),
        call(1935, record(mode=3, mask=MASK, cls=C8, path=conj(eager, no(PRODUCER))), owner=C8),
    ]


def test_0_23() -> None:
    quantised = "sliding_window is not None and self.enable_c8_quant and layer is not None"
    plain = "sliding_window is not None and self.sinks is None"
    order = f"{plain} and not attn_metadata.causal"
    assert sorted(found(*release_0_23(), classes=CLASSES)) == [
        ("FIA103", 777, f"{plain} and not _EXTRA_CTX.is_draft_model and not attn_metadata.causal"),
        ("FIA103", 958, order),
        ("FIA202", 777, quantised),
        ("FIA202", 958, quantised),
    ]


def test_0_23_one_finding_for_two_classes() -> None:
    kinds = [f for f in findings(*release_0_23(), classes=CLASSES) if f.code == "FIA103"]
    assert {(f.value, f.reference) for f in kinds} == {("band(sliding_window, 0)", "full")}
    assert [f.classes for f in kinds] == [("AscendC8AttentionBackendImpl",)] * 2
    assert [[r.place.span.line for r in f.related] for f in kinds] == [[1303], [1303]]


def test_0_23_rules_that_are_off() -> None:
    off = [(code, line) for code, line, _ in found(*release_0_23(), classes=CLASSES, off=True)]
    assert off == [("FIA106", 1303)]


def test_0_23_values() -> None:
    rows = {each.site.key.span.line: each for each in audit(*release_0_23())}
    assert cases(rows[1318], "mask") == [("sliding_window is not None", "band(sliding_window, 0)")]
    assert cases(rows[1283], "mask") == [
        ("sliding_window is None", "causal"),
        ("sliding_window is not None", "band(sliding_window, 0)"),
    ]
    assert cases(rows[1303], "mask") == [("always", "full")]
    assert cases(rows[958], "next_tokens") == [("sliding_window is None", "unbounded"), ("sliding_window is not None", "0")]
    assert {line: row.window_aware for line, row in rows.items()} == {
        599: True, 777: True, 867: True, 958: True, 1087: True, 1283: True, 1303: False, 1318: True, 1336: False,
        1771: False, 1819: False, 1874: False, 1935: False,
    }  # fmt: skip


@pytest.mark.parametrize(("line", "wrong"), [(599, []), (1087, []), (867, [])])
def test_0_23_what_stays_silent(line: int, wrong: list[str]) -> None:
    assert [code for code, at in codes(*release_0_23(), classes=CLASSES) if at == line] == wrong


# ------------------------------------------------------------------------------------------------ 0.11.0 and 0.13.0


def test_0_13() -> None:
    path = conj(no(CAPTURING), DECODE_ONLY, HAS_WINDOW, SHAPE)
    sites = [
        call(381, record(mode=3, mask=MASK, cls=BASE, path=CAPTURING), role="workspace"),
        call(417, record(mode=3, mask=MASK, cls=BASE, path=CAPTURING), role="capture"),
        call(553, record("w", cls=BASE, path=path, tests=IS_NONE)),
        call(596, record(mode=3, mask=MASK, cls=BASE, path=conj(no(CAPTURING), no(path)), tests=IS_NONE)),
        call(350, record(mode=3, mask=MASK, cls=BASE), role="update"),
    ]
    assert found(*sites) == [("FIA202", 553, "sliding_window is not None")]


def test_mla_modes_follow_the_state() -> None:
    state = disj(equals("attn_metadata.attn_state", "State.SpecDecoding"), equals("attn_metadata.attn_state", "State.Chunked"))
    spec = conj(state, no(is_none("self.speculative_config")))
    arguments = {"mode": when(spec, 3, 0), "mask": when(spec, "decode.attn_mask", None)}
    sites = [
        call(1385, record(**arguments), role="workspace"),
        call(1396, record(**arguments), role="capture"),
        call(1402, record(**arguments)),
        call(813, record(**arguments), role="update"),
    ]
    assert codes(*sites) == []
    masks = cases(audit(*sites)[0], "mask")
    assert sorted(text for _, text in masks) == ["causal", "full"]
