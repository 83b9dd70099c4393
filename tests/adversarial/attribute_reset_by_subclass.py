"""The method that is called in between is overridden: in the subclass it changes the attribute."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self):
        self.ahead = 1

    def prepare(self):
        pass

    def forward(self, q):
        self.ahead = 0
        self.prepare()
        fia(q, q, q, next_tokens=self.ahead)


class Draft(Layer):
    def prepare(self):
        self.ahead = 2


# run: Layer().forward(0)
# run: Draft().forward(0)
