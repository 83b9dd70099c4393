"""The last star import wins, but only for what it exports."""
BEHIND = 7
from limits import *
from more import *
from torch_npu import npu_fused_infer_attention_score as fia

_HIDDEN = 3


def forward(q):
    fia(q, q, q, pre_tokens=BEHIND, next_tokens=AHEAD, sparse_mode=_HIDDEN)


# run: forward(0)
