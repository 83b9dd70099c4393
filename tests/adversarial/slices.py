"""Slices of tuples with steps and negative ends; an assignment to a slice; a slice is a copy."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    items = (1, 2, 3, 4, 5)
    a, b = items[::-2][:2]
    last, *_ = items[-2:]
    changed = list(items)
    copy = changed[:]
    changed[1:3] = [20]
    copy[0] = 30
    fia(q, q, q, pre_tokens=a, next_tokens=b, sparse_mode=last)
    fia(q, q, q, pre_tokens=changed[1], next_tokens=changed[2], sparse_mode=changed[0])


# run: forward(0)
