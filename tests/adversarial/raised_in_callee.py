"""A callee changes an object, raises, and the caller catches that."""
from torch_npu import npu_fused_infer_attention_score as fia


class State:
    def __init__(self):
        self.bound = 4

    def step(self, last):
        self.bound = 2
        if last:
            raise ValueError
        self.bound = 3


def forward(q, last):
    state = State()
    sizes = {"next": 5}
    try:
        change(sizes, last)
        state.step(last)
    except ValueError:
        pass
    fia(q, q, q, pre_tokens=state.bound, next_tokens=sizes["next"])


def change(sizes, last):
    sizes["next"] = 6
    if last == 2:
        raise ValueError
    sizes["next"] = 7


# run: forward(0, 0)
# run: forward(0, 1)
# run: forward(0, 2)
