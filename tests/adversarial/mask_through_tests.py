"""A mask that is tested, replaced, and tested again; `or` and `and` on masks."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, mask, other):
    chosen = mask if mask is not None else other
    if other is None:
        chosen = None
    fia(q, q, q, atten_mask=chosen)
    fia(q, q, q, atten_mask=mask and mask.contiguous(), sparse_mode=3 if mask is not None else 0)
    fia(q, q, q, atten_mask=mask or other)


# run: forward(0, T("m"), T("o"))
# run: forward(0, None, T("o"))
# run: forward(0, T("m"), None)
# run: forward(0, None, None)
