"""A loop variable keeps its last value, also when the loop is left; an empty loop leaves it alone."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, limit, items):
    n = 50
    for n in (1, 2, 3, 4):
        if n >= limit:
            break
    kept = 60
    for kept in items:
        pass
    for gone in ():
        n = gone
    fia(q, q, q, pre_tokens=n, next_tokens=kept)


# run: forward(0, 2, [8, 9])
# run: forward(0, 9, [])
