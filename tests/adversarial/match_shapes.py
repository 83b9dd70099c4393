"""Sequence, mapping and class patterns; a str is no sequence; __match_args__ decides positions."""
from torch_npu import npu_fused_infer_attention_score as fia


class Pair:
    __match_args__ = ("ahead", "behind")

    def __init__(self, behind, ahead):
        self.behind = behind
        self.ahead = ahead


def forward(q, item):
    match item:
        case [a, b]:
            pass
        case {"a": a, **rest}:
            b = len(rest)
        case Pair(a, b):
            pass
        case _:
            a, b = 90, 91
    fia(q, q, q, pre_tokens=a, next_tokens=b)


# run: forward(0, (1, 2))
# run: forward(0, {"a": 3, "b": 4, "c": 5})
# run: forward(0, Pair(6, 7))
# run: forward(0, "xy")
