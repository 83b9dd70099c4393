"""Two names for one dict: what one does, the other sees."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, meta):
    kwargs = {"pre_tokens": meta.n, "next_tokens": 0, "sparse_mode": 4}
    shared = kwargs
    shared["next_tokens"] = 1
    fia(q, q, q, **kwargs)  # must-know: pre_tokens, next_tokens, sparse_mode
    copy = dict(kwargs)
    copy["next_tokens"] = 2
    fia(q, q, q, **kwargs)  # must-know: next_tokens


# run: forward(0, ns(n=4))
