"""A deleted local is gone, a deleted key is the default, a deleted attribute shows the class's again."""
from torch_npu import npu_fused_infer_attention_score as fia

MODE = 2


class Layer:
    ahead = 1

    def __init__(self):
        self.ahead = 5

    def forward(self, q, flag):
        kwargs = {"pre_tokens": 4, "sparse_mode": 4}
        if flag:
            del kwargs["sparse_mode"]
            del self.ahead
        fia(q, q, q, next_tokens=self.ahead, **kwargs)


# run: Layer().forward(0, True)
# run: Layer().forward(0, False)
