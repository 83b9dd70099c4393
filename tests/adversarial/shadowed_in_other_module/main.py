"""A star import brings a function that has the name of a builtin."""
from helpers import *
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    fia(q, q, q, pre_tokens=min(4, 8))


# run: forward(0)
