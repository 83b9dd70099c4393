"""popitem, fromkeys, get with a default that is there, update from pairs, keys that are no strings."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    kwargs = dict.fromkeys(("pre_tokens", "next_tokens"), 4)
    kwargs.update([("next_tokens", kwargs.get("pre_tokens", 9) + kwargs.get("gone", 1))])
    fia(q, q, q, **kwargs)
    kwargs.popitem()
    fia(q, q, q, **kwargs)
    kwargs = {k: v for k, v in (("pre_tokens", 1), ("next_tokens", None), ("sparse_mode", 3)) if v is not None}
    fia(q, q, q, **kwargs)


# run: forward(0)
