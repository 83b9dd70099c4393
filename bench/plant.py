"""Plant the bug: rewrite one call of a release, run the tool, and see whether a finding names the call and nothing else is new.

    python bench/plant.py 0.23.0 [--only attention_v1.py] [--jobs 2] [--rewriting TEXT] [--no-slots] [--every N]
    python bench/plant.py --tree FOLDER

A finding is new if none with the same code, call, argument, value, reference and condition was there before. A planting is
*found* if a new finding of an expected code names each call that gets the mistake, as its place or as a related site; it is
*complete* if every expected code does so. *Noise* are new findings at calls that have nothing to do with it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.release import Findings, Release, opened, plain, sites_of  # noqa: E402
from bench.rewritings import Key, Planting, plantings  # noqa: E402
from bench.slots import slot_plantings  # noqa: E402
from bench.source import Source  # noqa: E402

NAME = b"npu_fused_infer_attention_score"


@dataclass(frozen=True)
class Site:
    """What a planting needs to know of a call: where it ends, its function, role and group."""

    key: Key
    end: int
    symbol: str
    role: str
    group: str


@dataclass
class Base:
    """The tree before anything is planted."""

    sites: dict[Key, Site]
    aware: frozenset[Key]
    findings: Counter[tuple[Any, ...]]
    plantings: list[Planting]
    alone: frozenset[str]


@dataclass
class Outcome:
    """What came of one planting."""

    planting: Planting
    found: bool
    complete: bool
    missing: list[str]
    noise: list[str]
    gone: int
    seconds: float
    news: list[str] = field(default_factory=list)


def identity(finding: dict[str, Any]) -> tuple[Any, ...]:
    """What makes a finding the same before and after."""
    parts = ("code", "argument", "value", "reference", "condition")
    return finding["path"], finding["call"]["line"], *(finding[part] for part in parts)


def prepare(release: Release, only: str, slots: bool) -> Base:
    """What a tree is before anything is planted, and all plantings."""
    listed = sites_of(release.result)
    texts = {path: release.read(path) for path in release.answer.target.tree.paths()}
    sources = [Source(path, data.decode("utf-8")) for path, data in texts.items() if NAME in data]
    by_path = {source.path: source for source in sources}
    sites = {}
    for site in listed:
        key = (site["path"], site["line"])
        end = by_path[key[0]].call(key[1], site["column"]).end_lineno if key[0] in by_path else key[1]
        sites[key] = Site(key, end or key[1], site["symbol"], site["role"], site["group"])
    aware = frozenset((s["path"], s["line"]) for s in listed if s["window_aware"])
    voters = Counter(sites[key].group for key in aware if sites[key].role != "workspace")
    made = [p for source in sources for p in plantings(source, listed)]
    made += slot_plantings(sources, aware) if slots else ()
    made = [p for p in made if only in p.path]
    alone = frozenset(group for group, count in voters.items() if count == 1)
    return Base(sites, aware, Counter(map(identity, plain(release.result.findings))), made, alone)


def judge(base: Base, planting: Planting, findings: Findings, seconds: float) -> Outcome:
    """Compare the findings after a planting with those before."""
    left = Counter(map(identity, findings)) - base.findings
    news = [finding for finding in findings if left[identity(finding)] > 0]
    by_call = {}
    for key, codes in planting.expected.items():
        seen = {finding["code"] for finding in news if names(base, finding, key)}
        by_call[key] = seen, set(codes) - seen
    enough = any if planting.any_of else all
    found = enough(seen & set(planting.expected[key]) for key, (seen, _) in by_call.items())
    missing = [f"{key[1]} {code}" for key, (_, codes) in by_call.items() for code in sorted(codes)]
    complete = not missing if not planting.any_of else any(not codes for _, codes in by_call.values())
    linked = _linked(base, planting)
    apart = [f for f in news if _at(f) not in linked and not any(names(base, f, k) for k in planting.expected)]
    noise = [describe(f) for f in apart if not _lost_its_only_reference(base, planting, f)]
    gone = sum((base.findings - Counter(map(identity, findings))).values())
    return Outcome(planting, bool(found), complete, missing, noise, gone, seconds, [describe(f) for f in news])


def names(base: Base, finding: dict[str, Any], key: Key) -> bool:
    """Whether a finding names a call, as its own or as a related site."""
    site = base.sites.get(key)
    end = site.end if site else key[1]
    related = any(r["path"] == key[0] and key[1] <= r["line"] <= end for r in finding["related"])
    return _at(finding) == key or related


def _at(finding: dict[str, Any]) -> Key:
    return finding["path"], finding["call"]["line"]


def _linked(base: Base, planting: Planting) -> set[Key]:
    """Calls at which news is no noise: the workspace queries of the same function, and the updates that a changed capture
    or captured tuple feeds (those of its class; if there are none, those of its group)."""
    planted = [base.sites[key] for key in planting.expected if key in base.sites]
    linked = set(planting.expected)
    for site in planted:
        same = [s for s in base.sites.values() if (s.key[0], s.symbol) == (site.key[0], site.symbol)]
        linked |= {s.key for s in same if s.role == "workspace"}
        if site.role in ("capture", "update"):
            updates = [s for s in base.sites.values() if s.role == "update" and s.group == site.group]
            linked |= {s.key for s in [u for u in updates if _class(u) == _class(site)] or updates}
    return linked


def _lost_its_only_reference(base: Base, planting: Planting, finding: dict[str, Any]) -> bool:
    """Whether it is said of a graph call that no eager call of its class runs its kind of mask, after one was changed."""
    eager = [base.sites[key] for key in planting.expected if key in base.sites and base.sites[key].role == "eager"]
    graph = base.sites.get(_at(finding))
    return finding["code"] == "FIA103" and graph is not None and any(_class(graph) == _class(site) for site in eager)


def _class(site: Site) -> tuple[str, str]:
    return site.key[0], site.symbol.rpartition(".")[0]


def describe(finding: dict[str, Any]) -> str:
    parts = [finding["code"], f"{finding['path']}:{finding['call']['line']}", str(finding["argument"])]
    return " ".join([*parts, f"{finding['value']} / {finding['reference']}", f"[{finding['condition']}]"])


# ------------------------------------------------------------------------------------------------ running

#: In each process: the tree.
_here: list[tuple[Release, Base]] = []


def _start(tree: Path, base: Base) -> None:
    """Make this process ready."""
    _here[:] = [(opened(tree), base)]


def _plant(number: int) -> Outcome:
    release, base = _here[0]
    planting = base.plantings[number]
    began = time.perf_counter()
    try:
        result = release.with_files({planting.path: planting.text.encode("utf-8")})
    except Exception as error:
        return Outcome(planting, False, False, [f"{type(error).__name__}: {error}"], [], 0, time.perf_counter() - began)
    return judge(base, planting, plain(result.findings), time.perf_counter() - began)


def plant(
    tree: Path, only: str = "", jobs: int = 1, rewriting: str = "", slots: bool = True, every: int = 1
) -> tuple[Base, list[Outcome]]:
    """Make and judge the plantings of a tree: all that fit, or each of them whose number ``every`` divides."""
    release = opened(tree)
    base = prepare(release, only, slots)
    base.plantings = [p for p in base.plantings if rewriting in p.rewriting][::every]
    numbers = range(len(base.plantings))
    if jobs == 1:
        _here[:] = [(release, base)]
        return base, _watched(base, map(_plant, numbers))
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(tree, base)) as pool:
        return base, _watched(base, pool.map(_plant, numbers))


def _watched(base: Base, outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes; each is told on standard error as it comes, for a run over a whole release takes long."""
    seen = []
    for outcome in outcomes:
        seen.append(outcome)
        what = f"{outcome.planting.what}: {outcome.planting.rewriting}"
        state = "found" if outcome.found else "NOT FOUND" if counted(base, outcome) else "listed"
        print(f"{len(seen)}/{len(base.plantings)} {state}, {len(outcome.noise)} noise  {what}", file=sys.stderr, flush=True)
    return seen


def counted(base: Base, outcome: Outcome) -> bool:
    """Not counted: slots that another tuple of the length hides, and what needs a reference where there is only one site."""
    groups = {base.sites[key].group for key in outcome.planting.expected if key in base.sites}
    needs_reference = {code for codes in outcome.planting.expected.values() for code in codes} & {"FIA101", "FIA102"}
    return outcome.planting.counted and not (groups & base.alone and needs_reference)


# ------------------------------------------------------------------------------------------------ printing


def table(base: Base, outcomes: Iterable[Outcome]) -> str:
    """Recall per rewriting, at calls and at workspace queries, and noise."""
    rows: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    listed = 0
    for outcome in outcomes:
        if counted(base, outcome):
            rows[outcome.planting.rewriting, "query" if outcome.planting.query else "call"].append(outcome)
        else:
            listed += 1
    lines = ["| rewriting | at | plantings | found | complete | with noise |", "| --- | --- | --- | --- | --- | --- |"]
    for (name, place), group in sorted(rows.items()):
        cells = [len(group), sum(o.found for o in group), sum(o.complete for o in group), sum(bool(o.noise) for o in group)]
        lines.append(f"| {name} | {place} | {' | '.join(map(str, cells))} |")
    everything = [o for group in rows.values() for o in group]
    cells = [len(everything), sum(o.found for o in everything), sum(o.complete for o in everything)]
    lines.append(f"| all | | {' | '.join(map(str, cells))} | {sum(bool(o.noise) for o in everything)} |")
    return "\n".join([*lines, f"({listed} more are listed, not counted)"])


def details(base: Base, outcomes: Iterable[Outcome]) -> Iterable[str]:
    """Every planting that is not found, not complete, or noisy."""
    for outcome in outcomes:
        head = f"{outcome.planting.what}: {outcome.planting.rewriting}"
        if not counted(base, outcome):
            yield f"listed      {head}: {'found' if outcome.found else 'not found'}"
        elif not outcome.found:
            yield f"NOT FOUND   {head}: {', '.join(outcome.missing)}"
            yield from (f"            new: {text}" for text in outcome.news)
        elif not outcome.complete:
            yield f"incomplete  {head}: without {', '.join(outcome.missing)}"
        yield from (f"NOISE       {head}: {text}" for text in outcome.noise)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Plant mistakes in a release and count what is found.")
    parser.add_argument("release", nargs="?", help="a release of the corpora, such as 0.23.0")
    parser.add_argument("--tree", type=Path, help="another tree")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--rewriting", default="", help="only rewritings whose name contains this")
    parser.add_argument("--no-slots", action="store_true", help="leave out captured tuples")
    parser.add_argument("--every", type=int, default=1, help="a sample: only every Nth planting")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    if (options.tree is None) == (options.release is None):
        parser.error("a release or --tree")
    if options.tree is None:
        from tests.corpora import unpacked

        options.tree = unpacked(options.release)
    began = time.perf_counter()
    slots = not options.no_slots
    base, outcomes = plant(options.tree, options.only, options.jobs, options.rewriting, slots, options.every)
    print(table(base, outcomes))
    for line in details(base, outcomes):
        print(line)
    print(f"{len(base.sites)} sites, {len(base.aware)} window-aware, {time.perf_counter() - began:.0f} s")
    return 0 if all(o.found and not o.noise for o in outcomes if counted(base, o)) else 1


if __name__ == "__main__":
    sys.exit(main())
