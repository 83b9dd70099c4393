"""A method that is called in between resets the attribute."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, ahead):
        self.ahead = ahead

    def _reset(self):
        self._deeper()

    def _deeper(self):
        self.ahead = 0

    def forward(self, q):
        self.ahead = 3
        fia(q, q, q, pre_tokens=self.ahead)
        self._reset()
        fia(q, q, q, pre_tokens=self.ahead)


# run: Layer(9).forward(0)
