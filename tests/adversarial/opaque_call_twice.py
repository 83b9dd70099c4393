"""The same call twice need not give the same value."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, source):
    ahead = 1 if source.pop() else 2
    behind = 2 if source.pop() else 1
    fia(q, q, q, pre_tokens=ahead + behind, next_tokens=source.pop() - source.pop())


# run: forward(0, [1, 2, True, False])
# run: forward(0, [4, 3, False, True])
