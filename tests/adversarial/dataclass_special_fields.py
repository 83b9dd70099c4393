"""ClassVar is no field, InitVar is no attribute, init=False is no parameter, kw_only changes the order."""
from dataclasses import InitVar, dataclass, field
from typing import ClassVar

from torch_npu import npu_fused_infer_attention_score as fia


@dataclass
class Options:
    shared: ClassVar[int] = 9
    seed: InitVar[int]
    behind: int = field(init=False, default=2)
    ahead: int = field(default=1, kw_only=True)
    mode: int = 3

    def __post_init__(self, seed):
        self.behind = seed


def forward(q):
    options = Options(6, 4)
    fia(q, q, q, pre_tokens=options.behind, next_tokens=options.ahead, sparse_mode=options.mode)


# run: forward(0)
