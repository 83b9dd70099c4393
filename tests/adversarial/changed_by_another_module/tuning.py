"""Another module changes them; it names neither the operator nor anything that leads to it."""
import importlib
import sys

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
    other = own
    other.BY_ALIAS = 6
    importlib.import_module("layers").BY_NAME = 7
    sys.modules["layers"].BY_MODULES = 8
