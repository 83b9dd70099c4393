"""A walrus in a comprehension binds in the function; one behind `and` may not run."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag):
    last, taken = 0, 5
    [last := n for n in (1, 2, 3)]
    if flag and (taken := 8):
        pass
    fia(q, q, q, pre_tokens=last, next_tokens=taken)


# run: forward(0, True)
# run: forward(0, False)
