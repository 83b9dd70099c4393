"""A class attribute is rebound on the class after the class body."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    ahead = 1

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead)


def configure():
    Layer.ahead = 0


# run: Layer().forward(0)
# run: (configure(), Layer().forward(0))
