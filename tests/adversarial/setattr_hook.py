"""__setattr__ stores something else."""
from torch_npu import npu_fused_infer_attention_score as fia


class Clamped:
    def __init__(self, n):
        self.ahead = n
        self.behind = 10

    def __setattr__(self, name, value):
        object.__setattr__(self, name, min(value, 4))

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead)


# run: Clamped(9).forward(0)
