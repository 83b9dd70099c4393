"""Two objects have an attribute of the same name, and not the same value."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, ahead):
        self.ahead = ahead


def forward(q):
    one, two = Layer(1), Layer(2)
    two.ahead += 5
    fia(q, q, q, pre_tokens=one.ahead, next_tokens=two.ahead)


# run: forward(0)
