"""What every call site passes, case by case: the data behind ``audit``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, exists, rename, test
from fia_lint.algebra.region import Named, identical
from fia_lint.algebra.terms import Kind, Subject
from fia_lint.evaluate.sites import Place, Site
from fia_lint.judge.arguments import Arguments
from fia_lint.judge.findings import Finding
from fia_lint.judge.fixed import Blocks, Fixed, deciding, printed
from fia_lint.judge.views import RecordView, SiteView
from fia_lint.operators import MASK_ARGUMENTS

#: The columns of a site: the four arguments, and what the mode makes of them.
COLUMNS = (*MASK_ARGUMENTS, "mask")

#: What stands in some of the columns, and the condition under which it is passed.
Texts = tuple[str, ...]
Passed = tuple[Texts, Diagram]


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
        if not self.rows:
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
    joint = _by_text(view, partial(_texts, columns=COLUMNS))
    if len(joint) == 1:  # nothing to tell apart in any column
        ((when, only),) = joint
        cases = {column: [(when, (text,))] for column, text in zip(COLUMNS, only, strict=True)}
    else:
        cases = {column: _by_text(view, partial(_texts, columns=(column,))) for column in COLUMNS}
    return AuditSite(
        view.site,
        view.window_aware,
        {column: tuple(Case(when, texts[0]) for when, texts in found) for column, found in cases.items()},
        tuple(Row(when, dict(zip(COLUMNS, texts, strict=True))) for when, texts in joint),
        findings,
    )


def _texts(call: Arguments, columns: Texts) -> Texts:
    """What stands in some of the columns."""
    return tuple(str(call.mask) if column == "mask" else call.text(column) for column in columns)


def _by_text(view: SiteView, texts_of: Callable[[Arguments], Texts]) -> list[tuple[str, Texts]]:
    """The conditions under which a call reads the same, in the order of their words."""
    found: dict[Texts, Diagram] = {}
    for texts, condition in _told_apart(view.records, texts_of):
        found[texts] = disj(found.get(texts, FALSE), condition)
    return sorted((printed(condition, view.regimes), texts) for texts, condition in found.items())


# ------------------------------------------------------------------------------------------------ several records


def _told_apart(records: list[RecordView], texts_of: Callable[[Arguments], Texts]) -> list[Passed]:
    """What is passed when, over all ways of reaching a site; what reads differently does not overlap.

    Ways that contradict each other are told apart by what the evaluation knows of them, by the class that runs them, by
    their paths, by where they are entered: the first of these that is enough.
    """
    records = _aligned(records)
    decides = deciding(record.calls for record in records)
    whole: list[Passed] = []
    for marks in _marks(records):
        whole = _passed(records, marks, texts_of)
        found = _projected(whole, {**decides, **deciding(marks)})
        if not _overlap(found):
            return found
    if not _overlap(whole):
        return _least(whole, decides)
    marks = _entries(records)
    return _projected(_passed(records, marks, texts_of), {**decides, **deciding(marks)})


def _aligned(records: list[RecordView]) -> list[RecordView]:
    """The records with what one expression gives in each of them under one name: no two of them happen at once."""
    if len(records) < 2:
        return records
    found = []
    for view in records:
        record = view.record
        held = [record.path, *record.values.values()]
        opaque = {
            s for diagram in held for s in (*diagram.support, *diagram.subjects) if s.key[0] == "opaque" and len(s.key) == 4
        }
        names: dict[Subject, Subject] = {}
        for subject in sorted(opaque, key=_made):
            count = sum(other.key[1:3] == subject.key[1:3] for other in names)
            names[subject] = replace(subject, key=("alike", *subject.key[1:3], count))
        values = {name: rename(value, names) for name, value in record.values.items()}
        found.append(RecordView(view.site, replace(record, path=rename(record.path, names), values=values)))
    return found


def _made(subject: Subject) -> tuple[bool, object]:
    """In which order opaque subjects were made: some have numbers, others are known by where they come from."""
    number = subject.key[3]
    return not isinstance(number, int), number if isinstance(number, int) else repr(number)


def _passed(records: list[RecordView], marks: list[Diagram], texts_of: Callable[[Arguments], Texts]) -> list[Passed]:
    """What is passed when, over all records, each under a mark of its own."""
    return [
        (texts_of(case.calls[0]), conj(case.condition, mark))
        for mark, record in zip(marks, records, strict=True)
        for case in record.cases(key=texts_of)
    ]


def _projected(whole: list[Passed], blocks: Blocks) -> list[Passed]:
    fixed = Fixed(blocks)
    return [(texts, fixed.project(condition)) for texts, condition in whole]


def _overlap(passed: list[Passed]) -> bool:
    """Whether two things that read differently are passed under one condition."""
    return any(a != b and conj(one, other) is not FALSE for (a, one), (b, other) in combinations(passed, 2))


def _least(whole: list[Passed], decides: Blocks) -> list[Passed]:
    """What does not overlap with as much as possible forgotten, opaque tests first."""
    asked = set().union(*(condition.support for _, condition in whole)) - decides.keys()
    for subject in sorted(asked, key=lambda subject: subject.order, reverse=True):
        if subject.kind is not Kind.WINDOW:
            fewer = [(texts, exists(condition, {subject}.__contains__)) for texts, condition in whole]
            whole = whole if _overlap(fewer) else fewer
    return whole


# ------------------------------------------------------------------------------------------------ marks


def _marks(records: list[RecordView]) -> Iterator[list[Diagram]]:
    """Ever more telling marks: a condition for each record that holds for this way of reaching the site."""
    yield [TRUE for _ in records]
    selectors = [record.record.selector or TRUE for record in records]
    yield selectors
    names = [record.record.cls.rpartition(":")[2] for record in records]
    if len(set(names)) > 1:
        yield [conj(selector, _is("type(self)", name)) for selector, name in zip(selectors, names, strict=True)]


def _entries(records: list[RecordView]) -> list[Diagram]:
    """A mark for each record that no other has: the function that is entered, and where several are, the way from there."""
    names = [record.record.entry or "module" for record in records]
    ways = [
        ", ".join(step for step in record.record.way if not all(step in other.record.way for other in records))
        for record in records
    ]
    marks = []
    for index, told in enumerate(zip(names, ways, strict=True)):
        earlier = list(zip(names, ways, strict=True))[:index].count(told)
        way = told[1] or "itself"
        way = f"{way} ({earlier + 1})" if earlier else way
        entered = _is("entry", told[0]) if len(set(names)) > 1 else TRUE
        marks.append(conj(entered, _is("way", repr(way))) if names.count(told[0]) > 1 else entered)
    return marks


def _is(what: str, name: str) -> Diagram:
    return test(Subject(("way", what), what, Kind.LOCAL), identical(Named(name)))


__all__ = ["AuditSite", "COLUMNS", "Case", "Row", "audited"]
