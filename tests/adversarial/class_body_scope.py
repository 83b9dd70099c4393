"""Names of a class body are not visible in its methods; a method of that name shadows nothing."""
from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = 1


class Layer:
    AHEAD = 2
    DOUBLE = AHEAD * 2
    TABLE = [AHEAD for _ in range(1)]

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.DOUBLE, next_tokens=AHEAD, sparse_mode=self.TABLE[0])


# run: Layer().forward(0)
