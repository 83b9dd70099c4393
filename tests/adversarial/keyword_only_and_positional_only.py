"""Positional-only parameters leave their name free for **kwargs."""
from torch_npu import npu_fused_infer_attention_score as fia


def run(q, pre_tokens, /, *, next_tokens=1, **kwargs):
    return fia(q, q, q, next_tokens=next_tokens, **kwargs)


def forward(q):
    run(q, 5, pre_tokens=6)
    run(q, 5, next_tokens=2)


# run: forward(0)
