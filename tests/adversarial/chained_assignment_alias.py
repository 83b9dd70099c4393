"""a = b = [] is one list; a = b = 0 is two names; a, b = b, a evaluates the right side first."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    one = two = []
    one.append(3)
    two += [4]
    i = items = [0, 0]
    i[0] = 9
    a = b = 0
    a += 1
    a, b = b, a
    fia(q, q, q, pre_tokens=len(one), next_tokens=items[0], sparse_mode=b)


# run: forward(0)
