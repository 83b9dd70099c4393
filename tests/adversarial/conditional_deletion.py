"""A key is deleted, or a name, on one path only."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, causal, flag):
    kwargs = {"pre_tokens": 4, "next_tokens": 0}
    ahead = 3
    if causal:
        kwargs.pop("next_tokens")
    elif flag:
        del kwargs["pre_tokens"]
        kwargs.setdefault("pre_tokens", 9)
        kwargs.setdefault("next_tokens", 8)
    fia(q, q, q, **kwargs)  # must-know: pre_tokens, next_tokens
    kwargs.clear()
    fia(q, q, q, **kwargs)


# run: forward(0, True, True)
# run: forward(0, False, True)
# run: forward(0, False, False)
