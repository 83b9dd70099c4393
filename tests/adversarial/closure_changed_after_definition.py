"""A nested function reads its variable when it is called, not where it is defined."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag):
    ahead = 0

    def bound():
        return ahead

    if flag:
        ahead = 7
    first = bound()
    ahead = 9
    fia(q, q, q, pre_tokens=first, next_tokens=bound())  # must-know: pre_tokens, next_tokens


# run: forward(0, True)
# run: forward(0, False)
