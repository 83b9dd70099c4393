"""The else of a loop runs unless the loop was left by break."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    i = 0
    while i < 3:
        if i == n:
            ahead = i
            break
        i += 1
    else:
        ahead = 100
    fia(q, q, q, pre_tokens=i, next_tokens=ahead)


# run: forward(0, 1)
# run: forward(0, 7)
