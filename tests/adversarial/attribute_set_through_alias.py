"""Another name for the object sets the attribute; so does setattr, and __dict__."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self):
        self.ahead = 1
        self.behind = 2
        self.mode = 3

    def forward(self, q):
        me = self
        me.ahead = 10
        setattr(self, "behind", 20)
        self.__dict__["mode"] = 4
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead, sparse_mode=self.mode)


# run: Layer().forward(0)
