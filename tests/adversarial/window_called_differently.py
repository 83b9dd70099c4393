"""The window under three names, one of which is something else by one."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, sliding_window):
        self.window_size = sliding_window
        self.reach = sliding_window - 1

    def forward(self, q):
        swa_window = self.window_size
        swa_window -= 1
        fia(q, q, q, pre_tokens=self.window_size, next_tokens=swa_window, sparse_mode=self.reach)


# run: Layer(4).forward(0)
# run: Layer(9).forward(0)
# window: self.window_size
