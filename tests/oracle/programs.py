"""Small programs of several modules that compute mask arguments in random mixtures of the forms, and call the operator."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.oracle import assignments, branches, constants, flow, loops, numbers, records, tests_of
from tests.oracle.containers import Pair
from tests.oracle.entries import class_source, entry, make_class
from tests.oracle.functions import refer
from tests.oracle.writer import Block, Program, Step

#: The modules that fill the table of forms.
FAMILIES = (assignments, branches, constants, flow, loops, numbers, records, tests_of)

STATES = '''"""States of a batch."""

from enum import Enum


class State(Enum):
    """What the batch holds."""

    PREFILL = 1
    DECODE = 2
    MIXED = 3
'''


@dataclass(frozen=True)
class Generated:
    """A finished program.

    ``files``: path → source. ``scenarios``: the calls of one run each. ``doubtful``: ``(path, line)`` of each marked call →
    the arguments that the source does not determine. ``counts``: how often each form occurs.
    """

    files: dict[str, str]
    scenarios: list[list[Step]]
    constructors: dict[str, list]
    doubtful: dict[tuple[str, int], frozenset[str]]
    counts: Counter[str]


def generate(rng: random.Random, depth: int = 3) -> Generated:
    """A program from random choices."""
    p = Program(rng)
    for name in ("consts", "lib", "core", "replay"):
        p.module(name)
    core = p.module("core")
    base = make_class(p, "Base", p.pick(["lib", "core"]), None)
    impl = make_class(p, "Impl", "core", base)
    entry(p, core, None, depth)
    entry(p, p.module(base.module), base, depth)
    entry(p, core, impl, depth)
    if p.chance(75):
        p.part()
        Pair(p, p.pick([base, impl]), depth - 1).write()
    for cls in (base, impl):
        home = p.module(cls.module)
        text = refer(home, p.module("lib"), "Base", Block(p, home, [])) if cls is impl and base.module == "lib" else "Base"
        home.body += class_source(cls, text if cls is impl else "")
    return finish(p)


def finish(p: Program) -> Generated:
    """Write a program out, and find its marked lines."""
    files = {f"pkg/{module.name}.py": module.source() for module in p.modules.values()}
    files["pkg/__init__.py"] = ""
    files["pkg/states.py"] = STATES
    doubtful: dict[tuple[str, int], frozenset[str]] = {}
    for path, source in files.items():
        for number, line in enumerate(source.split("\n"), 1):
            if mark := re.search(r"  #@(\d+)$", line):
                doubtful[path, number] = p.sites[int(mark[1])]
    for scenario in p.scenarios:
        for step in scenario:
            owner = next((c for c in p.classes if c.name == step.owner), None)
            step.setters = owner.all_setters() if owner else []
    constructors = {cls.name: cls.all_parameters() for cls in p.classes}
    return Generated(files, p.scenarios, constructors, doubtful, p.counts)


def programs(depth: int = 2) -> st.SearchStrategy[Generated]:
    """The same programs, their choices made (and shrunk) by Hypothesis."""
    return st.randoms(use_true_random=False, note_method_calls=False).map(lambda rng: generate(rng, depth))
