"""The oracle at length: many generated programs, run for real and compared with what the evaluator says of them.

``python -m bench.oracle --programs 20000 --seed 1 --jobs 2`` prints how many programs and arguments were compared, every wrong
value with a program made small, the share of arguments that the program determines and the tool does not tell, with the
reasons, and in how many programs each form occurs. Exit status 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

if __name__ == "__main__":  # pragma: no cover
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.oracle.check import Checked, check
from tests.oracle.compare import Problem, Tally
from tests.oracle.forms import table
from tests.oracle.minimise import Files, minimise
from tests.oracle.programs import generate

LIMIT = 0.03  #: the share of determined arguments that may stay untold
RARE = 0.02  #: every form stands in at least this share of the programs


@dataclass
class Total:
    """The sum over programs. ``wrong`` has the seed of each program that something is wrong with, and what."""

    programs: int = 0
    tally: Tally = field(default_factory=Tally)
    forms: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    crashes: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[tuple[int, Problem]] = field(default_factory=list)

    def add(self, other: Total) -> None:
        self.programs += other.programs
        self.tally.add(other.tally)
        self.forms.update(other.forms)
        self.errors.update(other.errors)
        self.crashes += other.crashes
        self.wrong += other.wrong


def programs_from(seeds: range, runs: int) -> Total:
    """Check the programs of these seeds."""
    total = Total()
    for seed in seeds:
        generated = generate(random.Random(seed))
        checked = check(generated, runs)
        total.programs += 1
        total.forms.update(set(generated.counts))
        _take(total, seed, checked)
    return total


def _take(total: Total, seed: int, checked: Checked) -> None:
    if checked.crash:
        total.crashes.append((seed, checked.crash))
    for problem in {(p.kind, p.path, p.line, p.argument): p for p in checked.problems}.values():
        total.wrong.append((seed, problem))
    checked.tally.problems = []
    total.tally.add(checked.tally)
    total.errors.update(error.partition(":")[0] for error in checked.errors.elements())


def chunks(first: int, count: int, size: int = 25) -> Iterator[range]:
    for start in range(first, first + count, size):
        yield range(start, min(start + size, first + count))


def reproduction(seed: int, problem: Problem, runs: int) -> Files:
    """A small program with the same kind of problem at the same argument."""
    generated = generate(random.Random(seed))

    def fails(files: Files) -> bool:
        try:
            found = check(replace(generated, files=files, doubtful={}), runs).problems
        except (SyntaxError, KeyError, ValueError):
            return False
        return any((p.kind, p.argument) == (problem.kind, problem.argument) for p in found)

    return minimise(generated.files, fails)


def show(total: Total, seconds: float, most: int, runs: int) -> None:
    """Print everything."""
    tally = total.tally
    print(f"programs {total.programs}, calls {tally.calls}, arguments compared {tally.compared}, in {seconds:.0f} s")
    print(f"runs that ended with an error: {dict(total.errors.most_common())}")
    print(f"crashes {len(total.crashes)}")
    for seed, crash in total.crashes[:20]:
        print(f"  seed {seed}: {crash}")
    print(f"wrong {len(total.wrong)}")
    for seed, problem in total.wrong[:60]:
        print(f"  seed {seed}: {problem}")
    for seed, problem in total.wrong[:most]:
        print(f"\n--- seed {seed}: {problem}")
        for path, source in reproduction(seed, problem, runs).items():
            print(f"# {path}\n{source}")
    print(f"arguments that the program determines {tally.determined}: known {tally.known}, unknown {tally.unknown}, "
          f"opaque {tally.opaque}, call not found {tally.unseen}: not told {tally.share:.2%} (at most {LIMIT:.0%})")  # fmt: skip
    for reason, count in (tally.reasons + tally.texts).most_common(40):
        print(f"  {count:7} {reason[:140]}")
    print("\nform: share of the programs in which it occurs")
    for name in sorted(table(), key=lambda form: (total.forms[form], form)):
        print(f"  {total.forms[name] / max(total.programs, 1):7.1%} {name}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the others follow it")
    parser.add_argument("--runs", type=int, default=3, help="runs of every entry of a program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minimise", type=int, default=5, help="how many wrong programs to make small")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    total = Total()
    parts = list(chunks(options.seed, options.programs))
    if options.jobs > 1:
        with ProcessPoolExecutor(options.jobs) as pool:
            for part in pool.map(programs_from, parts, [options.runs] * len(parts)):
                total.add(part)
    else:
        for seeds in parts:
            total.add(programs_from(seeds, options.runs))
    show(total, time.monotonic() - start, options.minimise, options.runs)
    rare = [name for name in table() if total.forms[name] < RARE * total.programs]
    return 1 if total.wrong or total.crashes or total.tally.share > LIMIT or (rare and total.programs >= 1000) else 0


if __name__ == "__main__":
    sys.exit(main())
