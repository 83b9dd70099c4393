"""A field that is there and None is not a field that is missing: getattr and get do not tell them apart, `in` does."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, meta, table):
    ahead = getattr(meta, "ahead", 1)
    behind = table.get("behind", 2)
    mode = 3 if hasattr(meta, "ahead") else 4
    fia(q, q, q, pre_tokens=2 if behind is None else behind, next_tokens=0 if ahead is None else ahead, sparse_mode=mode)


# run: forward(0, ns(ahead=None), {"behind": None})
# run: forward(0, ns(), {})
# run: forward(0, ns(ahead=6), {"behind": 7})
