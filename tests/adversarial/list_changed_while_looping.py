"""A list grows while a loop goes over it."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    items = [1, 2]
    total = 0
    for item in items:
        total += item
        if len(items) < 4:
            items.append(10)
    fia(q, q, q, pre_tokens=total)


# run: forward(0)
