"""What every call site passes, case by case: the data behind ``audit``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, test
from fia_lint.algebra.region import Named, identical
from fia_lint.algebra.terms import Kind, Subject
from fia_lint.evaluate.sites import Place, Site
from fia_lint.judge.findings import Finding
from fia_lint.judge.fixed import Fixed, deciding, printed
from fia_lint.judge.masks import Arguments
from fia_lint.judge.views import RecordView, SiteView
from fia_lint.operators import MASK_ARGUMENTS

#: The columns of a site: the four arguments, and what the mode makes of them.
COLUMNS = (*MASK_ARGUMENTS, "mask")

#: A condition over the fixed conditions, and the arguments that are passed under it.
Entry = tuple[Diagram, Arguments]


@dataclass(frozen=True)
class Case:
    """A value, and when it is passed."""

    when: str
    value: str


@dataclass(frozen=True)
class Row:
    """All values that are passed together, by column."""

    when: str
    values: dict[str, str]


@dataclass(frozen=True)
class AuditSite:
    """A call site. ``cases`` by column, ``rows`` the same together; ``findings`` are those at this site."""

    site: Site
    window_aware: bool
    cases: dict[str, tuple[Case, ...]]
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def path(self) -> str:
        return self.site.key.path

    @property
    def disagrees(self) -> bool:
        """Whether the site has a finding of a rule that is on by default."""
        from fia_lint.judge.rules import RULES

        return any(RULES[finding.code].default for finding in self.findings)

    def as_json(self, name: Callable[[str], str] = str) -> dict[str, Any]:
        """The object of the audit's ``sites``; ``name`` turns a path of the tree into one of the report."""
        site = self.site
        found: dict[str, Any] = {
            "path": name(self.path),
            "line": site.key.span.line,
            "column": site.key.span.column,
            "symbol": site.symbol,
            "operator": site.operator,
            "overload": site.overload,
            "role": site.role,
            "group": site.group,
            "window_aware": self.window_aware,
            "via": [_place(place, name) for place in site.via],
            "arguments": {argument: self._argument(argument) for argument in MASK_ARGUMENTS},
            "mask": self._cases("mask"),
        }
        if site.unreached:
            found["unreached"] = True
        return found

    def _argument(self, argument: str) -> dict[str, Any]:
        written = self.site.arguments[argument]
        return {"source": written.source, "default": written.default, "cases": self._cases(argument)}

    def _cases(self, column: str) -> list[dict[str, str]]:
        return [{"when": case.when, "value": case.value} for case in self.cases[column]]


def _place(place: Place, name: Callable[[str], str]) -> dict[str, Any]:
    return {"path": name(place.path), "line": place.span.line, "column": place.span.column, "symbol": place.symbol}


def audited(view: SiteView, findings: tuple[Finding, ...] = ()) -> AuditSite:
    """What a site passes. Cases exclude each other and cover exactly the conditions under which it is reached."""
    entries = _entries(view)
    cases = {column: _by_text(view, entries, lambda call, c=column: (_text(call, c),)) for column in COLUMNS}
    joint = _by_text(view, entries, lambda call: tuple(_text(call, column) for column in COLUMNS))
    return AuditSite(
        view.site,
        view.window_aware,
        {column: tuple(Case(when, texts[0]) for when, texts in found) for column, found in cases.items()},
        tuple(Row(when, dict(zip(COLUMNS, texts, strict=True))) for when, texts in joint),
        findings,
    )


def _text(call: Arguments, column: str) -> str:
    return str(call.mask) if column == "mask" else call.text(column)


def _by_text(
    view: SiteView, entries: list[Entry], texts_of: Callable[[Arguments], tuple[str, ...]]
) -> list[tuple[str, tuple[str, ...]]]:
    """The conditions under which a call reads the same, in the order of their words."""
    found: dict[tuple[str, ...], Diagram] = {}
    for condition, call in entries:
        texts = texts_of(call)
        found[texts] = disj(found.get(texts, FALSE), condition)
    return sorted((printed(condition, view.regimes), texts) for texts, condition in found.items())


# ------------------------------------------------------------------------------------------------ several records


def _entries(view: SiteView) -> list[Entry]:
    """What is passed when, over all ways of reaching the site. Ways that contradict each other are told apart."""
    plain = [(TRUE, record) for record in view.records]
    for marks in (plain, [(_selector(r), r) for r in view.records], _marked(view.records)):
        entries = _passed(view, marks)
        if not _contradict(entries):
            break
    return entries


def _passed(view: SiteView, marks: list[tuple[Diagram, RecordView]]) -> list[Entry]:
    """What is passed when, each record under a mark of its own."""
    fixed = Fixed(deciding([*(mark for mark, _ in marks), *(record.calls for record in view.records)]))
    return [
        (fixed.project(conj(case.condition, mark)), case.calls[0])
        for mark, record in marks
        for case in record.cases()
    ]


def _contradict(entries: list[Entry]) -> bool:
    """Whether two calls that read differently are made under one condition."""
    for number, (condition, call) in enumerate(entries):
        for other_condition, other in entries[:number]:
            differ = any(_text(call, column) != _text(other, column) for column in COLUMNS)
            if differ and conj(condition, other_condition) is not FALSE:
                return True
    return False


def _selector(record: RecordView) -> Diagram:
    return record.record.selector or TRUE


def _marked(records: list[RecordView]) -> list[tuple[Diagram, RecordView]]:
    """Records told apart by the class that runs them, and by where they are entered."""
    classes = {record.record.cls for record in records}
    found, seen = [], set()
    for number, record in enumerate(records):
        cls, entry = record.record.cls, record.record.entry or "module"
        name = f"{entry}[{number}]" if (cls, entry) in seen else entry
        seen.add((cls, entry))
        mark = conj(_is("type(self)", cls) if len(classes) > 1 else TRUE, _is("entry", name))
        found.append((mark, record))
    return found


def _is(what: str, name: str) -> Diagram:
    subject = Subject(("way", what), what, Kind.LOCAL)
    return test(subject, identical(Named(name.rpartition(":")[2])))


__all__ = ["AuditSite", "COLUMNS", "Case", "Row", "audited"]
