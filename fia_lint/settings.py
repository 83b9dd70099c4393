"""What a user can set, as one immutable record. Reading it from files and options is the front ends' business."""

from __future__ import annotations

from dataclasses import dataclass

WINDOW_NAMES = (
    "sliding_window",
    "sliding_window_size",
    "window_size",
    "swa_window",
    "swa_window_size",
    "local_window",
    "local_window_size",
    "attn_window",
    "window",
    "sw",
)


@dataclass(frozen=True)
class Settings:
    """Rules, analysis and bounds.

    ``select``, ``extend_select``, ``ignore`` are codes or prefixes of codes; ``select`` None means the rules that are on
    by default. ``per_file_ignores`` is ``(pattern, codes)`` with gitignore patterns. ``contract`` is the reference pair of
    (pre_tokens, next_tokens) as written, e.g. ``("sliding_window", "0")``.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    window_names: tuple[str, ...] = WINDOW_NAMES
    group_by: str = "package"
    include_tests: bool = False
    operators: tuple[str, ...] = ()
    contract: tuple[str, str] | None = None
    max_depth: int = 8
    max_terms: int = 32
    max_nodes: int = 1000
