"""A function outside of the class gives one of its objects other values."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    kind = 4

    def __init__(self):
        self.bound = 3
        self.kept = 5

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.bound, next_tokens=self.kept)
        fia(q, q, q, pre_tokens=self.kind)


def tune(layer):
    layer.bound = 12
    layer.kind = 2


def tuned():
    layer = Layer()
    tune(layer)
    return layer


# run: Layer().forward(0)
# run: tuned().forward(0)
