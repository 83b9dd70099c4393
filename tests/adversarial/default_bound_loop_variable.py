"""A default of a lambda is evaluated where the lambda is made."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    bounds = [lambda n=n: n for n in (1, 2, 3)]
    fia(q, q, q, pre_tokens=bounds[0](), next_tokens=bounds[1]())


# run: forward(0)
