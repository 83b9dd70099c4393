"""Builtins that are not followed: sorted, sum, reversed, map, filter, zip with unequal lengths, any."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    items = sorted([3, 1, 2], reverse=True)
    last = 0
    for a, b in zip((1, 2, 3), (4, 5)):
        last = a * b
    first = next(reversed((6, 7)))
    fia(q, q, q, pre_tokens=items[0], next_tokens=sum(items), sparse_mode=last)
    fia(q, q, q, pre_tokens=first, next_tokens=list(map(lambda n: n + 1, items))[1], sparse_mode=max(filter(None, (0, 2))))


# run: forward(0)
