"""+= on a list changes it for every alias, on a tuple it makes a new one; on an item it evaluates the container once."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    items = other = [1]
    items += [2]
    fixed = kept = (1,)
    fixed += (2, 3)
    table = {"n": 1}
    table["n"] += 5
    table["n"] <<= 1
    fia(q, q, q, pre_tokens=len(other), next_tokens=len(kept), sparse_mode=table["n"])


# run: forward(0)
