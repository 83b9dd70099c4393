"""The container."""
from collections import defaultdict
from types import SimpleNamespace

graph = SimpleNamespace(attn_params=defaultdict(list))


def parameters():
    return graph
