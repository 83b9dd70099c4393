"""Comparing what the tool says about a release with the values read by hand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from bench.conditions import Formula, assignments, literals, parse
from tests.corpus.golden import LETTERS, Found, Row

WINDOW = 512
_WORDS = {"w": "sliding_window", "U": "unbounded", "?": "unknown", "g": "given", "g?": "given or None"}
_ARGUMENTS = {"pre_tokens": "pre", "next_tokens": "next", "sparse_mode": "mode", "atten_mask": "given"}

Cases = list[dict[str, str]]


def wrong_values(row: Row, site: dict[str, Any]) -> list[str]:
    """What is wrong about one site, one line each."""
    wrong = []
    if site["role"] != row.role:
        wrong.append(f"role: {row.role} expected, {site['role']} found")
    if site["window_aware"] != row.aware:
        wrong.append(f"window_aware: {row.aware} expected, {site['window_aware']} found")
    if bool(site["via"]) != row.via:
        wrong.append(f"via: {site['via']}")
    compared = {name: site["arguments"][name]["cases"] for name, field in _ARGUMENTS.items() if getattr(row, field)}
    for name, cases in {**compared, "mask": site["mask"]}.items():
        expected = row.mask if name == "mask" else getattr(row, _ARGUMENTS[name])
        wrong += [f"{name}: {problem}" for problem in differences(expected, cases)]
    return wrong


def differences(expected: str, cases: Cases) -> list[str]:
    """Where the printed cases are not the function that ``expected`` says: the first situation of each kind.

    Both sides are tried on all assignments of the printed atoms and of the letters that none of them stands for. Where
    the golden value is not defined in a whole regime nothing may be printed; elsewhere, what is not defined is not compared.
    """
    wanted = [_case(text) for text in expected.split("; ")]
    printed = [(parse(case["when"]), case["value"]) for case in cases]
    covered: dict[tuple[str, ...], bool] = {}
    for regime in (WINDOW, None):
        defined = False
        for scope, atoms in _situations(wanted, printed, regime):
            right = [value for when, value in wanted if eval(when, {"__builtins__": {}}, scope)]  # noqa: S307
            found = [value for formula, value in printed if formula.holds(regime, atoms)]
            defined = defined or bool(right)
            where = tuple(name if holds else f"not {name}" for name, holds in sorted(scope.items()))
            if right and (len(found) > 1 or found not in ([], right)):
                return [f"{right} expected, {found} found where {', '.join(where)}: {atoms}"]
            if right:
                covered[where] = covered.get(where, False) or bool(found)
        stray = [value for formula, value in printed if _somewhere(formula, regime)]
        if not defined and stray:
            return [f"nothing expected {'with' if regime else 'without'} a window, {stray} found"]
    missing = [", ".join(where) for where, found in covered.items() if not found]
    return [f"no value where {missing[0]}"] if missing else []


def _case(text: str) -> tuple[Any, str]:
    """``value if condition`` as compiled condition and the value in the tool's words."""
    value, _, when = text.partition(" if ")
    return compile(when or "True", "<golden>", "eval"), words(value)


def words(value: str) -> str:
    """A golden value as the tool writes it."""
    band = re.fullmatch(r"band\((.+),(.+)\)", value)
    return f"band({words(band[1])}, {words(band[2])})" if band else _WORDS.get(value, value)


def _situations(
    wanted: list[tuple[Any, str]], printed: list[tuple[Formula, str]], regime: int | None
) -> Iterator[tuple[dict[str, bool], dict[str, bool]]]:
    """Letters and atoms, for every assignment in which they fit each other."""
    atoms = frozenset().union(*(formula.atoms for formula, _ in printed))
    letters = sorted({name for when, _ in wanted for name in when.co_names} - {"W"})
    standing = {letter: [atom for atom in atoms if re.fullmatch(LETTERS[letter][0], atom)] for letter in letters}
    free = [letter for letter in letters if not standing[letter]]
    for chosen in assignments(atoms):
        fixed = {
            letter: any(chosen[atom] for atom in standing[letter]) == LETTERS[letter][1]
            for letter in letters
            if standing[letter]
        }
        for values in itertools.product((False, True), repeat=len(free)):
            yield {"W": regime is not None, **fixed, **dict(zip(free, values, strict=True))}, chosen


def _somewhere(formula: Formula, regime: int | None) -> bool:
    return any(formula.holds(regime, chosen) for chosen in assignments(formula.atoms))


# ------------------------------------------------------------------------------------------------ findings


def found(finding: dict[str, Any]) -> Found:
    """A finding of the tool in the terms of the golden data."""
    condition = frozenset(letter(literal) for literal in literals(finding["condition"]))
    return Found(finding["code"], finding["call"]["line"], condition)


def letter(literal: str) -> str:
    """The letter of a literal, ``-X`` for its negation; what has no letter stays as it is."""
    atom = literal.removeprefix("not ")
    positive = atom == literal
    if "sliding_window" in atom:
        formula = parse(literal)
        there, absent = formula.holds(WINDOW, {}), formula.holds(None, {})
        return "W" if there and not absent else "-W" if absent and not there else literal
    for name, (pattern, holds) in LETTERS.items():
        if re.fullmatch(pattern, atom):
            return name if positive == holds else f"-{name}"
    return literal
