"""A class whose __new__ gives the same object again."""
from torch_npu import npu_fused_infer_attention_score as fia


class Config:
    _only = None

    def __new__(cls, *args):
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __init__(self, bound):
        self.bound = bound


def forward(q):
    config = Config(3)
    Config(5)
    fia(q, q, q, pre_tokens=config.bound)


# run: forward(0)
