"""Arguments are evaluated from left to right, and a walrus in one is seen in the next."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    n = 1
    fia(q, q, q, pre_tokens=n, next_tokens=(n := 5), sparse_mode=n)


# run: forward(0)
