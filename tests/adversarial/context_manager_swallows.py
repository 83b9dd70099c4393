"""A with that swallows the exception: what follows runs, what came after the raise did not."""
import contextlib

from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag):
    ahead = 1
    with contextlib.suppress(ValueError):
        if flag:
            raise ValueError
        ahead = 0
    fia(q, q, q, next_tokens=ahead)


# run: forward(0, True)
# run: forward(0, False)
