"""What stands behind `or` has its effect only if it is reached."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag):
    kwargs = {"next_tokens": 0}
    flag or kwargs.update(next_tokens=1)
    flag and kwargs.update(pre_tokens=3)
    fia(q, q, q, **kwargs)


# run: forward(0, True)
# run: forward(0, False)
