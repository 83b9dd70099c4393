"""The table of entry points. A new operator is a new row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

#: The four arguments that decide what a query row may attend, by the names of FIA.
MASK_ARGUMENTS = ("pre_tokens", "next_tokens", "sparse_mode", "atten_mask")

#: From here on a bound does not bind: the largest 32-bit integer, the default of pre_tokens and next_tokens.
UNBOUNDED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A callable that reaches the operator.

    ``spelling`` gives the entry point's own name of a mask argument where it differs; ``defaults`` the value of
    pre_tokens and next_tokens that are not written (tokens); ``modes`` the legal values of sparse_mode.
    """

    name: str
    workspace: bool = False
    has_out: bool = True
    on: bool = True
    positional: tuple[str, ...] = ("query", "key", "value")
    spelling: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, object] = field(
        default_factory=lambda: {
            "pre_tokens": UNBOUNDED,
            "next_tokens": UNBOUNDED,
            "sparse_mode": 0,
            "atten_mask": None,
        }
    )
    modes: frozenset[int] = frozenset({0, 1, 2, 3, 4})

    def argument(self, keyword: str) -> str | None:
        """Which mask argument a keyword of this entry point is, by the names of FIA; None for others."""
        for name in MASK_ARGUMENTS:
            if self.spelling.get(name, name) == keyword:
                return name
        return None


_TOCKENS = {"pre_tokens": "pre_tockens", "next_tokens": "next_tockens"}
_FIA = "npu_fused_infer_attention_score"

CATALOGUE: tuple[EntryPoint, ...] = (
    EntryPoint(_FIA),
    EntryPoint(f"{_FIA}_v2", modes=frozenset({0, 1, 2, 3, 4, 9})),
    EntryPoint(f"_{_FIA}_get_max_workspace", workspace=True, has_out=False),
    EntryPoint(f"_{_FIA}_v2_get_max_workspace", workspace=True, has_out=False, modes=frozenset({0, 1, 2, 3, 4, 9})),
    # Relatives with the same pair of arguments, off unless the configuration names them.
    EntryPoint("npu_fusion_attention", on=False, has_out=False, spelling=_TOCKENS),
    EntryPoint("npu_fusion_attention_v2", on=False, has_out=False),
    EntryPoint("npu_fusion_attention_v3", on=False, has_out=False, spelling=_TOCKENS),
    EntryPoint(
        "npu_prompt_flash_attention",
        on=False,
        has_out=False,
        defaults={"pre_tokens": UNBOUNDED, "next_tokens": 0, "sparse_mode": 0, "atten_mask": None},
    ),
)


def enabled(names: Iterable[str] = ()) -> dict[str, EntryPoint]:
    """The entry points in force: those on by default, and those that the configuration names."""
    extra = set(names)
    return {row.name: row for row in CATALOGUE if row.on or row.name in extra}
