"""continue, break and return pass through finally, in loops inside loops."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    n = 0
    for i in range(3):
        for j in range(3):
            try:
                if j == 1:
                    continue
                if j == 2 and i == 1:
                    break
            finally:
                n += 1
        if i == 1:
            break
    fia(q, q, q, pre_tokens=n)


# run: forward(0)
