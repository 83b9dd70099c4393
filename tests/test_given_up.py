"""An evaluation that takes too many steps is given up: what it has not met is unknown, and says why.

If this failed, a call in a function of very many statements would be shown with the values of its first uses only, or as one
that nothing reaches.
"""

from __future__ import annotations

import pytest

from fia_lint.evaluate import statements
from fia_lint.run import analyse
from fia_lint.settings import Settings
from fia_lint.targets.tree import Tree

SOURCE = """\
from torch_npu import npu_fused_infer_attention_score as fia

LIMIT = 1
LIMIT = 2


def attend(q, k, v, bound):
    return fia(q, k, v, atten_mask=q.mask, pre_tokens=bound)


def run(q, k, v):
    attend(q, k, v, 3)
    for key in q.blocks:
        k = key
    for value in q.blocks:
        v = value
    attend(q, k, v, 4)
    return fia(q, k, v, atten_mask=q.mask, pre_tokens=5)


def other(q, k, v):
    return fia(q, k, v, atten_mask=q.mask, pre_tokens=6)


def with_limit(q, k, v):
    return fia(q, k, v, atten_mask=q.mask, pre_tokens=LIMIT)
"""


def values(monkeypatch: pytest.MonkeyPatch, steps: int) -> dict[int, tuple[set[str], set[str]]]:
    """The values of ``pre_tokens`` and ``next_tokens`` by line."""
    monkeypatch.setattr(statements, "MOST_STEPS", steps)
    sites = analyse(Tree.of({"a.py": SOURCE.encode()}), Settings()).audit
    return {
        site.site.key.span.line: ({c.value for c in site.cases["pre_tokens"]}, {c.value for c in site.cases["next_tokens"]})
        for site in sites
    }


def test_a_function_of_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    known = values(monkeypatch, 60_000)
    assert known[18][0] == {"5"} and known[22][0] == {"6"} and known[26][0] == {"2"}
    cut = values(monkeypatch, 8)
    assert cut[12][0] == {"3", "unknown"}
    assert cut[18] == ({"unknown"}, {"unbounded"})
    assert cut[22] == known[22]


def test_a_module_of_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert values(monkeypatch, 2)[26][0] == {"unknown"}
