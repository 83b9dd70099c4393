"""A name that is assigned anywhere in the function is local everywhere in it."""
from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = 1


def forward(q, flag):
    try:
        n = AHEAD
    except UnboundLocalError:
        n = 5
    if flag:
        AHEAD = 2
        n = AHEAD
    fia(q, q, q, next_tokens=n)


# run: forward(0, True)
# run: forward(0, False)
