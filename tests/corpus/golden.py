"""What the releases do, read from their code by hand: every call site with its values, and the findings.

Cases are written ``value if condition; value if condition``, a value alone holds always. ``w`` is the window, ``U``
unbounded, ``?`` unknown, ``g`` given, ``g?`` given or None; masks are ``band(w,0)``, ``causal``, ``full``, ``?``.
Conditions are over letters: ``W`` a window is set (else it is None), and those of :data:`LETTERS`.
"""

from __future__ import annotations

from dataclasses import dataclass


def _state(names: str) -> str:
    """Tests that the batch is in one of some states, in one atom or in several."""
    return rf"attn_metadata\.attn_state (== AscendAttentionState\.({names})|in .*)"


#: Letter → pattern of the atoms that it stands for, and whether it holds where they do. Several atoms: any of them.
LETTERS: dict[str, tuple[str, bool]] = {
    "S": (r"(self\.)?sinks is None", False),
    "C": (r"\w+\.causal", True),
    "E": (r"self\.enable_c8_quant", True),
    "L": (r"layer is None", False),
    "D": (r"_EXTRA_CTX\.is_draft_model", True),
    "T": (_state("SpecDecoding|ChunkedPrefill"), True),
    "T3": (_state("SpecDecoding|ChunkedPrefill|DecodeOnly"), True),
    "T4": (_state("SpecDecoding|ChunkedPrefill|DecodeOnly|PrefillNoCache"), True),
    "P": (r"self\.(vllm_config\.)?speculative_config is None", False),
    "F": (r"self\.fa_quant_layer", True),
}


@dataclass(frozen=True)
class Row:
    """A call site. ``given`` is the value of ``atten_mask`` where it is worth saying, ``aware`` whether it is window-aware."""

    role: str
    pre: str
    next: str
    mode: str
    mask: str
    given: str = ""
    aware: bool = False
    via: bool = False


#: Path and call line → row.
Rows = dict[tuple[str, int], Row]


@dataclass(frozen=True)
class Found:
    """A finding: its code, the line of its call, and the letters of its condition, ``-X`` for not X."""

    code: str
    line: int
    condition: frozenset[str]


def _found(code: str, line: int, *condition: str) -> Found:
    return Found(code, line, frozenset(condition))


ATTENTION = "vllm_ascend/attention/attention_v1.py"
MLA = "vllm_ascend/attention/mla_v1.py"
CP = "vllm_ascend/attention/context_parallel/attention_cp.py"
MLA_CP = "vllm_ascend/attention/context_parallel/mla_cp.py"
GRAPH = "vllm_ascend/compilation/acl_graph.py"

#: Release → number of calls in the source text.
CALLS = {"0.9.1": 2, "0.11.0": 8, "0.13.0": 21, "0.18.0": 26, "0.23.0": 42}
FILES = {"0.9.1": 132, "0.11.0": 172, "0.13.0": 229, "0.18.0": 338, "0.23.0": 482}

#: Findings with the default rules; all are in ATTENTION.
FINDINGS: dict[str, list[Found]] = {
    "0.9.1": [],
    "0.11.0": [_found("FIA202", 419, "W")],
    "0.13.0": [_found("FIA202", 553, "W")],
    "0.18.0": [
        _found("FIA202", 742, "W"),
        _found("FIA102", 742, "W"),
        _found("FIA103", 603, "W", "S"),
        _found("FIA103", 508, "W", "S"),
    ],
    "0.23.0": [
        _found("FIA202", 958, "W", "E", "L"),
        _found("FIA202", 777, "W", "E", "L"),
        _found("FIA103", 958, "W", "-C", "-S"),
        _found("FIA103", 777, "W", "-C", "-S", "-D"),
    ],
}

#: Release → call lines of the rules that are off by default; FIA208 is one finding per group, wherever it stands.
EXTRA: dict[str, dict[str, list[int]]] = {
    "0.18.0": {"FIA106": [508, 603, 822], "FIA207": [], "FIA208": []},
    "0.23.0": {"FIA106": [1303], "FIA207": []},
}
FIA208 = {"0.18.0": 0, "0.23.0": 1}


def _plain(role: str, mode: str, mask: str, given: str = "") -> Row:
    """A site without a window: both bounds are unbounded."""
    return Row(role, "U", "U", mode, mask, given)


_FULL, _CAUSAL = ("0", "full", "None"), ("3", "causal")


def _spec(state: str) -> tuple[str, str, str]:
    """Speculative decoding in a state that has several query rows: causal, else everything."""
    m = f"{state} and P"
    return f"3 if {m}; 0 if not ({m})", f"causal if {m}; full if not ({m})", f"g? if {m}; None if not ({m})"


#: The two families of context parallelism in 0.23.0.
_SPEC = ("0", "? if P; full if not P", "g? if P; None if not P")
_SPEC_MLA = ("0", "? if T3 and P; full if not (T3 and P)", "g? if T3 and P; None if not (T3 and P)")

_WINDOW_OR_CAUSAL = ("w if W; U if not W", "0", "4 if W; 3 if not W", "band(w,0) if W; causal if not W")


def _four(path: str, lines: tuple[int, int, int], update: tuple[str, int], value: tuple[str, str, str]) -> Rows:
    """Workspace query, capture and eager call of one method that share a dict, and the update fed by the capture."""
    roles = zip(("workspace", "capture", "eager"), lines, strict=True)
    rows = {(path, line): _plain(role, *value) for role, line in roles}
    return {**rows, update: _plain("update", *value)}


_Q = "(E and L)"
_GRAPH_MODE = f"0 if {_Q}; 4 if not {_Q} and W; 3 if not {_Q} and not W and C; 0 if not {_Q} and not W and not C"
_GRAPH_MASK = f"full if {_Q}; band(w,0) if not {_Q} and W; causal if not {_Q} and not W and C; ? if not {_Q} and not W and not C"
_RESET = f"({_Q} or (D and not C))"
_UPDATE_MODE = f"0 if {_RESET}; 4 if not {_RESET} and W; 3 if not {_RESET} and not W and C; 0 if not {_RESET} and not W and not C"
_UPDATE_MASK = (
    f"full if {_Q}; ? if not {_Q} and D and not C; band(w,0) if not {_RESET} and W;"
    f" causal if not {_RESET} and not W and C; ? if not {_RESET} and not W and not C"
)
_GRAPH = ("w if W; U if not W", "0 if W; U if not W", _GRAPH_MODE, _GRAPH_MASK, f"None if {_Q}; g? if not {_Q}")

SITES: dict[str, Rows] = {
    "0.9.1": {
        ("vllm_ascend/attention/attention.py", 1225): _plain("eager", "0", "?", "g?"),
        (MLA, 1003): _plain("eager", "3 if T; 0 if not T", "causal if T; full if not T", "g? if T; None if not T"),
    },
    "0.11.0": {
        (ATTENTION, 419): Row("eager", "w if W", "U if W", "0 if W", "full if W", "None if W", aware=True),
        (ATTENTION, 547): _plain("eager", *_CAUSAL, "g"),
        **_four(MLA, (1044, 1064, 1074), (GRAPH, 339), _spec("T3")),
        ("vllm_ascend/torchair/torchair_attention.py", 438): _plain("eager", "0", "?", "g?"),
        ("vllm_ascend/torchair/torchair_mla.py", 1034): _plain("eager", *_spec("T")),
    },
    "0.13.0": {
        (ATTENTION, 381): _plain("workspace", *_CAUSAL),
        (ATTENTION, 417): _plain("capture", *_CAUSAL),
        (ATTENTION, 553): Row("eager", "w if W", "U if W", "0 if W", "full if W", "None if W", aware=True),
        (ATTENTION, 596): _plain("eager", *_CAUSAL),
        (GRAPH, 350): _plain("update", *_CAUSAL),
        (CP, 304): _plain("eager", *_FULL),
        (CP, 321): _plain("eager", *_CAUSAL),
        **_four(CP, (517, 537, 547), (GRAPH, 488), _FULL),
        (CP, 644): _plain("eager", *_FULL),
        (CP, 845): _plain("eager", *_CAUSAL),
        **_four(MLA, (1252, 1276, 1286), (GRAPH, 431), _spec("T3")),
        **_four(MLA_CP, (628, 651, 661), (GRAPH, 558), _spec("T3")),
    },
    "0.18.0": {
        (ATTENTION, 508): _plain("update", *_CAUSAL),
        (ATTENTION, 557): _plain("workspace", *_CAUSAL),
        (ATTENTION, 603): _plain("capture", *_CAUSAL),
        (ATTENTION, 742): Row("eager", "w if W", "U if W", "0 if W", "full if W", "None if W", aware=True),
        (ATTENTION, 803): Row("eager", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 822): _plain("eager", *_CAUSAL),
        (ATTENTION, 1156): _plain("eager", *_FULL),
        (ATTENTION, 1204): _plain("eager", *_FULL),
        (ATTENTION, 1258): _plain("eager", *_CAUSAL),
        (ATTENTION, 1325): _plain("eager", *_CAUSAL),
        (CP, 375): _plain("eager", *_FULL),
        (CP, 393): _plain("eager", *_CAUSAL),
        **_four(CP, (567, 594, 600), (CP, 337), _FULL),
        (CP, 693): _plain("eager", *_FULL),
        (CP, 947): _plain("eager", *_CAUSAL),
        **_four(MLA, (1385, 1396, 1402), (MLA, 813), _spec("T4")),
        **_four(MLA_CP, (675, 709, 715), (MLA_CP, 341), _spec("T3")),
    },
    "0.23.0": {
        (ATTENTION, 599): Row("update", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 777): Row("update", *_GRAPH[:2], _UPDATE_MODE, _UPDATE_MASK, _GRAPH[4], aware=True),
        (ATTENTION, 867): Row("workspace", *_GRAPH, aware=True),
        (ATTENTION, 893): Row("workspace", *_GRAPH, aware=True),
        (ATTENTION, 958): Row("capture", *_GRAPH, aware=True),
        (ATTENTION, 1009): Row("workspace", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 1035): Row("workspace", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 1087): Row("capture", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 1283): Row("eager", *_WINDOW_OR_CAUSAL, aware=True),
        (ATTENTION, 1303): _plain("eager", *_FULL),
        (ATTENTION, 1318): Row("eager", "w if W", "0 if W", "4 if W", "band(w,0) if W", aware=True),
        (ATTENTION, 1336): Row("eager", "U if not W", "U if not W", "3 if not W", "causal if not W", via=True),
        (ATTENTION, 1771): _plain("eager", *_FULL),
        (ATTENTION, 1819): _plain("eager", *_FULL),
        (ATTENTION, 1874): _plain("eager", *_CAUSAL),
        (ATTENTION, 1935): _plain("eager", *_CAUSAL),
        ("vllm_ascend/device/device_op.py", 92): Row("eager", *["? if not W"] * 4),  # reached by the call at 1336 alone
        ("vllm_ascend/device/device_op.py", 1148): Row("eager", *["? if not W"] * 4),  # reached by the call at 1336 alone
        **_four(CP, (636, 673, 679), (CP, 405), _SPEC),
        (CP, 443): _plain("eager", *_FULL),
        (CP, 461): _plain("eager", *_CAUSAL),
        (CP, 762): _plain("eager", *_FULL),
        (CP, 1017): _plain("eager", *_CAUSAL),
        **_four(MLA_CP, (695, 734, 740), (MLA_CP, 378), _SPEC_MLA),
        (MLA_CP, 589): _plain("eager", *_CAUSAL),
        **_four(MLA, (1575, 1586, 1592), (MLA, 874), _spec("T4")),
        (MLA, 1229): _plain("eager", *_FULL),
        (MLA, 1299): _plain("eager", *_CAUSAL),
        ("vllm_ascend/ops/mm_encoder_attention.py", 183): _plain("eager", *_FULL),
        ("vllm_ascend/ops/mm_encoder_attention.py", 186): _plain("workspace", *_FULL),
        ("vllm_ascend/ops/mm_encoder_attention.py", 189): _plain("capture", *_FULL),
        ("vllm_ascend/ops/mm_encoder_attention.py", 254): _plain("workspace", *_FULL),
        ("vllm_ascend/worker/encoder_acl_graph.py", 232): _plain("update", *_FULL),
    },
}
