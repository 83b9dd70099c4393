"""A function changes a global between its definition and the call."""
from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = 0


def loosen():
    global AHEAD
    AHEAD = 1


def forward(q):
    loosen()
    fia(q, q, q, pre_tokens=4, next_tokens=AHEAD)


# run: forward(0)
