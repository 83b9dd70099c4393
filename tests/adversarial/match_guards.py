"""Patterns with guards, alternatives, captures that stay bound after a guard failed."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n, flag):
    found = 0
    match n:
        case int(found) if flag:
            ahead = 1
        case 2 | 3:
            ahead = 2
        case None:
            ahead = 3
        case _:
            ahead = 4
    fia(q, q, q, pre_tokens=found, next_tokens=ahead)


# run: forward(0, 2, True)
# run: forward(0, 3, False)
# run: forward(0, None, True)
# run: forward(0, 9, False)
