"""A mixin before the base wins over it."""
from torch_npu import npu_fused_infer_attention_score as fia


class Causal:
    ahead = 0


class Wide:
    ahead = 9


class Base:
    ahead = 1

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead)


class One(Causal, Base):
    pass


class Two(Base, Wide):
    pass


class Three(Wide, One):
    pass


# run: One().forward(0)
# run: Two().forward(0)
# run: Three().forward(0)
