"""An analysed tree in memory, in which files can be changed: only what changed is read anew, everything is judged anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fia_lint.judge.findings import Finding
from fia_lint.run import Result, analyse
from fia_lint.session import Answer, Request, answers

#: Findings and call sites as plain data, which goes from process to process: named as JSON output names them.
Findings = list[dict[str, Any]]
Sites = list[dict[str, Any]]


@dataclass(frozen=True)
class Release:
    """A tree, analysed as it is."""

    answer: Answer

    @property
    def result(self) -> Result:
        return self.answer.result

    def read(self, path: str) -> bytes:
        return self.answer.target.tree.read(path)

    def with_files(self, files: Mapping[str, bytes]) -> Result:
        """The result for the tree with some files replaced."""
        source = self.result.source.with_files(files)
        return analyse(source.tree, self.result.settings, self.answer.target.shown, source)


def opened(tree: Path) -> Release:
    """Analyse a tree, without any configuration of its own."""
    (answer,) = answers(Request((str(tree),), isolated=True))
    return Release(answer)


def sites_of(result: Result) -> Sites:
    return [site.as_json() for site in result.audit]


def plain(findings: Iterable[Finding]) -> Findings:
    return list(map(_plain, findings))


def _plain(finding: Finding) -> dict[str, Any]:
    call = finding.site.place.span
    return {
        "code": finding.code,
        "path": finding.place.path,
        "line": finding.place.span.line,
        "call": {"line": call.line, "column": call.column},
        "argument": finding.argument,
        "value": finding.value,
        "reference": finding.reference,
        "condition": finding.condition,
        "related": list(_places(finding)),
    }


def _places(finding: Finding) -> Iterator[dict[str, Any]]:
    for related in finding.related:
        yield {"path": related.place.path, "line": related.place.span.line}
