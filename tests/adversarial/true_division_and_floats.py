"""/ gives a float, int() cuts towards zero, round() goes to even."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, n):
    fia(q, q, q, pre_tokens=int(-7 / 2), next_tokens=round(2.5), sparse_mode=int(3.99))
    fia(q, q, q, pre_tokens=int(n / 2), next_tokens=int(n * 0.5))


# run: forward(0, 5)
# run: forward(0, -5)
