"""A generator expression takes its first iterable at once and everything else late."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    step, items = 1, [1, 2]
    moved = (n + step for n in items)
    step = 10
    items = [100]
    fia(q, q, q, pre_tokens=max(moved))


# run: forward(0)
