"""An exception in the middle of a try: what came before it has happened, what comes after has not."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    behind, ahead = 1, 1
    try:
        behind = 2
        ahead = 8 // n
        behind = 3
    except ZeroDivisionError:
        ahead = 0
    fia(q, q, q, pre_tokens=behind, next_tokens=ahead)


# run: forward(0, 0)
# run: forward(0, 2)
