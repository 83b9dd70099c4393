"""A decorator that changes what comes out, and one that changes what goes in."""
import functools

from torch_npu import npu_fused_infer_attention_score as fia


def doubled(function):
    @functools.wraps(function)
    def inner(*args):
        return 2 * function(*args)

    return inner


def shifted(function):
    return lambda n: function(n + 1)


@doubled
def behind():
    return 4


@shifted
@doubled
def ahead(n):
    return n


def forward(q):
    fia(q, q, q, pre_tokens=behind(), next_tokens=ahead(1))


# run: forward(0)
