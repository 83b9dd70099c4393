"""`or` lets a window of 0 fall through, `is not None` does not."""
from torch_npu import npu_fused_infer_attention_score as fia

INT_MAX = 2147483647


class Layer:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q):
        loose = self.sliding_window or INT_MAX
        strict = self.sliding_window if self.sliding_window is not None else INT_MAX
        fia(q, q, q, pre_tokens=loose, next_tokens=strict)  # must-know: pre_tokens, next_tokens


# run: Layer(0).forward(0)
# run: Layer(None).forward(0)
# run: Layer(4).forward(0)
