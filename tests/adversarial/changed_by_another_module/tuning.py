"""Another module changes them; it names neither the operator nor anything that leads to it."""
import layers as own
from layers import (
    LIMITS,  # a comment, with a comma
    Layer as Changed,
    Limits,
)


def apply():
    own.AHEAD = 1
    setattr(own, "BEHIND", 4)
    own.reach = lambda: 1
    Changed.ahead = lambda self: 2
    Changed.behind = property(lambda self: 3)
    Limits.further = 4
    LIMITS["ahead"] = 5
