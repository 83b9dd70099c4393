"""Numbers out of strings, lookups by formatted strings, comparison of strings."""
from torch_npu import npu_fused_infer_attention_score as fia

LIMITS = {"a_1": 5, "b_1": 6}


def forward(q, layout):
    ahead = LIMITS[f"{layout}_{1}"]
    mode = 3 if layout.upper() == "A" else 4
    fia(q, q, q, pre_tokens=int("12"), next_tokens=ahead, sparse_mode=mode)


# run: forward(0, "a")
# run: forward(0, "b")
