"""Objects of metadata are made through a subclass elsewhere, by copying, by their type, by name."""
from dataclasses import dataclass
from torch_npu import npu_fused_infer_attention_score as fia

@dataclass
class Meta:
    bound: int


@dataclass
class Copied:
    bound: int


@dataclass
class Typed:
    bound: int


@dataclass
class Named:
    bound: int


class Builder:
    def build(self):
        return self._make(3)

    def _make(self, bound):
        return Through(bound)


class OtherBuilder(Builder):
    def build(self):
        make = super()._make
        return make(5)


@dataclass
class Through:
    bound: int


def build():
    return Meta(3), Copied(3), Typed(3), Named(3)


def forward(q, meta: Meta):
    fia(q, q, q, pre_tokens=meta.bound)


def forward_copied(q, meta: Copied):
    fia(q, q, q, pre_tokens=meta.bound)


def forward_typed(q, meta: Typed):
    fia(q, q, q, pre_tokens=meta.bound)


def forward_named(q, meta: Named):
    fia(q, q, q, pre_tokens=meta.bound)


def forward_through(q, meta: Through):
    fia(q, q, q, pre_tokens=meta.bound)


import other

# run: forward(0, other.sub())
# run: forward_copied(0, other.copied(build()[1]))
# run: forward_typed(0, other.typed(build()[2]))
# run: forward_named(0, other.named())
# run: forward_through(0, OtherBuilder().build())
