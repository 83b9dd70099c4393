"""The body of a generator runs when somebody asks for its items, not where it is made."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    seen = {"n": 1}

    def items():
        seen["n"] = 2
        yield seen["n"]

    made = items()
    first = seen["n"]
    value = next(made)
    fia(q, q, q, pre_tokens=first, next_tokens=value, sparse_mode=seen["n"])


# run: forward(0)
