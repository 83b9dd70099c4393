"""A default argument keeps the value from when the function was defined."""
from torch_npu import npu_fused_infer_attention_score as fia

LIMIT = 4


def bound(n=LIMIT):
    return n


LIMIT = 8


def forward(q):
    fia(q, q, q, pre_tokens=bound(), next_tokens=LIMIT)


# run: forward(0)
