"""The same key twice in one display, and a key that is computed."""
from torch_npu import npu_fused_infer_attention_score as fia

KEY = "next_tokens"


def forward(q):
    kwargs = {"next_tokens": 1, "pre_tokens": 2, KEY: 3, "pre" + "_tokens": 4}
    fia(q, q, q, **kwargs)


# run: forward(0)
