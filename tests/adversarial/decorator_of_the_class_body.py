"""Decorators of methods that stand in the class body or in the function around it, and one that changes what it hands on."""
from torch_npu import npu_fused_infer_attention_score as fia


def doubling(function):
    def inner(*args, **kwargs):
        return 2 * function(*args, **kwargs)

    return inner


def counted(function):
    def inner(*args, **kwargs):
        found = function(*args, **kwargs)
        found += 1
        return found

    return inner


class Layer:
    def plus_two(function):
        def inner(self):
            return function(self) + 2

        return inner

    @plus_two
    def ahead(self):
        return 1

    @doubling
    def behind(self):
        return 5

    @counted
    def mode(self):
        return 3

    def forward(self, q):
        fia(q, q, q, pre_tokens=self.behind(), next_tokens=self.ahead(), sparse_mode=self.mode())


def make():
    def hundred(function):
        return lambda self: 100

    class Inner(Layer):
        @hundred
        def ahead(self):
            return 1

    return Inner


# run: Layer().forward(0)
# run: make()().forward(0)
