"""A dict that is none: its class answers with something else."""
from collections import ChainMap, defaultdict

from torch_npu import npu_fused_infer_attention_score as fia


class Options(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) + 1


def forward(q):
    options = Options(pre_tokens=4)
    table = defaultdict(lambda: 6)
    chain = ChainMap({"next_tokens": 2}, {"next_tokens": 3, "sparse_mode": 4})
    fia(q, q, q, pre_tokens=options["pre_tokens"], next_tokens=table["x"])
    fia(q, q, q, **chain)


# run: forward(0)
