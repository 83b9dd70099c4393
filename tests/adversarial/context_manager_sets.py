"""Entering and leaving a context sets attributes; `as` is what __enter__ returns."""
from torch_npu import npu_fused_infer_attention_score as fia


class Scope:
    def __init__(self, layer):
        self.layer = layer

    def __enter__(self):
        self.layer.ahead = 5
        return 7

    def __exit__(self, *error):
        self.layer.ahead = 9


class Layer:
    def __init__(self):
        self.ahead = 1

    def forward(self, q):
        with Scope(self) as behind:
            fia(q, q, q, pre_tokens=behind, next_tokens=self.ahead)
        fia(q, q, q, pre_tokens=behind, next_tokens=self.ahead)


# run: Layer().forward(0)
