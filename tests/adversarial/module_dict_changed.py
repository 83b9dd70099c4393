"""A table of the module is filled by another function."""
from torch_npu import npu_fused_infer_attention_score as fia

TABLE = {"ahead": 0}
ALSO = TABLE


def register(name, n):
    ALSO[name] = n


def forward(q):
    register("ahead", 6)
    fia(q, q, q, next_tokens=TABLE["ahead"])


# run: forward(0)
