"""Two classes keep tuples of the same length with other slots in one container."""
from types import SimpleNamespace

import torch
import torch_npu

params = SimpleNamespace(kept=[])
OUT = torch_npu.npu_fused_infer_attention_score.out


class Plain:
    def capture(self, q):
        torch.npu.graph_task_group_begin(None)
        OUT(q, q, q, pre_tokens=4, next_tokens=0, workspace=None, out=[q, q])
        torch.npu.graph_task_group_end(None)
        params.kept.append((q, 4, 0))


class Latent:
    def capture(self, q):
        torch.npu.graph_task_group_begin(None)
        OUT(q, q, q, pre_tokens=8, next_tokens=1, workspace=None, out=[q, q])
        torch.npu.graph_task_group_end(None)
        params.kept.append((1, q, 8))


def update(q):
    for item in params.kept:
        a, b, c = item
        torch.npu.graph_task_update_begin(None, None)
        OUT(q, q, q, pre_tokens=b, next_tokens=c, workspace=None, out=[q, q])
        torch.npu.graph_task_update_end(None)


# run: (Plain().capture(0), update(0))
# run: (Latent().capture(0), update(0))
