"""Names that no assignment shows: exec, globals(), vars(module)."""
import sys

from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = 1
BEHIND = 1
MODE = 1
exec("AHEAD = 2")
globals()["BEHIND"] = 3
sys.modules[__name__].MODE = 4


def forward(q):
    fia(q, q, q, pre_tokens=BEHIND, next_tokens=AHEAD, sparse_mode=MODE)


# run: forward(0)
