"""A cached property keeps its first value."""
from functools import cached_property

from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, n):
        self.n = n

    @cached_property
    def ahead(self):
        return self.n

    def forward(self, q):
        first = self.ahead
        self.n = first + 5
        fia(q, q, q, pre_tokens=self.n, next_tokens=self.ahead)


# run: Layer(3).forward(0)
