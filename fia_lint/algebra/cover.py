"""Conditions in words: the shortest disjunction of conjunctions, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, islice
from math import inf

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, implies, negate, test, walk
from fia_lint.algebra.region import (
    BOOLEANS,
    EVERYTHING,
    IS_NONE,
    NOTHING,
    NUMBERS,
    TRUTHY,
    Named,
    Region,
    between,
    equal,
    identical,
)
from fia_lint.algebra.terms import Linear, Subject

Cube = dict[Subject, Region]
Wording = Callable[[Subject, Region], str]

#: How many ways through a condition are tried for short cubes, and how many cubes are then narrowed.
_MOST_TRIED, _MOST_NARROWED = 64, 12


def _cubes(condition: Diagram) -> Iterator[Cube]:
    if condition is TRUE:
        yield {}
    elif condition.subject is not None:
        for region, child in condition.edges:
            for cube in _cubes(child):
                yield {condition.subject: region, **cube}


def as_condition(cube: Cube) -> Diagram:
    """The condition that every subject of the cube lies in its region."""
    return conj(*(test(subject, region) for subject, region in cube.items()))


@lru_cache(maxsize=1024)
def cover(condition: Diagram) -> list[Cube]:
    """Cubes that together are exactly ``condition``: none can be shortened and none left out."""
    primes: list[Cube] = []
    for cube in islice(_cubes(condition), _MOST_TRIED):
        prime = _expand(cube, condition)
        if prime not in primes:
            primes.append(prime)
    rest = conj(condition, negate(disj(*map(as_condition, primes))))
    while rest is not FALSE:
        primes.append(_expand(next(_cubes(rest)), condition))
        rest = conj(rest, negate(as_condition(primes[-1])))
    primes.sort(key=lambda cube: (len(cube), [(s.order, r.order) for s, r in cube.items()]))
    kept = _irredundant(primes)
    return _narrowed(kept, condition) if 1 < len(kept) <= _MOST_NARROWED else kept


def _irredundant(primes: list[Cube]) -> list[Cube]:
    """What is left when cubes that the others cover are dropped, the last ones first."""
    before = list(accumulate(map(as_condition, primes), disj, initial=FALSE))
    kept: list[Cube] = []
    behind = FALSE
    for prime, shorter in zip(reversed(primes), reversed(before[:-1])):
        whole = as_condition(prime)
        if not implies(whole, disj(shorter, behind)):
            kept.append(prime)
            behind = disj(behind, whole)
    return kept[::-1]


def _narrowed(cubes: list[Cube], condition: Diagram) -> list[Cube]:
    """Where two cubes overlap, the second may leave out values that the first has, if that is shorter to say."""
    wholes = [as_condition(cube) for cube in cubes]
    for number, cube in enumerate(cubes):
        others = disj(*(whole for other, whole in enumerate(wholes) if other != number))
        for subject, region in cube.items():
            needed = NOTHING
            for piece in _asked_of(subject, condition):
                if piece <= region and not implies(as_condition({**cube, subject: piece}), others):
                    needed = needed | piece
            if len(literal(subject.text, needed)) < len(literal(subject.text, region)):
                cube[subject] = needed
        wholes[number] = as_condition(cube)
    return cubes


def _expand(cube: Cube, condition: Diagram) -> Cube:
    """Drop what is not needed, last subjects first; then widen what is left."""
    kept = dict(cube)
    for subject in sorted(cube, key=lambda s: s.order, reverse=True):
        fewer = {s: r for s, r in kept.items() if s != subject}
        if _is_within(fewer, condition):
            kept = fewer
    for subject in kept:
        kept[subject] = _may_be(subject, kept, condition)
    return kept


def _is_within(cube: Cube, condition: Diagram) -> bool:
    """Whether ``condition`` holds wherever the cube does."""
    pending, seen = [condition], {condition}
    while pending:
        item = pending.pop()
        if item is FALSE:
            return False
        here = cube.get(item.subject) if item.subject is not None else None
        for region, child in item.edges:
            if child not in seen and (here is None or region & here):
                seen.add(child)
                pending.append(child)
    return True


def _may_be(subject: Subject, cube: Cube, condition: Diagram) -> Region:
    """The values of ``subject`` with which ``condition`` holds wherever the rest of ``cube`` does."""
    rest = {s: r for s, r in cube.items() if s != subject}
    allowed = NOTHING
    for region in _asked_of(subject, condition):
        if _is_within({**rest, subject: region}, condition):
            allowed = allowed | region
    return allowed


def _asked_of(subject: Subject, condition: Diagram) -> list[Region]:
    """The sets of values of a subject that a condition tells apart."""
    pieces = [EVERYTHING]
    for item in walk(condition):
        if item.subject == subject:
            pieces = [piece & region for piece in pieces for region, _ in item.edges if piece & region]
    return pieces


def words(condition: Diagram, wording: Wording | None = None) -> str:
    """``condition`` as a Python-like text: conjunctions joined by ``or``; ``always``; ``never``.

    ``wording`` may spell the test of a subject in its own way, or return an empty text for the default.
    """
    if condition is TRUE:
        return "always"
    if condition is FALSE:
        return "never"
    parts = []
    for cube in cover(condition):
        literals = [
            (wording(subject, region) if wording else "") or comparison(subject, region) or literal(subject.text, region)
            for subject, region in sorted(cube.items(), key=lambda item: item[0].order)
        ]
        parts.append(" and ".join(literals))
    if len(parts) > 1:
        parts = [part if " and " not in part else f"({part})" for part in parts]
    return " or ".join(parts)


def atoms(condition: Diagram) -> int:
    """How many tests the shortest text of the condition has."""
    return sum(len(cube) for cube in cover(condition))


def comparison(subject: Subject, region: Region) -> str:
    """The test of a sum of several things in words: as a comparison of two sides. Empty for other subjects."""
    if subject.key[:2] != ("pure", "sum"):
        return ""
    parts = subject.key[2].parts
    left = _side([(each, factor) for each, factor in parts if factor > 0])
    right = [(each, -factor) for each, factor in parts if factor < 0]
    inside, outside = region.ints, (~region).ints
    if len(outside) == 1 and outside[0][0] == outside[0][1]:
        return f"{left} != {_side(right, outside[0][0])}"
    low, high = inside[0] if len(inside) == 1 else (-inf, inf)
    if low == high:
        return f"{left} == {_side(right, low)}"
    if low == -inf and high != inf:
        return f"{left} < {_side(right)}" if high == -1 else f"{left} <= {_side(right, high)}"
    if high == inf and low != -inf:
        return f"{left} > {_side(right)}" if low == 1 else f"{left} >= {_side(right, low)}"
    return ""


def _side(parts: list[tuple[Subject, int]], number: float = 0) -> str:
    """One side of a comparison: a sum."""
    if not parts:
        return str(int(number))
    text = str(Linear(int(number), tuple(parts)))
    return text if number or len(parts) > 1 or _is_simple(text) else f"({text})"


def literal(text: str, region: Region) -> str:
    """One test in words, e.g. ``x is not None``, ``not x``, ``x == 3``, ``x < 5``."""
    name = text if _is_simple(text) else f"({text})"
    for wanted, positive, negative in (
        (IS_NONE, f"{name} is None", f"{name} is not None"),
        (TRUTHY, name if name == text else text, f"not {name}"),
        (NUMBERS, f"{name} is a number", f"{name} is not a number"),
        (BOOLEANS, f"{name} is a bool", f"{name} is not a bool"),
    ):
        if region == wanted:
            return positive
        if region == ~wanted:
            return negative
    for complement in (False, True):
        single = (~region if complement else region).only()
        if single is not None:
            value = single[0]
            if isinstance(value, bool):
                return f"{name} is {'not ' if complement else ''}{value}"
            return f"{name} {'!=' if complement else '=='} {value}"
    for bound, sign in _bounds(region):
        if region == between(bound, inf):
            return f"{name} >= {bound}" if bound != 1 else f"{name} > 0"
        if region == ~between(bound, inf):
            return f"not {name} >= {bound}" if bound != 1 else f"not {name} > 0"
        if region == between(-inf, bound):
            return f"{name} <= {bound}" if bound != -1 else f"{name} < 0"
        if region == ~between(-inf, bound):
            return f"not {name} <= {bound}" if bound != -1 else f"not {name} < 0"
    return _pieces(name, region)


def _bounds(region: Region) -> list[tuple[int, int]]:
    ends = {int(end) for low, high in region.ints for end in (low, high, low - 1, high + 1) if abs(end) != inf}
    return [(end, 0) for end in sorted(ends)]


def _pieces(name: str, region: Region) -> str:
    """A region that no single test names, as a conjunction of exclusions or a disjunction of parts."""
    if region.cofinite and len((~region).ints) + len((~region).names) <= 4:
        outside = _parts(name, ~region, negated=True)
        if outside:
            return " and ".join(outside)
    inside = _parts(name, region, negated=False)
    return "(" + " or ".join(inside) + ")" if len(inside) > 1 else (inside or [f"{name} is of another kind"])[0]


def _parts(name: str, region: Region, negated: bool) -> list[str]:
    found: list[str] = []
    rest = region
    if not negated and TRUTHY <= rest:
        found.append(name)
        rest = rest - TRUTHY
    elif ~TRUTHY <= rest:
        found.append(name if negated else f"not {name}")
        rest = rest & TRUTHY
    if IS_NONE <= rest:
        found.append(f"{name} is {'not ' if negated else ''}None")
        rest = rest - IS_NONE
    for low, high in rest.ints:
        rest = rest - between(low, high)
        if low == high:
            found.append(f"{name} {'!=' if negated else '=='} {int(low)}")
        elif (low, high) == (-inf, inf):
            found.append(f"{name} is {'not ' if negated else ''}an integer")
        elif low == -inf:
            found.append(f"{name} {'>' if negated else '<='} {int(high)}")
        elif high == inf:
            found.append(f"{name} {'<' if negated else '>='} {int(low)}")
        else:
            found.append(f"{'not ' if negated else ''}{int(low)} <= {name} <= {int(high)}")
    for value in (True, False):
        if identical(value) <= rest:
            found.append(f"{name} is {'not ' if negated else ''}{value}")
    if not rest.cofinite:
        found.extend(f"{name} {'!=' if negated else '=='} {constant}" for constant in sorted(rest.names))
    elif not negated:
        found.append(f"{name} is another value")
    return found


def _is_simple(text: str) -> bool:
    """Whether a text needs no parentheses inside a test."""
    depth = 0
    for character in text:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == " " and depth == 0:
            return False
    return True


__all__ = ["Cube", "Named", "as_condition", "atoms", "cover", "equal", "literal", "words"]
