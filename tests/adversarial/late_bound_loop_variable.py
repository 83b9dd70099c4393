"""Closures made in a loop all see the last value of the loop variable."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    bounds = []
    for n in (1, 2, 3):
        bounds.append(lambda: n)
    fia(q, q, q, pre_tokens=bounds[0](), next_tokens=bounds[1]())


# run: forward(0)
