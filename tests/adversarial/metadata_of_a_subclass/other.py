"""Other ways to such objects."""
from dataclasses import replace as rp

import main
from main import Meta


class Sub(Meta):
    """The same, elsewhere."""


def sub():
    return Sub(12)


def copied(meta):
    return rp(meta, bound=12)


def typed(meta):
    Typed = None  # a word that both modules use
    return type(meta)(meta.bound + 1) if Typed is None else None


def named():
    return getattr(main, "Named")(12)
