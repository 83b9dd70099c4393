"""An annotation is no proof: a subclass comes in, or something else altogether."""
from torch_npu import npu_fused_infer_attention_score as fia


class Options:
    ahead = 1

    def bound(self):
        return 2


class Loose(Options):
    ahead = 5

    def bound(self):
        return 6


def forward(q, options: Options):
    fia(q, q, q, pre_tokens=options.bound(), next_tokens=options.ahead)


# run: forward(0, Options())
# run: forward(0, Loose())
