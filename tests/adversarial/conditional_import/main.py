"""Which module a name comes from is decided when the program runs."""
import os

from torch_npu import npu_fused_infer_attention_score as fia

if os.environ.get("NO_SUCH_VARIABLE_HERE"):
    from fast import AHEAD
else:
    from slow import AHEAD

try:
    from missing_module import BEHIND
except ImportError:
    BEHIND = 8


def forward(q):
    fia(q, q, q, pre_tokens=BEHIND, next_tokens=AHEAD)


# run: forward(0)
