"""A star in the middle, an empty star, nested stars."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    first, *middle, last = (1, 2, 3, 4)
    only, *nothing = [7]
    (a, *b), c = (5, 6, 8), 9
    fia(q, q, q, pre_tokens=first, next_tokens=last, sparse_mode=middle[1])  # must-know: pre_tokens, next_tokens, sparse_mode
    fia(q, q, q, pre_tokens=len(nothing), next_tokens=b[-1], sparse_mode=c)


# run: forward(0)
