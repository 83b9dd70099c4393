"""A class of metadata, and a function that makes it, are imported under other names."""
from dataclasses import dataclass
from torch_npu import npu_fused_infer_attention_score as fia
import other


@dataclass
class Meta:
    bound: int


def make(bound):
    return Meta(bound)


def build():
    return make(3)


def forward(q, meta: Meta):
    fia(q, q, q, pre_tokens=meta.bound)


# run: forward(0, build())
# run: forward(0, other.again())
# run: forward(0, other.by_function())
