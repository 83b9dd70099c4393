"""A parameter is assigned again; the condition was about its old value."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n, window_flag):
    small = n < 4
    n = n + 10
    if small:
        fia(q, q, q, pre_tokens=n, next_tokens=1 if n < 4 else 2)
    else:
        n = None
        fia(q, q, q, pre_tokens=3 if n is None else 4)  # must-know: pre_tokens


# run: forward(0, 1, None)
# run: forward(0, 8, None)
