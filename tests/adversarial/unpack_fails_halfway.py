"""Unpacking too many items: the names on the left are not assigned at all; a failing target leaves earlier ones assigned."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, items):
    a, b, holder = 1, 2, None
    try:
        a, b = items
    except ValueError:
        pass
    fia(q, q, q, pre_tokens=a, next_tokens=b)
    try:
        a, holder.x, b = 7, 8, 9
    except AttributeError:
        pass
    fia(q, q, q, pre_tokens=a, next_tokens=b)


# run: forward(0, (5, 6))
# run: forward(0, (5, 6, 7))
