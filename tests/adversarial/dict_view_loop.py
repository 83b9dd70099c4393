"""A dict is changed in a loop over another one, by keys that are computed."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    source = {"pre": 1, "next": 2}
    kwargs = {}
    for name, n in source.items():
        kwargs[f"{name}_tokens"] = n * 10
    for name in list(kwargs):
        kwargs[name] += 1
    fia(q, q, q, **kwargs)


# run: forward(0)
