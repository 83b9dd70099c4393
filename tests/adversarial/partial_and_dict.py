"""What a partial object keeps gives way to the call, also where the call hands its keywords over in a dict."""
from functools import partial

from torch_npu import npu_fused_infer_attention_score as fia


def options(meta):
    return {"next_tokens": meta.n} if meta.flag else {}


def forward(q, meta, more):
    band = partial(fia, q, sparse_mode=4, pre_tokens=8, next_tokens=0)
    band(q, q, **{"pre_tokens": 6})  # must-know: pre_tokens, next_tokens, sparse_mode
    band(q, q, **options(meta))  # must-know: pre_tokens, next_tokens
    band(q, q, **more)
    kept = partial(fia, **{"sparse_mode": 4, "pre_tokens": 3})
    kept(q, q, q, pre_tokens=5, next_tokens=1)  # must-know: pre_tokens, next_tokens, sparse_mode
    kept(q, q, q, **{"pre_tokens": 7})  # must-know: pre_tokens, sparse_mode


# run: forward(0, ns(n=4, flag=True), {})
# run: forward(0, ns(n=4, flag=False), {"pre_tokens": 2})
