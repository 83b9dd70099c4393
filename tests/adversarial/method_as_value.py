"""A bound method is taken from one object and called later; a method is taken from the class and given another self."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, n):
        self.n = n

    def ahead(self):
        return self.n


def forward(q):
    layer = Layer(3)
    bound = layer.ahead
    layer.n = 4
    unbound = Layer.ahead
    fia(q, q, q, pre_tokens=bound(), next_tokens=unbound(Layer(5)))


# run: forward(0)
