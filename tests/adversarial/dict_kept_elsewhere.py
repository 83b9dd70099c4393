"""A dict is stored in an object; a method of that object changes it before the call."""
import torch_npu


class Options:
    def __init__(self):
        self.held = None

    def keep(self, held):
        self.held = held

    def close(self):
        self.held["next_tokens"] = 5


def forward(q):
    kwargs = {"pre_tokens": 4, "next_tokens": 0}
    options = Options()
    options.keep(kwargs)
    options.close()
    torch_npu.npu_fused_infer_attention_score(q, q, q, **kwargs)


# run: forward(0)
