"""Locals of the same name in the caller and in the function that it calls."""
from torch_npu import npu_fused_infer_attention_score as fia


def pick(n, flag):
    ahead = n if flag else 0
    n = 50
    return ahead


def forward(q, n, flag):
    ahead = 3
    other = pick(ahead + 1, not flag)
    fia(q, q, q, pre_tokens=n, next_tokens=ahead, sparse_mode=other)  # must-know: next_tokens, sparse_mode


# run: forward(0, 9, True)
# run: forward(0, 9, False)
