"""Enums whose members are texts or numbers, names of one member, automatic values."""
from enum import Enum, IntEnum, auto
from torch_npu import npu_fused_infer_attention_score as fia


class Text(str, Enum):
    L = "l"


class Number(int, Enum):
    A = 3


class Counted(IntEnum):
    A = auto()


class Same(Enum):
    A = auto()
    B = 1


def forward(q):
    fia(q, q, q, pre_tokens=1 if Text.L == "l" else 2, next_tokens=1 if Text.L in ("l", "m") else 2)
    fia(q, q, q, pre_tokens=1 if Number.A == 3 else 2, next_tokens=1 if Counted.A == 1 else 2)
    fia(q, q, q, pre_tokens=1 if Same.A is Same.B else 2, next_tokens={"l": 3}.get(Text.L, 4))


# run: forward(0)
