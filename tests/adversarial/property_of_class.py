"""What looks like an attribute is computed, and a setter does something else than store."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, n):
        self._n = n

    @property
    def ahead(self):
        return self._n + 1

    @ahead.setter
    def ahead(self, n):
        self._n = 2 * n

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead)
        self.ahead = 10
        fia(q, q, q, next_tokens=self.ahead)


# run: Layer(3).forward(0)
