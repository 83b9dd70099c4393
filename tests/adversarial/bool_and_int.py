"""True is 1: as a key, in a comparison, in a sum, through int()."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag, n):
    table = {1: 4, True: 5, 0: 6}
    same = 3 if n == True else 2
    identical = 3 if n is True else 2
    fia(q, q, q, pre_tokens=table[1] + flag, next_tokens=same, sparse_mode=identical)
    fia(q, q, q, pre_tokens=int(flag), next_tokens=bool(n) + 0, sparse_mode=-flag)


# run: forward(0, True, 1)
# run: forward(0, False, True)
# run: forward(0, True, 7)
