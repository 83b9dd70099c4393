"""-1 as "no window": truth does not see it, `> 0` and `!= -1` do."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def forward(self, q):
        by_truth = 4 if self.sliding_window else 3
        by_order = 0 if self.sliding_window > 0 else 9
        behind = self.sliding_window if self.sliding_window != -1 else 2**31 - 1
        fia(q, q, q, pre_tokens=behind, next_tokens=by_order, sparse_mode=by_truth)  # must-know: pre_tokens, next_tokens, sparse_mode


# run: Layer(-1).forward(0)
# run: Layer(0).forward(0)
# run: Layer(8).forward(0)
