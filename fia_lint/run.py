"""From a tree to findings: the one function under every front end."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fia_lint.collecting import rare_collections
from fia_lint.errors import SourceError
from fia_lint.facts import FactsSource
from fia_lint.operators import enabled
from fia_lint.selection import selected
from fia_lint.settings import Settings
from fia_lint.suppress import Suppression, Suppressions
from fia_lint.targets.tree import Tree

if TYPE_CHECKING:
    from fia_lint.evaluate.sites import Evaluation, Place
    from fia_lint.judge import AuditSite
    from fia_lint.judge.findings import Finding
    from fia_lint.trace import Tracer


@dataclass
class Result:
    """What a run found. ``findings`` are those to report, ``suppressed`` those that a comment in the code silences.

    Nothing was evaluated if no file names an operator.
    """

    findings: list[Finding]
    suppressed: list[Finding]
    evaluation: Evaluation | None
    errors: list[SourceError]
    shown: Collection[str]
    source: FactsSource
    settings: Settings
    describe: Callable[[], list[AuditSite]]
    #: The paths of the files that the evaluation read.
    read: list[str] = field(default_factory=list)
    unused: dict[str, list[Suppression]] = field(default_factory=dict)

    @cached_property
    def audit(self) -> list[AuditSite]:
        """Every call site of the target with its cases, in path and line order."""
        return [site for site in self.describe() if site.site.key.path in self.shown]

    @cached_property
    def tracer(self) -> Tracer:
        """Tells where values came from. Only for a result with an evaluation."""
        from fia_lint.trace import Tracer

        assert self.evaluation is not None
        return Tracer(self.source, self.read, self.evaluation)

    @property
    def summary(self) -> dict[str, int]:
        return {
            "files": len(self.shown),
            "files_analysed": sum(path in self.shown for path in self.source.extracted),
            "sites": sum(site.key.path in self.shown for site in self.evaluation.sites) if self.evaluation else 0,
            "findings": len(self.findings),
        }


@rare_collections()
def analyse(
    tree: Tree,
    settings: Settings,
    targets: Collection[str] | None = None,
    source: FactsSource | None = None,
    off: Callable[[str, str], bool] = lambda code, path: False,
    unused_suppressions: bool = False,
) -> Result:
    """Analyse a tree; report what is at the paths in ``targets`` (all of them if that is None).

    ``off`` tells whether a rule is off for a file, beyond what the settings say for all files.
    """
    source = source or FactsSource(tree)
    shown = frozenset(tree.paths() if targets is None else targets)
    naming = sorted({path for name in enabled(settings.operators) for path in source.mentioning(name)})
    if not naming:
        empty = Result([], [], None, _errors(source), shown, source, settings, list)
        empty.unused = _unused(empty, []) if unused_suppressions else {}
        return empty
    source.prefetch(naming)

    from fia_lint.evaluate import evaluate
    from fia_lint.extract.deep import deep
    from fia_lint.judge import Judgement

    whole = replace(settings, include_tests=True)
    # What can be parsed can be nested deeper than an ordinary stack lets anybody follow.
    evaluation = deep(lambda: evaluate(source, whole))
    read = source.extracted
    judgement = Judgement(evaluation, whole)
    found = [f for f in deep(lambda: judgement.findings) if f.place.path in shown and _is_on(f, settings, off)]
    suppressions = {path: _suppressions(source, path) for path in {f.place.path for f in found}}
    silent = [f for f in found if suppressions[f.place.path].suppresses(f.code, lines_of(f))]
    result = Result(
        [f for f in found if f not in silent], silent, evaluation, _errors(source), shown, source, settings,
        lambda: deep(lambda: judgement.sites), read,
    )  # fmt: skip
    if unused_suppressions:
        result.unused = _unused(result, found)
    return result


def lines_of(finding: Finding) -> tuple[int, int]:
    """The lines on which a comment suppresses a finding: its own, and the call's first."""
    return finding.place.span.line, finding.site.key.span.line


def _is_on(finding: Finding, settings: Settings, off: Callable[[str, str], bool]) -> bool:
    """Whether the finding's rule is on where it is; in test trees none is unless they are asked for."""
    if finding.site.in_tests and not settings.include_tests:
        return False
    return selected(finding.code, settings) and not off(finding.code, finding.place.path)


def _suppressions(source: FactsSource, path: str) -> Suppressions:
    facts = source.facts(path)
    return Suppressions(facts.noqa if facts else ())


def _errors(source: FactsSource) -> list[SourceError]:
    return [source.errors[path] for path in sorted(source.errors)]


def _unused(result: Result, found: list[Finding]) -> dict[str, list[Suppression]]:
    """The suppressions of our codes that suppress nothing, by path."""
    from fia_lint.judge.rules import RULES

    enabled_codes = [code for code in RULES if selected(code, result.settings)]
    unused = {}
    for path in sorted(result.shown):
        data = result.source.data(path)
        if b"noqa" in data.lower() and b"FIA" in data:
            used = [(f.code, lines_of(f)) for f in found if f.place.path == path]
            idle = _suppressions(result.source, path).unused(used, enabled_codes)
            if idle:
                unused[path] = idle
    return unused


def source_text(result: Result, place: Place) -> str:
    """The source of a place."""
    facts = result.source.facts(place.path)
    return facts.text(place.span) if facts else ""


def source_line(result: Result, place: Place) -> str:
    """The first line of a place, as the source has it."""
    facts = result.source.facts(place.path)
    lines = facts.source.split("\n") if facts else []
    return lines[place.span.line - 1] if place.span.line <= len(lines) else ""
