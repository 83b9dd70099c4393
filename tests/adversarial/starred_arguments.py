"""Starred arguments in front of, between and behind others; more than one star."""
from torch_npu import npu_fused_infer_attention_score as fia


def run(q, behind, ahead=9, mode=3):
    return fia(q, q, q, pre_tokens=behind, next_tokens=ahead, sparse_mode=mode)


def forward(q, rest):
    pair = (1, 2)
    run(q, *pair)  # must-know: pre_tokens, next_tokens, sparse_mode
    run(*(q, 3), *[4, 1])  # must-know: pre_tokens, next_tokens, sparse_mode
    run(q, *pair[1:], 8)
    run(q, *rest)
    run(q, 5, *rest)


# run: forward(0, (6, 7))
# run: forward(0, (6,))
