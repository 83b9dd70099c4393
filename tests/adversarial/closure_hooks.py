"""Closures that unknown code runs, directly or out of a dict, bind names and attributes around them."""
from torch_npu import npu_fused_infer_attention_score as fia


class Later:
    def later(self, hook):
        call = hook["hook"] if isinstance(hook, dict) else hook
        getattr(self, "_run")(call)

    def _run(self, call):
        call()


class Layer:
    def __init__(self):
        self.bound = 3

    def forward(self, q):
        size = 4

        def change():
            nonlocal size
            size = 5
            self.bound = 6

        hooks = {"hook": lambda: change()}
        q.later(hooks)
        fia(0, 0, 0, pre_tokens=self.bound, next_tokens=size)


# run: Layer().forward(Later())
