"""What every format shows: findings with their words, places with their names and source lines. Built once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fia_lint.report.naming import Naming, namings
from fia_lint.run import Result, source_line, source_text
from fia_lint.session import Answer

if TYPE_CHECKING:
    from fia_lint.evaluate.sites import Place
    from fia_lint.judge.findings import Finding, Related


@dataclass(frozen=True)
class Spot:
    """A place in a file: its name for programs, for people and in the repository, where it is, and the line of source there."""

    path: str
    shown: str
    rooted: str
    line: int
    column: int
    end_line: int
    end_column: int
    symbol: str
    text: str
    message: str = ""


@dataclass(frozen=True)
class Item:
    """A finding. ``message`` names files for programs, ``said`` is the same for people, ``claim`` without impact, ``headline``
    without condition too; ``call_text`` is the call as it is written, without blanks."""

    finding: Finding
    rule: str
    spot: Spot
    call: Spot
    message: str
    said: str
    claim: str
    headline: str
    impact: str
    related: tuple[Spot, ...]
    trace: Callable[[], tuple[Spot, ...]]
    setting: Callable[[], Spot | None]
    fingerprint: str
    call_text: str
    suppressed: bool = False

    @cached_property
    def origin(self) -> tuple[Spot, ...]:
        """Where the value came from, step by step: worked out when a format asks for it."""
        return self.trace()

    @cached_property
    def set_at(self) -> Spot | None:
        """The place where the value was set, if it is another than is told anyway: worked out when a format asks for it."""
        return self.setting()


@dataclass(frozen=True)
class Problem:
    """A file that could not be read or parsed, or a suppression that suppresses nothing."""

    path: str
    shown: str
    rooted: str
    line: int
    message: str
    column: int = 1


@dataclass(frozen=True)
class SiteItem:
    """A call site: ``data`` as JSON has it, ``rows`` of a condition and the values that are passed together under it."""

    data: dict[str, Any]
    shown: str
    rows: tuple[tuple[str, dict[str, str]], ...]

    @property
    def place(self) -> tuple[str, int, int]:
        return self.data["path"], self.data["line"], self.data["column"]


@dataclass(frozen=True)
class View:
    """All that a report shows. ``sources`` are the texts of the files with findings, by name."""

    items: list[Item]
    suppressed: list[Item]
    errors: list[Problem]
    unused: list[Problem]
    summary: dict[str, int]
    sites: list[SiteItem] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)


def view(answers: Sequence[Answer], language: str = "en", audit: bool = False) -> View:
    """Everything that there is to report, in path and line order."""
    total = View([], [], [], [], {"files": 0, "files_analysed": 0, "sites": 0, "findings": 0})
    for answer, naming in zip(answers, namings([a.target for a in answers]), strict=True):
        _add(total, answer.result, naming, language, audit)
    for items in (total.items, total.suppressed):
        items.sort(key=lambda item: (item.spot.path, item.spot.line, item.spot.column, item.finding.code))
    total.errors.sort(key=lambda problem: (problem.path, problem.line))
    total.sites.sort(key=lambda site: site.place)
    return total


def _add(total: View, result: Result, naming: Naming, language: str, audit: bool) -> None:
    from fia_lint.report.sentences import phrase

    prints = _fingerprints([*result.findings, *result.suppressed])
    for findings, into in ((result.findings, total.items), (result.suppressed, total.suppressed)):
        for finding in findings:
            into.append(_item(finding, result, naming, language, prints[id(finding)], into is total.suppressed))
            facts = result.source.facts(finding.place.path)
            total.sources[naming.name(finding.place.path)] = facts.source if facts else ""
    for error in result.errors:
        total.errors.append(Problem(*names_of(error.path, naming), error.line, error.message))
    for path, idle in result.unused.items():
        for one in idle:
            words = phrase("idle", language).format(", ".join(one.codes))
            total.unused.append(Problem(*names_of(path, naming), one.line, words, one.column))
    for key, count in result.summary.items():
        total.summary[key] += count
    if audit:
        for site in result.audit:
            rows = tuple((row.when, row.values) for row in site.rows)
            total.sites.append(SiteItem(site.as_json(naming.name), naming.shown(site.path), rows))


def _item(finding: Finding, result: Result, naming: Naming, language: str, fingerprint: str, suppressed: bool) -> Item:
    from fia_lint.judge.rules import RULES
    from fia_lint.report import sentences
    from fia_lint.report.origins import of_finding
    from fia_lint.report.setting import set_at

    rule = RULES[finding.code]
    return Item(
        finding=finding,
        rule=rule.name,
        spot=spot(finding.place, result, naming),
        call=spot(finding.site.place, result, naming),
        message=sentences.message(finding, naming.name, "en"),
        said=sentences.message(finding, naming.shown, language),
        claim=sentences.message(finding, naming.shown, language, effect=False),
        headline=sentences.message(finding, naming.shown, language, condition=False, effect=False),
        impact=sentences.impact(finding, language),
        related=tuple(_related(each, result, naming, language) for each in finding.related),
        trace=lambda: of_finding(finding, result, naming, language),
        setting=lambda: set_at(finding, result, naming),
        fingerprint=fingerprint,
        call_text="".join(source_text(result, finding.site.place).split()),
        suppressed=suppressed,
    )


def _related(related: Related, result: Result, naming: Naming, language: str) -> Spot:
    from fia_lint.report import sentences

    return spot(related.place, result, naming, sentences.related(related, language))


def spot(place: Place, result: Result, naming: Naming, message: str = "") -> Spot:
    """A place as a report shows it; where only the line is known, what stands on it."""
    line, text = place.span.line, source_line(result, place)
    start, end = place.span[:2], place.span[2:]
    span = place.span if start < end else (line, len(text) - len(text.lstrip()) + 1, line, len(text.rstrip()) + 1)
    return Spot(*names_of(place.path, naming), *span, place.symbol, text, message)


def names_of(path: str, naming: Naming) -> tuple[str, str, str]:
    """A file's name for programs, for people, and in the repository."""
    return naming.name(path), naming.shown(path), naming.rooted(path)


def _fingerprints(findings: Sequence[Finding]) -> dict[int, str]:
    """An identity per finding that neither moved lines nor unrelated changes alter; equal ones are numbered in order."""
    seen: Counter[tuple[str, ...]] = Counter()
    prints = {}
    for finding in sorted(findings, key=lambda f: (f.place.path, f.place.span, f.code)):
        site = finding.site
        key = (
            finding.code, site.key.path, site.symbol, site.operator, site.overload, finding.argument or "", finding.value,
        )  # fmt: skip
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        prints[id(finding)] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return prints
