"""A field of a dataclass is set by its only builder, and changed afterwards by somebody else."""
from dataclasses import dataclass

from torch_npu import npu_fused_infer_attention_score as fia


@dataclass
class Metadata:
    ahead: int
    mask: object = None


def build():
    return Metadata(ahead=0)


def widen(metadata):
    metadata.ahead = 3


def forward(q, metadata: Metadata):
    fia(q, q, q, next_tokens=metadata.ahead, atten_mask=metadata.mask)


# run: forward(0, build())
# run: (lambda metadata: (widen(metadata), forward(0, metadata)))(build())
