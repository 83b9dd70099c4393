"""A return in finally replaces the return in try; an assignment there comes too late for a returned value."""
from torch_npu import npu_fused_infer_attention_score as fia


def overridden():
    try:
        return 1
    finally:
        return 2


def late():
    n = 3
    try:
        return n
    finally:
        n = 4


def forward(q):
    fia(q, q, q, pre_tokens=overridden(), next_tokens=late())


# run: forward(0)
