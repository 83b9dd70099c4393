"""Numbers at the edge of unbounded, and sums that cross it."""
import sys

import torch
from torch_npu import npu_fused_infer_attention_score as fia

EDGE = 2**31 - 2


def forward(q, n):
    fia(q, q, q, pre_tokens=EDGE, next_tokens=EDGE + 1, sparse_mode=0)  # must-know: pre_tokens, next_tokens
    fia(q, q, q, pre_tokens=EDGE + 2 - 5, next_tokens=sys.maxsize - (2**62))  # must-know: pre_tokens, next_tokens
    fia(q, q, q, pre_tokens=torch.iinfo(torch.int32).max - n, next_tokens=min(n, EDGE))


# run: forward(0, 0)
# run: forward(0, 5)
# run: forward(0, 2147483647)
