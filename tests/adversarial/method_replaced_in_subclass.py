"""A method is replaced on a subclass only, by an assignment, by setattr, and on a class between."""
from torch_npu import npu_fused_infer_attention_score as fia


class Layer:
    def ahead(self):
        return 1

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead())


class Between(Layer):
    pass


class Below(Between):
    pass


class Beside(Layer):
    pass


def install(function):
    Between.ahead = function
    setattr(Beside, "ahead", lambda self: 3)


install(lambda self: 2)


# run: [c().forward(0) for c in (Layer, Between, Below, Beside)]
