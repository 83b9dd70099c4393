"""``explain``: the page of a rule, or how the mask arguments of a call got their values."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fia_lint.cli.commands import request, style_of
from fia_lint.cli.output import write
from fia_lint.cli.program import OK, complain
from fia_lint.cli.progress import progress
from fia_lint.errors import UsageError
from fia_lint.report.clean import clean
from fia_lint.report.naming import Naming, namings
from fia_lint.session import Answer, Request, answers, exclusion

if TYPE_CHECKING:
    from fia_lint.judge import AuditSite

_LOCATION = re.compile(r"(?P<file>.+?):(?P<line>[1-9]\d*)(?::(?P<column>[1-9]\d*))?:?", re.S)


#: How many files of one name an error lists.
MOST_CHOICES = 10


class Location(NamedTuple):
    """A line of a file, from 1, and maybe a column."""

    file: str
    line: int
    column: int | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


def explain(options: argparse.Namespace) -> int:
    """Run the command."""
    match = _LOCATION.fullmatch(options.what)
    if match is None:
        return _page(options)
    column = int(match["column"]) if match["column"] else None
    return _calls(options, Location(match["file"], int(match["line"]), column))


def _page(options: argparse.Namespace) -> int:
    """The page of a rule."""
    from fia_lint.judge.rules import RULES
    from fia_lint.report.rules import rule_page

    names = {rule.name: code for code, rule in RULES.items()}
    code = names.get(options.what.lower(), options.what.upper())
    if code not in RULES and os.path.isfile(options.what):
        raise UsageError(f"{options.what!r}: a line is missing; expected {options.what}:LINE[:COLUMN]")
    if code not in RULES:
        raise UsageError(f"unknown code {options.what!r}; expected FILE:LINE[:COLUMN] or one of {', '.join(RULES)}")
    if options.target is not None:
        raise UsageError(f"{options.target!r}: a TARGET goes with FILE:LINE, not with a code")
    write(rule_page(code), options.output)
    return OK


def _calls(options: argparse.Namespace, location: Location) -> int:
    """The calls at a location."""
    from fia_lint.report.explain import as_json, as_text, explained

    options.targets = [options.target or location.file]
    asked = request(options)
    with progress(f"fia-lint: reading {clean(' '.join(asked.specs))}", not options.quiet):
        (answer,) = answers(asked)
        naming = namings([answer.target])[0]
        path = _path(asked, answer, naming, location, options.target)
        _readable(answer, path)
        sites = chosen([site for site in answer.result.audit if site.path == path], location)
        language = "en" if options.format == "json" else options.language
        found = [explained(site, answer.result, naming, language) for site in sites]
    write(as_json(found) if options.format == "json" else as_text(found, style_of(options)), options.output)
    return OK


def _path(asked: Request, answer: Answer, naming: Naming, location: Location, target: str | None) -> str:
    """The path in the tree of the file that is meant: as a report names it, or the end of the only path that fits."""
    shown = sorted(answer.target.shown)
    wanted = location.file.removeprefix("./").replace("\\", "/")
    if target is None:
        fits = shown
    else:
        exact = [path for path in shown if wanted in (path, naming.name(path), naming.shown(path))]
        fits = exact or [path for path in shown if path.endswith(f"/{wanted}")]
    if not fits:
        why = _excluded(asked, answer, [location.file, os.path.join(target or "", location.file)])
        raise UsageError(f"{location.file!r}: {why or f'no such file in {target or location.file}'}")
    if len(fits) > 1:
        choice = ", ".join(map(naming.shown, fits[:MOST_CHOICES])) + (", …" if len(fits) > MOST_CHOICES else "")
        raise UsageError(f"{location.file!r}: {len(fits)} files of that name in {target}; expected one of {choice}")
    return fits[0]


def _excluded(asked: Request, answer: Answer, names: list[str]) -> str:
    """What excludes the first of some files on disk that is there, in words."""
    paths = [Path(os.path.abspath(name)) for name in names if os.path.isfile(name)]
    return exclusion(asked, answer.configuration, paths[0]) if paths else ""


def _readable(answer: Answer, path: str) -> None:
    """A file that cannot be read or parsed has no calls to explain; errors of others are said and no more."""
    for error in answer.result.errors:
        if error.path == path:
            raise UsageError(f"{path}:{error.line}: {error.message}")
        complain(f"error: {error.path}:{error.line}: {error.message}")


def chosen(sites: list[AuditSite], location: Location) -> list[AuditSite]:
    """The calls that a location means: those that begin on the line, else the innermost around it. Raises ``UsageError``."""
    around = [site for site in sites if _covers(site, location)]
    begin = [site for site in around if site.site.key.span.line == location.line]
    if location.column is None and begin:
        return begin
    if around:
        return [min(around, key=lambda site: _size(site))]
    starts = {site.site.key.span[:2] if location.column else site.site.key.span[:1] for site in sites}
    near = sorted(starts, key=lambda start: (abs(start[0] - location.line), start))[:3]
    words = [" column ".join(map(str, start)) for start in sorted(near)]
    nearest = f"the nearest begin at line {', '.join(words)}" if words else "there is none in this file"
    raise UsageError(f"{location}: no call of the operator here; {nearest}")


def _covers(site: AuditSite, location: Location) -> bool:
    span = site.site.key.span
    if location.column is None:
        return span.line <= location.line <= span.end_line
    return (span.line, span.column) <= (location.line, location.column) < (span.end_line, span.end_column)


def _size(site: AuditSite) -> tuple[int, int]:
    span = site.site.key.span
    return span.end_line - span.line, span.end_column - span.column


__all__ = ["Location", "chosen", "explain"]
