"""A nested function changes a variable of the one around it, each time it is called."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    fia(q, q, q, pre_tokens=step() + step(), next_tokens=count, sparse_mode=step())


# run: forward(0)
