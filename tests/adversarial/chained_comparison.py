"""a < b < c is two tests, and so is a == b is not c; None < x never happens behind the guard."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n, window=None):
    ahead = 1 if 0 < n < 4 else 2
    behind = 1 if n == 3 != None else 2
    mode = 3 if not 1 <= n <= 3 else 4
    fia(q, q, q, pre_tokens=behind, next_tokens=ahead, sparse_mode=mode)  # must-know: next_tokens, sparse_mode


# run: forward(0, 0)
# run: forward(0, 3)
# run: forward(0, 4)
