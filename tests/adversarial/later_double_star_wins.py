"""In a display the later entry wins; in a call the same name twice is an error."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, flag):
    base = {"pre_tokens": 1, "next_tokens": 1}
    late = {**base, "next_tokens": 2}
    early = {"next_tokens": 2, **base}
    fia(q, q, q, **late)  # must-know: pre_tokens, next_tokens
    fia(q, q, q, **early)  # must-know: pre_tokens, next_tokens
    fia(q, q, q, **(base | {"pre_tokens": 3} if flag else {"pre_tokens": 4} | base))
    try:
        fia(q, q, q, next_tokens=5, **base)
    except TypeError:
        fia(q, q, q, next_tokens=6)  # must-know: next_tokens


# run: forward(0, True)
# run: forward(0, False)
