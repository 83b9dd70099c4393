"""A default argument that is a list grows from call to call."""
from torch_npu import npu_fused_infer_attention_score as fia


def history(n, seen=[]):
    seen.append(n)
    return seen


def forward(q):
    history(3)
    seen = history(5)
    fia(q, q, q, pre_tokens=seen[0], next_tokens=len(seen))


# run: forward(0)
