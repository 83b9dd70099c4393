"""A dict is handed to a function of the tree, and to one outside of it."""
import torch_npu
from torch_npu import npu_fused_infer_attention_score as fia


def harden(options):
    options["next_tokens"] = 0
    options.pop("sparse_mode")


def forward(q):
    kwargs = dict(pre_tokens=8, next_tokens=1, sparse_mode=3)
    harden(kwargs)
    fia(q, q, q, **kwargs)  # must-know: pre_tokens, next_tokens, sparse_mode
    kwargs = dict(pre_tokens=8, next_tokens=1, sparse_mode=3)
    torch_npu.npu.adjust(kwargs)
    fia(q, q, q, **kwargs)


# run: forward(0)
