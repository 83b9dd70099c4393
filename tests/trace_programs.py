"""Small programs that compute a mask argument, for the test that runs them for real. One statement per line."""

from __future__ import annotations

from random import Random

HEAD = """\
import torch_npu

LIMIT = 7


def twice(amount):
    doubled = amount + amount
    unused = amount - 1
    return doubled


def choose(first, second, flag):
    if flag:
        taken = first
    else:
        taken = second
    return taken


def fill(table, amount):
    table["k"] = amount


class Layer:
    def __init__(self, width):
        self.width = width
        self.other = 0

    def widen(self, amount):
        self.width = amount

    def run(self, p, q, flag, other):
"""
CALL = "torch_npu.npu_fused_infer_attention_score(p, p, p, pre_tokens={name})"
_NAMES = ("a", "b", "c", "d")


def program(random: Random) -> str:
    """The text of a program: ``Layer(width).run(p, q, flag, other)`` calls the operator once."""
    lines = [f"        {name} = {random.choice(['p', 'q', '3'])}" for name in _NAMES]
    lines.append("        table = {'k': a, 'l': b}")
    lines += _block(random, 2, random.randint(3, 9), "        ")
    return HEAD + "\n".join([*lines, "        " + CALL.format(name=random.choice(_NAMES))]) + "\n"


def _block(random: Random, depth: int, count: int, indent: str) -> list[str]:
    """Statements of a block."""
    lines: list[str] = []
    for _ in range(count):
        if depth and random.random() < 0.3:
            lines += _compound(random, depth - 1, indent)
        else:
            lines.append(indent + _simple(random))
    return lines


def _compound(random: Random, depth: int, indent: str) -> list[str]:
    """A branch, a loop or a try, with blocks in it."""
    inner = indent + "    "

    def block() -> list[str]:
        return _block(random, depth, random.randint(1, 3), inner)

    kind = random.choice(["if", "else", "for", "try"])
    if kind == "for":
        return [f"{indent}for {random.choice(_NAMES)} in ({_value(random)}, {_value(random)}):", *block()]
    if kind == "try":
        return [f"{indent}try:", *block(), f"{inner}{_name(random)} = table['missing']", f"{indent}except KeyError:", *block()]
    test = random.choice(["flag", "other", "p > q", f"{_name(random)} > 2"])
    lines = [f"{indent}if {test}:", *block()]
    return [*lines, f"{indent}else:", *block()] if kind == "else" else lines


def _simple(random: Random) -> str:
    """One statement."""
    name, other = _name(random), _name(random)
    return random.choice(
        [
            f"{name} = {_value(random)}",
            f"{name} = {_value(random)} + {_value(random)}",
            f"{name} += {_value(random)}",
            f"{name}, {other} = {_value(random)}, {_value(random)}" if name != other else f"{name} = {other}",
            f"{name} = twice({_value(random)})",
            f"{name} = choose({_value(random)}, {_value(random)}, {random.choice(['flag', 'other'])})",
            f"table['k'] = {_value(random)}",
            f"table.update(k={_value(random)})",
            f"fill(table, {_value(random)})",
            f"{name} = table['{random.choice('kl')}']",
            "again = table",
            f"self.width = {_value(random)}",
            f"self.widen({_value(random)})",
            f"{name} = self.width",
            f"{name} = LIMIT",
        ]
    )


def _name(random: Random) -> str:
    return random.choice(_NAMES)


def _value(random: Random) -> str:
    return random.choice([*_NAMES, *_NAMES, "p", "1"])
