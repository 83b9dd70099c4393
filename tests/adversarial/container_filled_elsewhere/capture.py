"""Fills the container; a third party adds a correction."""
import torch
import torch_npu
from state import graph, parameters


def capture(q, ahead):
    torch.npu.graph_task_group_begin(None)
    torch_npu.npu_fused_infer_attention_score.out(q, q, q, pre_tokens=4, next_tokens=ahead, workspace=None, out=[q, q])
    torch.npu.graph_task_group_end(None)
    parameters().attn_params[1].append([q, 4, ahead])


def correct():
    for item in graph.attn_params[1]:
        item[2] = 0
