"""A keyword of a call overrides that of the partial; a partial of a partial; positional arguments come first."""
from functools import partial

import torch_npu

base = partial(torch_npu.npu_fused_infer_attention_score, pre_tokens=4, next_tokens=1)
causal = partial(base, next_tokens=0)


def run(q, behind, ahead):
    torch_npu.npu_fused_infer_attention_score(q, q, q, pre_tokens=behind, next_tokens=ahead)


def forward(q):
    base(q, q, q)  # must-know: pre_tokens, next_tokens
    base(q, q, q, pre_tokens=5)  # must-know: pre_tokens, next_tokens
    causal(q, q, q, sparse_mode=4)  # must-know: pre_tokens, next_tokens, sparse_mode
    bound = partial(run, q, 6)
    bound(7)


# run: forward(0)
