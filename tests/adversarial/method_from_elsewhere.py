"""What a class gives a method's name to: another function, another class's method, one of its own, one of the object."""
import functools

from torch_npu import npu_fused_infer_attention_score as fia


def by_four(layer, extra=0):
    return layer.width * 4 + extra


class Stranger:
    def ahead(self):
        return self.width + 30


class Layer:
    width = 1

    def ahead(self):
        return 0

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead())


class Borrowed(Layer):
    width = 2
    ahead = by_four


class Taken(Layer):
    ahead = Stranger.ahead


class Short(Layer):
    width = 5
    ahead = lambda self, plus=1: self.width + plus  # noqa: E731


class Fixed(Layer):
    ahead = functools.partialmethod(by_four, 7)


class Without(Layer):
    ahead = staticmethod(lambda: 60)


class OfTheClass(Layer):
    ahead = classmethod(lambda cls: cls.width + 70)


class Renamed(Layer):
    def _further(self):
        return super().ahead() + 80

    ahead = _further


class Below(Renamed):
    width = 3


class Computed(Layer):
    def _get(self):
        return lambda: 90

    ahead = property(_get)


class ByTheObject(Layer):
    def __init__(self, far):
        if far:
            self.ahead = lambda: 100


class Reset(Layer):
    def forward(self, q):
        self.ahead = lambda: 110
        super().forward(q)


class FromALoop(Layer):
    for ahead in (by_four,):
        pass


# run: [c().forward(0) for c in (Layer, Borrowed, Taken, Short, Fixed, Without, OfTheClass, Renamed, Below, Computed, FromALoop)]
# run: [ByTheObject(far).forward(0) for far in (True, False)]
# run: Reset().forward(0)
