"""Lambdas with defaults, nested lambdas, a lambda that is called at once."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    add = lambda a, b=n: a + b
    n = 100
    twice = lambda f: lambda x: f(f(x))
    fia(q, q, q, pre_tokens=add(1), next_tokens=(lambda x, *y: x + len(y))(2, 3, 4), sparse_mode=twice(lambda x: x * 2)(1))


# run: forward(0, 5)
