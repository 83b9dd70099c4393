"""Defaults, a default factory, a field that __post_init__ changes, inheritance of fields, replace()."""
from dataclasses import dataclass, field, replace

from torch_npu import npu_fused_infer_attention_score as fia


@dataclass
class Options:
    behind: int
    ahead: int = 1
    mode: int = field(default_factory=lambda: 3)

    def __post_init__(self):
        self.behind += 100


@dataclass
class Wide(Options):
    ahead: int = 7


def forward(q):
    one = Options(4)
    fia(q, q, q, pre_tokens=one.behind, next_tokens=one.ahead, sparse_mode=one.mode)
    two = replace(one, ahead=2)
    fia(q, q, q, pre_tokens=two.behind, next_tokens=two.ahead)
    wide = Wide(5, mode=4)
    fia(q, q, q, pre_tokens=wide.behind, next_tokens=wide.ahead, sparse_mode=wide.mode)


# run: forward(0)
