"""A function that calls itself, and two that call each other."""
from torch_npu import npu_fused_infer_attention_score as fia


def total(n):
    return 0 if n == 0 else n + total(n - 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def forward(q):
    fia(q, q, q, pre_tokens=total(4), next_tokens=1 if even(3) else 2)


# run: forward(0)
