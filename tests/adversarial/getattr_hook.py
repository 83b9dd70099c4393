"""__getattr__ answers for what is not there; __getattribute__ for everything."""
from torch_npu import npu_fused_infer_attention_score as fia


class Lazy:
    mode = 3

    def __getattr__(self, name):
        return 7 if name == "ahead" else 8

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead, sparse_mode=self.mode)


class Always:
    ahead = 1

    def __getattribute__(self, name):
        return 9 if name == "ahead" else object.__getattribute__(self, name)

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead)


# run: Lazy().forward(0)
# run: Always().forward(0)
