"""_replace makes a new tuple; _asdict a dict; the fields have positions."""
from typing import NamedTuple

from torch_npu import npu_fused_infer_attention_score as fia


class Bounds(NamedTuple):
    pre_tokens: int
    next_tokens: int = 1


def forward(q):
    one = Bounds(4)
    two = one._replace(next_tokens=0)
    fia(q, q, q, pre_tokens=one[0], next_tokens=one.next_tokens)  # must-know: pre_tokens, next_tokens
    fia(q, q, q, **two._asdict())
    fia(q, q, q, **one._replace(pre_tokens=two.next_tokens)._asdict())


# run: forward(0)
