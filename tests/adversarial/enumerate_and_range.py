"""enumerate with a start, range with a step, a dict in the order of insertion."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    behind = ahead = mode = 0
    for i, n in enumerate((10, 20, 30), start=5):
        if i == 6:
            behind = n
    for i, n in enumerate((10, 20, 30), 1):
        if i == 1:
            ahead = n
    for n in range(8, 0, -3):
        mode = n
    table = {"b": 1, "a": 2}
    table["b"] = 3
    fia(q, q, q, pre_tokens=behind, next_tokens=ahead, sparse_mode=mode)
    fia(q, q, q, pre_tokens=list(table.values())[0], next_tokens=[*table].index("a"))


# run: forward(0)
