"""The container is emptied, sorted, and an item is taken from the front."""
import torch
import torch_npu

kept = []
OUT = torch_npu.npu_fused_infer_attention_score.out


def capture(q, n):
    torch.npu.graph_task_group_begin(None)
    OUT(q, q, q, pre_tokens=n, next_tokens=0, workspace=None, out=[q, q])
    torch.npu.graph_task_group_end(None)
    kept.append((n, 0))


def update(q):
    kept.sort()
    kept.insert(0, (77, 1))
    behind, ahead = kept.pop(0)
    torch.npu.graph_task_update_begin(None, None)
    OUT(q, q, q, pre_tokens=behind, next_tokens=ahead, workspace=None, out=[q, q])
    torch.npu.graph_task_update_end(None)


# run: (capture(0, 5), capture(0, 3), update(0))
