"""Divisions and numbers with a point."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    fia(q, q, q, pre_tokens=1 if n / 2 > 3 else 2, next_tokens=1 if 8 / 2 == 4 else 2)
    fia(q, q, q, pre_tokens=int(-2.7), next_tokens=1 if 1 == 1.0 else 2, sparse_mode=3 if 0 < n * 0.5 < 1 else 4)
    fia(q, q, q, pre_tokens={1: 5}.get(1.0, 6), next_tokens=1 if 1 in {1.0: 2} else 2)
    if 0 == 0.0:
        fia(q, q, q, pre_tokens=7)


# run: forward(0, 7)
# run: forward(0, 1)
# run: forward(0, 6)
