"""Only __init__ assigns the attribute in its class, but another function of the tree assigns it on an instance."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self):
        self.ahead = 0

    def forward(self, q):
        fia(q, q, q, pre_tokens=4, next_tokens=self.ahead)


def tune(layer):
    layer.ahead = 1


def main(q):
    layer = Layer()
    tune(layer)
    layer.forward(q)


# run: main(0)
