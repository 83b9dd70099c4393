"""An instance attribute hides the class attribute; the class attribute is still there for the class."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    ahead = 1
    behind = 2

    def __init__(self, own):
        if own:
            self.ahead = 5

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead, sparse_mode=Layer.ahead)


# run: Layer(True).forward(0)
# run: Layer(False).forward(0)
