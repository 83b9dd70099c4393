"""Constants, functions, methods and class attributes that nothing changes in this file."""
from torch_npu import npu_fused_infer_attention_score as fia

AHEAD = 0
BEHIND = 8
LIMITS = {"ahead": 0}
MODE = 4
BY_ALIAS = BY_NAME = BY_MODULES = 0


def reach():
    return 0


class Limits:
    further = 0


class Base:
    def ahead(self):
        return 0


class Layer(Base):
    @property
    def behind(self):
        return 8

    def constant(self, q):
        fia(q, q, q, pre_tokens=BEHIND, next_tokens=AHEAD, sparse_mode=MODE)  # must-know: sparse_mode

    def function(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=reach())  # must-know: pre_tokens

    def method(self, q):
        fia(q, q, q, pre_tokens=self.behind, next_tokens=self.ahead())

    def attribute(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=Limits.further)

    def entry(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=LIMITS["ahead"])

    def by_alias(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=BY_ALIAS)

    def by_name(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=BY_NAME)

    def by_modules(self, q):
        fia(q, q, q, pre_tokens=8, next_tokens=BY_MODULES)
