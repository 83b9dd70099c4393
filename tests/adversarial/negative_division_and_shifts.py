"""Floor division rounds down, modulo takes the sign of the divisor, shifts keep it, ** binds tighter than minus."""
from torch_npu import npu_fused_infer_attention_score as fia

HALF = -7 // 2
REST = -7 % 3
SHIFTED = -7 >> 1
POWER = -2**2


def forward(q, n):
    fia(q, q, q, pre_tokens=HALF, next_tokens=REST, sparse_mode=SHIFTED)  # must-know: pre_tokens, next_tokens, sparse_mode
    fia(q, q, q, pre_tokens=POWER, next_tokens=7 // -2, sparse_mode=7 % -3)  # must-know: pre_tokens, next_tokens, sparse_mode
    fia(q, q, q, pre_tokens=-n // 2, next_tokens=-(n // 2), sparse_mode=~n)


# run: forward(0, 5)
# run: forward(0, -5)
