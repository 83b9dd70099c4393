"""A metaclass and __init_subclass__ set attributes that the body of the class does not show."""
from torch_npu import npu_fused_infer_attention_score as fia


class Meta(type):
    def __new__(mcs, name, bases, space, **kwargs):
        space["behind"] = 3
        return super().__new__(mcs, name, bases, space, **kwargs)

    def __init__(cls, name, bases, space, **kwargs):
        super().__init__(name, bases, space)


class Base(metaclass=Meta):
    behind = 1
    ahead = 1

    def __init_subclass__(cls, ahead=0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.ahead = ahead

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead)


class Wide(Base, ahead=6):
    ahead = 2


# run: Base().forward(0)
# run: Wide().forward(0)
