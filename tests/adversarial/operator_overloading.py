"""What + and < mean is up to the class; so is truth, and what int() gives."""
from torch_npu import npu_fused_infer_attention_score as fia


class Tokens:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return self.n * other

    def __bool__(self):
        return False

    def __index__(self):
        return 3

    def __eq__(self, other):
        return True


def forward(q):
    tokens = Tokens(5)
    fia(q, q, q, pre_tokens=tokens + 2, next_tokens=(tokens or 8), sparse_mode=int(tokens))
    fia(q, q, q, pre_tokens=1 if tokens == 99 else 2)


# run: forward(0)
