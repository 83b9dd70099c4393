"""Four values as one: what is passed together stays together."""

from __future__ import annotations

from functools import lru_cache

from fia_lint.algebra.diagram import Diagram, combine, conj, ite, leaf, map_leaves, permanent_leaf, simplify, test, where
from fia_lint.algebra.region import IS_NONE
from fia_lint.algebra.terms import Const, Linear, Term, Unknown
from fia_lint.judge.arguments import Arguments, Tensor
from fia_lint.judge.bounds import bound
from fia_lint.judge.fixed import Fixed, deciding


@lru_cache(maxsize=4096)
def made(every: Diagram, call: Arguments) -> Diagram:
    """The condition under which a call is this one."""
    return where(every, lambda other: other == call)


@lru_cache(maxsize=4096)
def joint(path: Diagram, pre: Diagram, following: Diagram, mode: Diagram, mask: Diagram) -> Diagram:
    """Four values as one: bounds in normal form, of the mask what is known about it."""
    bounds = [simplify(map_leaves(value, lambda term: leaf(bound(term))), path) for value in (pre, following)]
    rest = [simplify(value, path) for value in (mode, mask)]
    fixed = Fixed(deciding([*bounds, *rest]))
    tensor = simplify(map_leaves(rest[1], lambda term: _tensor(term, path, fixed)), path)
    found = combine(_together, *bounds, rest[0], tensor, capped=False)
    if isinstance(found.term, Unknown):
        found = _together(found.term, found.term, found.term, Const(Tensor.UNKNOWN))
    return simplify(found, path)


def _tensor(term: Term, path: Diagram, fixed: Fixed) -> Diagram:
    """What is known of a mask. A test of it on the path makes it given; nothing but the constant makes it None."""
    if term == Const(None):
        return _TENSORS[Tensor.NONE]
    if not (isinstance(term, Linear) and term.symbol is not None):
        return _TENSORS[Tensor.UNKNOWN]
    may_be_none = fixed.project(conj(path, test(term.symbol, IS_NONE)))
    return ite(may_be_none, _TENSORS[Tensor.EITHER], _TENSORS[Tensor.GIVEN])


_TENSORS = {tensor: permanent_leaf(Const(tensor)) for tensor in Tensor}


def _together(pre: Term, following: Term, mode: Term, tensor: Term) -> Diagram:
    known = tensor.value if isinstance(tensor, Const) and isinstance(tensor.value, Tensor) else Tensor.UNKNOWN
    return leaf(Arguments(pre, following, mode, known))


__all__ = ["joint", "made"]
