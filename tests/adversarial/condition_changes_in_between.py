"""The same test twice, with an assignment to what it tests in between."""
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q, meta):
    ahead = 1 if meta.causal else 2
    meta.causal = not meta.causal
    behind = 1 if meta.causal else 2
    fia(q, q, q, pre_tokens=behind, next_tokens=ahead)


# run: forward(0, ns(causal=True))
# run: forward(0, ns(causal=False))
