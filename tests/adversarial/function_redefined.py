"""A function is defined twice; the last one counts. So does the one of the branch that was taken."""
from torch_npu import npu_fused_infer_attention_score as fia

FAST = 0


def bound():
    return 1


def bound():
    return 2


if FAST:
    def other():
        return 3
else:
    def other():
        return 4


def forward(q):
    fia(q, q, q, pre_tokens=bound(), next_tokens=other())


# run: forward(0)
