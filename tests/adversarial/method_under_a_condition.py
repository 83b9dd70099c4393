"""A method that is defined under a condition hides that of the base only if the condition held."""
from torch_npu import npu_fused_infer_attention_score as fia

OLD = [True]


class Layer:
    def ahead(self):
        return 1

    def behind(self):
        return 2

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind(), next_tokens=self.ahead())


class Newer(Layer):
    if not OLD[0]:

        def ahead(self):
            return 10

        def forward(self, q):
            fia(q, q, q, next_tokens=20)

    try:
        behind = OLD[1]
    except IndexError:

        def behind(self):
            return 30


class Newest(Newer):
    if OLD[0]:

        def forward(self, q):
            fia(q, q, q, pre_tokens=self.behind(), next_tokens=40)


class Complete(Layer):
    if OLD:

        def ahead(self):
            return 50

    else:

        def ahead(self):
            return 60


# run: [c().forward(0) for c in (Layer, Newer, Newest, Complete)]
