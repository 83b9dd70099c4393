"""A method is replaced through names that only stand for the class or the object: in loops, helpers, hooks, metaclasses."""
import types

from torch_npu import npu_fused_infer_attention_score as fia


def six(layer):
    return 6


class Layer:
    def ahead(self):
        return 0

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead())


class ByType(Layer):
    def __init__(self):
        self.ahead = types.MethodType(six, self)


class ByNamespace(Layer):
    def __init__(self):
        self.__dict__["ahead"] = lambda: 7


class ByObject(Layer):
    def __init__(self):
        object.__setattr__(self, "ahead", lambda: 8)


class BySuper(Layer):
    def __init__(self):
        super().__setattr__("ahead", lambda: 9)


class ByName(Layer):
    def __init__(self):
        for name in ("ahead",):
            setattr(self, name, lambda: 10)


class Mixin:
    ahead = six


class Mixed(Mixin, Layer):
    pass


class InALoop(Layer):
    pass


for layer_class in (InALoop,):
    layer_class.ahead = six


class ByAHelper(Layer):
    pass


def install(where, function):
    where.ahead = function


install(ByAHelper, six)


def with_six(wanted):
    def inner(cls):
        cls.ahead = six
        return cls

    return inner


@with_six("all")
class Decorated(Layer):
    pass


class Hooked(Layer):
    def __init_subclass__(cls):
        cls.ahead = six


class BelowHooked(Hooked):
    pass


class Installed(Layer):
    @classmethod
    def install(cls):
        cls.ahead = six


Installed.install()


class Meta(type):
    def __new__(mcs, name, bases, body):
        return super().__new__(mcs, name, bases, {**body, "ahead": six})


class Made(Layer, metaclass=Meta):
    pass


class Intercepted(Layer):
    def __getattribute__(self, name):
        return (lambda: 11) if name == "ahead" else super().__getattribute__(name)


class Walrus(Layer):
    other = (ahead := six)


# run: [c().forward(0) for c in (ByType, ByNamespace, ByObject, BySuper, ByName, Mixed, InALoop, ByAHelper, Decorated)]
# run: [c().forward(0) for c in (Layer, BelowHooked, Installed, Made, Intercepted, Walrus)]
