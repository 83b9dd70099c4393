"""A namespace is an object: aliases see changes, vars() is its dict, a new attribute appears later."""
from types import SimpleNamespace

from torch_npu import npu_fused_infer_attention_score as fia


def loosen(options):
    options.ahead += 1


def forward(q):
    options = SimpleNamespace(behind=4, ahead=0)
    other = options
    other.behind = 5
    loosen(options)
    vars(options)["mode"] = 4
    fia(q, q, q, pre_tokens=options.behind, next_tokens=options.ahead, sparse_mode=options.mode)


# run: forward(0)
