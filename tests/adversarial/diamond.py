"""Method resolution in a diamond, with super() in the middle."""
from torch_npu import npu_fused_infer_attention_score as fia


class Root:
    def ahead(self):
        return 1

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead())


class Left(Root):
    def ahead(self):
        return 10 + super().ahead()


class Right(Root):
    def ahead(self):
        return 100 + super().ahead()


class Both(Left, Right):
    pass


# run: Root().forward(0)
# run: Left().forward(0)
# run: Both().forward(0)
