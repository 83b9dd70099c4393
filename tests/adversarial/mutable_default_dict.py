"""A default argument that is a dict remembers what an earlier call put there."""
from torch_npu import npu_fused_infer_attention_score as fia


def run(q, first, options={}):
    if first:
        options["next_tokens"] = 1
    fia(q, q, q, pre_tokens=4, **options)


def forward(q):
    run(q, True)
    run(q, False)


# run: forward(0)
