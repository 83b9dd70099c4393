"""A dict that sits in a list twice."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    row = {"pre_tokens": 4, "next_tokens": 0}
    rows = [row] * 2
    rows[0]["next_tokens"] = 1
    fia(q, q, q, **rows[1])


# run: forward(0)
