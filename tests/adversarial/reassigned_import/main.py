"""An imported name is assigned again; an attribute of an imported module is replaced; a function of it, too."""
import limits
from limits import AHEAD, BEHIND, bound
from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = AHEAD + 10
limits.BEHIND = 70
limits.bound = lambda: 80


def forward(q):
    fia(q, q, q, pre_tokens=BEHIND, next_tokens=AHEAD, sparse_mode=limits.MODE)
    fia(q, q, q, pre_tokens=limits.BEHIND, next_tokens=limits.bound(), sparse_mode=bound())


# run: forward(0)
