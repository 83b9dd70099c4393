"""min is max here, len is a constant, int doubles."""
from torch_npu import npu_fused_infer_attention_score as fia

min = max


def len(items):
    return 99


def forward(q, int=lambda n: 2 * n):
    fia(q, q, q, pre_tokens=min(4, 8), next_tokens=len((1, 2)), sparse_mode=int(1))


# run: forward(0)
