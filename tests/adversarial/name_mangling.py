"""Two underscores in front: the attribute of the base and that of the subclass are two."""
from torch_npu import npu_fused_infer_attention_score as fia


class Base:
    def __init__(self):
        self.__ahead = 1

    def forward(self, q):
        fia(q, q, q, next_tokens=self.__ahead, pre_tokens=self.__bound())

    def __bound(self):
        return 3


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.__ahead = 2

    def __bound(self):
        return 4


# run: Base().forward(0)
# run: Derived().forward(0)
