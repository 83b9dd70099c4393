"""TYPE_CHECKING is false when the program runs, and a flag of another module may be anything."""
import sys
from typing import TYPE_CHECKING
from torch_npu import npu_fused_infer_attention_score as fia


def forward(q):
    if not TYPE_CHECKING:
        fia(q, q, q, pre_tokens=5)
    fia(q, q, q, pre_tokens=1 if TYPE_CHECKING else 2, next_tokens=1 if sys.flags.inspect else 2)


# run: forward(0)
