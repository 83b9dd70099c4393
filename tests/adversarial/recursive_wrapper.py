"""A wrapper that calls itself with other arguments."""
from torch_npu import npu_fused_infer_attention_score as fia


def run(q, behind, again=True):
    if again:
        return run(q, behind - 1, False)
    return fia(q, q, q, pre_tokens=behind)


def forward(q):
    run(q, 5)


# run: forward(0)
