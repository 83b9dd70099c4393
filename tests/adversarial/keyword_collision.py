"""A parameter of a wrapper bears the name of one mask argument and is passed on as another."""
from torch_npu import npu_fused_infer_attention_score as fia


def swapped(q, next_tokens, pre_tokens):
    return fia(q, q, q, pre_tokens=next_tokens, next_tokens=pre_tokens)


def swallowed(q, pre_tokens=9, **kwargs):
    return fia(q, q, q, **kwargs)


def forward(q):
    swapped(q, pre_tokens=1, next_tokens=2)  # must-know: pre_tokens, next_tokens
    swallowed(q, pre_tokens=3, next_tokens=4)


# run: forward(0)
