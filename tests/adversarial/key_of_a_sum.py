"""A key is deleted whose value is known in one way only."""
from torch_npu import npu_fused_infer_attention_score as fia


def total(n):
    return n and n + total(n - 1)


def forward(q, n, summed):
    kwargs = {"pre_tokens": total(n) if summed else 4}
    if "pre_tokens" in kwargs:
        del kwargs["pre_tokens"]
    fia(q, q, q, **kwargs)


# run: forward(0, 3, True)
# run: forward(0, 3, False)
