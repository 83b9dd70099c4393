"""Plant the bug, fix it, and see whether every call says again what it said before.

    python -m bench.fix 0.18.0 [--only attention_v1.py] [--rewriting TEXT] [--no-slots] [--every N] [--most N] [--jobs 2]

Only what the planting brings up is fixed, not what is wrong in the release. A planting is *restored* if every call then has
the values that it has in the release, under the same conditions. It is *clean* if some value differs though nothing is
found that is not found in the release. Else it is *left*: a finding remains, and the tool says why. *text* counts the files
that are character for character what they were. The plantings themselves are judged, too, as ``bench/plant.py`` does it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import plant  # noqa: E402
from bench.release import Release, opened, plain, sites_of  # noqa: E402
from bench.rewritings import Planting  # noqa: E402
from fia_lint.fix import repaired  # noqa: E402
from fia_lint.judge.findings import Finding  # noqa: E402
from fia_lint.run import Result  # noqa: E402

#: The arguments and the mask of a call, each with its cases.
Columns = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What came of fixing one planting: ``verdict`` is restored, clean, left or error; ``planted``, whether it was found."""

    planting: Planting
    verdict: str
    planted: plant.Outcome | None = None
    same_text: bool = False
    reasons: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    seconds: float = 0.0
    analyses: int = 0


@dataclass
class Before:
    """A tree as it is: what its calls say, and all plantings."""

    release: Release
    base: plant.Base
    columns: list[Columns]

    @classmethod
    def of(cls, tree: Path, only: str = "", slots: bool = True) -> Before:
        release = opened(tree)
        return cls(release, plant.prepare(release, only, slots), columns(release.result))

    def news(self, result: Result) -> list[Finding]:
        """The findings that are not there before."""
        identities = [plant.identity(finding) for finding in plain(result.findings)]
        left = Counter(identities) - self.base.findings
        return [finding for finding, each in zip(result.findings, identities, strict=True) if left[each] > 0]


def columns(result: Result) -> list[Columns]:
    """What all calls say, in order: lines may have moved."""
    found = []
    for site in sites_of(result):
        arguments = {name: argument["cases"] for name, argument in site["arguments"].items()}
        found.append({"path": site["path"], "symbol": site["symbol"], **arguments, "mask": site["mask"]})
    return found


def attempt(before: Before, planting: Planting) -> Outcome:
    """Plant, fix, compare."""
    began, count = time.perf_counter(), 0
    planted = {planting.path: planting.text.encode("utf-8")}

    def again(changed: dict[str, bytes]) -> Result:
        nonlocal count
        count += 1
        return before.release.with_files({**planted, **changed})

    try:
        first = again({})
        judged = plant.judge(before.base, planting, plain(first.findings), time.perf_counter() - began)
        done = repaired(first, again, before.news(first))
    except Exception as error:
        return Outcome(planting, "error", reasons=(f"{type(error).__name__}: {error}",))
    differing = tuple(_differing(before.columns, columns(done.result)))
    more = Counter(f.code for f in done.result.findings) - Counter(f.code for f in before.release.result.findings)
    verdict = "restored" if not differing else "left" if more else "clean"
    reasons = tuple(f"{f.code} {f.place.path}:{f.place.span.line} {f.argument}: {why}" for f, why in done.left)
    same = done.files.get(planting.path) == before.release.read(planting.path)
    return Outcome(planting, verdict, judged, same, reasons, differing, time.perf_counter() - began, count)


def _differing(before: list[Columns], after: list[Columns]) -> Iterable[str]:
    if len(before) != len(after):
        yield f"{len(after)} calls instead of {len(before)}"
        return
    for old, new in zip(before, after, strict=True):
        for name in old:
            if old[name] != new[name]:
                yield f"{old['path']} {old['symbol']}: {name} is {_short(new[name])}, was {_short(old[name])}"


def _short(cases: Any) -> str:
    if isinstance(cases, list):
        return "; ".join(f"{case['value']} when {case['when']}" for case in cases)
    return str(cases)


# ------------------------------------------------------------------------------------------------ running

#: In each process: the tree.
_here: list[Before] = []


def _start(tree: Path) -> None:
    _here[:] = [Before.of(tree)]


def _attempt(planting: Planting) -> Outcome:
    outcome = attempt(_here[0], planting)
    found = "found" if outcome.planted and outcome.planted.found else "not found"
    noise = len(outcome.planted.noise) if outcome.planted else 0
    said = f"{outcome.verdict:8} {planting.what}: {planting.rewriting} ({found}, {noise} noise;"
    print(said, f"{outcome.seconds:.0f} s, {outcome.analyses} analyses)", file=sys.stderr, flush=True)
    return outcome


def measure(
    tree: Path, only: str, rewriting: str, slots: bool, every: int, most: int | None, jobs: int
) -> tuple[plant.Base, list[Outcome]]:
    """Plant and fix what fits."""
    before = Before.of(tree, only, slots)
    base = before.base
    base.plantings = [p for p in base.plantings if rewriting in p.rewriting][::every][:most]
    print(f"{len(base.plantings)} plantings", file=sys.stderr, flush=True)
    if jobs == 1:
        _here[:] = [before]
        return base, [_attempt(planting) for planting in base.plantings]
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(tree,)) as pool:
        return base, list(pool.map(_attempt, base.plantings))


def table(outcomes: Iterable[Outcome]) -> str:
    """Per rewriting: plantings, and what came of them; then the reasons for what was left."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    reasons: Counter[str] = Counter()
    for outcome in outcomes:
        key = (outcome.planting.rewriting, "query" if outcome.planting.query else "call")
        for row in (rows.setdefault(key, Counter()), rows.setdefault(("~ all", ""), Counter())):
            row.update(["plantings", outcome.verdict, *(["text"] if outcome.same_text else [])])
        if outcome.verdict == "left":
            reasons.update({reason.rpartition(": ")[2] for reason in outcome.reasons} or {"no reason given"})
    columns = ("plantings", "restored", "clean", "left", "error", "text")
    lines = [f"| rewriting | at | {' | '.join(columns)} |", "| --- " * (len(columns) + 2) + "|"]
    for (name, place), row in sorted(rows.items()):
        lines.append(f"| {name.removeprefix('~ ')} | {place} | {' | '.join(str(row[column]) for column in columns)} |")
    return "\n".join([*lines, "", *(f"{count} x {reason}" for reason, count in reasons.most_common())])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Plant mistakes in a release, fix them, and compare with the release.")
    parser.add_argument("release", nargs="?", help="a release of the corpora, such as 0.23.0")
    parser.add_argument("--tree", type=Path, help="another tree")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--rewriting", default="", help="only rewritings whose name contains this")
    parser.add_argument("--no-slots", action="store_true", help="leave out captured tuples")
    parser.add_argument("--every", type=int, default=1, help="a sample: only every Nth planting")
    parser.add_argument("--most", type=int, help="not more than so many")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    if (options.tree is None) == (options.release is None):
        parser.error("a release or --tree")
    if options.tree is None:
        from tests.corpora import unpacked

        options.tree = unpacked(options.release)
    began = time.perf_counter()
    slots = not options.no_slots
    base, outcomes = measure(
        options.tree, options.only, options.rewriting, slots, options.every, options.most, options.jobs
    )
    judged = [outcome.planted for outcome in outcomes if outcome.planted is not None]
    print(plant.table(base, judged), *plant.details(base, judged), "", table(outcomes), sep="\n")
    for outcome in outcomes:
        if outcome.verdict != "restored":
            print(f"{outcome.verdict.upper():8} {outcome.planting.what}: {outcome.planting.rewriting}")
            for line in (*outcome.reasons, *outcome.differing):
                print(f"         {line}")
    print(f"{time.perf_counter() - began:.0f} s")
    return int(any(outcome.verdict == "error" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
