"""Conditions as the tool prints them, read back: parsing, evaluating and comparing ``when`` and ``condition`` texts.

A condition is conjunctions joined by ``or``, or ``always``. Here it becomes a :class:`Formula`: a tree of and/or/not over
:class:`Atom`. The window (``sliding_window``) is no atom: its tests are decided by the regime, a number or a sentinel.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

WINDOW = "sliding_window"
Assignment = Mapping[str, bool]

_FLIPPED = {ast.NotEq: "==", ast.IsNot: "is", ast.NotIn: "in", ast.GtE: "<", ast.Gt: "<="}
_KEPT = {ast.Eq: "==", ast.Is: "is", ast.In: "in", ast.Lt: "<", ast.LtE: "<="}
_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


@dataclass(frozen=True)
class Formula:
    """A boolean function: ``holds(regime, atoms)``; ``atoms`` are the texts of its atoms, without those of the window."""

    text: str
    atoms: frozenset[str]
    holds: Callable[[int | None, Assignment], bool]


def parse(text: str) -> Formula:
    """The formula of a printed condition."""
    if text == "always":
        return Formula(text, frozenset(), lambda regime, atoms: True)
    tree = _read(text)
    found: set[str] = set()
    holds = _compile(tree, found)
    return Formula(text, frozenset(found), holds)


def _read(text: str) -> ast.expr:
    """The syntax tree of a condition. A description in parentheses that is no Python (``(element of d) is None``) is a name."""
    text = " ".join(text.split())
    for attempt in (text, re.sub(r"\([^()]*\)", _as_name, text), _words_as_names(text)):
        try:
            return ast.parse(attempt, mode="eval").body
        except SyntaxError:
            continue
    raise ValueError(f"no condition: {text}")


def _words_as_names(text: str) -> str:
    """Descriptions that stand bare among other tests (``the loop at line 8 runs``) as names, line numbers left out."""
    return "".join(_bare_as_name(piece) for piece in re.split(r"( and | or )", text))


def _bare_as_name(piece: str) -> str:
    before, words, after = re.fullmatch(r"(\(*(?:not )?\(*)(.*?)(\)*)", piece).groups()  # type: ignore[union-attr]
    if piece in (" and ", " or "):
        return piece
    try:
        ast.parse(words, mode="eval")
        return piece
    except SyntaxError:
        return f"{before}_{re.sub(r'[^A-Za-z]+', '_', words)}{after}"


def _as_name(match: re.Match[str]) -> str:
    try:
        ast.parse(match[0], mode="eval")
        return match[0]
    except SyntaxError:
        several = " and " in match[0] or " or " in match[0]
        return match[0] if several else "_" + re.sub(r"\W+", "_", match[0]).strip("_")


def literals(text: str) -> frozenset[str]:
    """A conjunction as a set of literals: ``not`` in front of an atom that must not hold. Tests of the window are
    literals too, as they are written. Raises ValueError if it is no conjunction."""
    if text == "always":
        return frozenset()
    tree = _read(text)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return frozenset(itertools.chain.from_iterable(_literals_of(part) for part in parts))


def _literals_of(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.BoolOp):
        raise ValueError(f"no conjunction: {ast.unparse(node)}")
    atom, positive = _literal(node)
    yield atom if positive else f"not {atom}"


def _compile(node: ast.expr, found: set[str]) -> Callable[[int | None, Assignment], bool]:
    if isinstance(node, ast.BoolOp):
        parts = [_compile(value, found) for value in node.values]
        join = all if isinstance(node.op, ast.And) else any
        return lambda regime, atoms: join(part(regime, atoms) for part in parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _compile(node.operand, found)
        return lambda regime, atoms: not inner(regime, atoms)
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return _compile(_chain(node), found)
    if _is_window_test(node):
        return _window_test(node)
    atom, positive = _literal(node)
    found.add(atom)
    return lambda regime, atoms: atoms[atom] == positive


def _chain(node: ast.Compare) -> ast.expr:
    """``a < x < b`` as ``a < x and x < b``."""
    sides = [node.left, *node.comparators]
    pairs = zip(sides, node.ops, sides[1:], strict=False)
    return ast.BoolOp(ast.And(), [ast.Compare(left, [op], [right]) for left, op, right in pairs])


def _literal(node: ast.expr) -> tuple[str, bool]:
    """The text of the atom that an expression tests, and whether it holds where the expression does."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        atom, positive = _literal(node.operand)
        return atom, not positive
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, op, right = node.left, type(node.ops[0]), node.comparators[0]
        if isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
            left, op, right = right, _MIRRORED.get(op, op), left
        positive = op in _KEPT
        word = _KEPT[op] if positive else _FLIPPED[op]
        return f"{ast.unparse(left)} {word} {ast.unparse(right)}", positive
    return ast.unparse(node), True


def _is_window_test(node: ast.expr) -> bool:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names == {WINDOW} and not any(isinstance(inner, (ast.Attribute, ast.Call)) for inner in ast.walk(node))


def _window_test(node: ast.expr) -> Callable[[int | None, Assignment], bool]:
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<condition>", "eval")

    def holds(regime: int | None, atoms: Assignment) -> bool:
        try:
            return bool(eval(code, {"__builtins__": {}}, {WINDOW: regime}))  # noqa: S307
        except TypeError:
            return False  # None < 0: there is no such situation

    return holds


# ------------------------------------------------------------------------------------------------ comparing


def assignments(atoms: Iterable[str], limit: int = 12) -> Iterator[dict[str, bool]]:
    """Every assignment of the atoms that is possible as far as their texts tell: ``x == 1`` excludes ``x == 2``.

    Of more than ``limit`` atoms a fixed sample of assignments.
    """
    names = sorted(set(atoms))
    every = itertools.product((False, True), repeat=len(names))
    for values in every if len(names) <= limit else _sample(len(names), 2**limit):
        chosen = dict(zip(names, values, strict=True))
        if _possible(chosen):
            yield chosen


def _sample(length: int, number: int) -> Iterator[tuple[bool, ...]]:
    generator = random.Random(length)
    for share in (0.5, 0.1, 0.9, 0.0, 1.0):
        for _ in range(number // 4 if 0 < share < 1 else 1):
            yield tuple(generator.random() < share for _ in range(length))


def _possible(chosen: Assignment) -> bool:
    """At most one ``x == c`` of a subject; nothing is None and anything else at once; orders are monotone."""
    subjects: dict[str, list[str]] = {}
    for atom, holds in chosen.items():
        match = re.fullmatch(r"(.+) (==|is) (.+)", atom)
        if holds and match:
            subjects.setdefault(match[1], []).append(match[3])
    if any(len(values) > 1 for values in subjects.values()):
        return False
    return not any(chosen.get(subject) and values == ["None"] for subject, values in subjects.items())


def equivalent(left: str, right: str) -> bool:
    """Whether two conditions mean the same, in every regime."""
    if left == right:
        return True
    one, other = parse(left), parse(right)
    return all(
        one.holds(regime, chosen) == other.holds(regime, chosen)
        for chosen in assignments(one.atoms | other.atoms)
        for regime in regimes(left, right)
    )


def regimes(*texts: str) -> list[int | None]:
    """A window, and the sentinels that the conditions tell apart from it."""
    text = " ".join(texts)
    return [512, None, *([-1] if "-1" in text or "0" in text else []), *([0] if "0" in text else [])]


def same_cases(left: list[dict[str, str]], right: list[dict[str, str]]) -> bool:
    """Whether two lists of ``{"when", "value"}`` are one function of the conditions."""
    if left == right:
        return True
    ones = [(parse(case["when"]), case["value"]) for case in left]
    others = [(parse(case["when"]), case["value"]) for case in right]
    atoms = frozenset().union(*(formula.atoms for formula, _ in ones + others))
    texts = [formula.text for formula, _ in ones + others]
    return all(
        {value for formula, value in ones if formula.holds(regime, chosen)}
        == {value for formula, value in others if formula.holds(regime, chosen)}
        for chosen in assignments(atoms)
        for regime in regimes(*texts)
    )
