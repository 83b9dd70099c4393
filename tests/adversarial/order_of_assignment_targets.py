"""Targets are assigned from left to right: the index on the left may use what was just assigned."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    items = [10, 20, 30]
    i = 0
    i, items[i] = 2, 99
    fia(q, q, q, pre_tokens=items[0], next_tokens=items[2])


# run: forward(0)
