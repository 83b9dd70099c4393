"""GitHub workflow commands: annotations, as many as GitHub shows, and every finding as a line of the log."""

from __future__ import annotations

import re

from fia_lint.report.clean import clean
from fia_lint.report.excerpt import source_of
from fia_lint.report.formats import concise
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase
from fia_lint.report.view import Item, Problem, View

#: GitHub shows this many annotations of one level per step; more are dropped without a word.
SHOWN = 10
#: What a runner obeys: two colons after blanks at the start of a line, and the older form wherever it stands.
_AT_THE_START, _ANYWHERE = re.compile(r"^([^\S\n]*):(?=:)", re.M), "##["


def render(view: View, style: Style) -> str:
    errors = [_problem("error", problem) for problem in view.errors]
    shown = view.items[: max(SHOWN - len(errors), 0)]
    annotations = [*errors[:SHOWN], *(_command(item, style) for item in shown)]
    annotations += [_problem("warning", problem) for problem in view.unused][:SHOWN]
    rest = len(view.items) - max(SHOWN - len(errors), 0)
    if rest > 0:
        annotations.append(f"::notice title=fia-lint::{rest} more findings are not annotated: see the log of this step")
    return "".join(f"{line}\n" for line in annotations).replace(_ANYWHERE, r"##\x5b") + harmless(concise.render(view, style))


def harmless(text: str) -> str:
    """Lines for the log of a step, of which a runner obeys none: names of files and conditions are the analysed code's words."""
    return _AT_THE_START.sub(r"\1\\x3a", text).replace(_ANYWHERE, r"##\x5b")


def _problem(level: str, problem: Problem) -> str:
    """What is no finding: a file that could not be read, or a comment that suppresses nothing."""
    return f"::{level} file={_property(problem.rooted)},line={problem.line},title=fia-lint::{_data(problem.message)}"


def _command(item: Item, style: Style) -> str:
    """One annotation. Columns only count where it is all on one line."""
    spot = item.spot
    fields = {"file": spot.rooted, "line": spot.line, "endLine": spot.end_line}
    if spot.line == spot.end_line:
        fields |= {"col": spot.column, "endColumn": spot.end_column}
    fields["title"] = f"{item.finding.code} {item.rule}"
    said = f"{item.said}\n{phrase('set', style.language)} {source_of(item.set_at)}" if item.set_at else item.said
    return f"::error {','.join(f'{key}={_property(str(value))}' for key, value in fields.items())}::{_data(said)}"


def _data(text: str) -> str:
    return clean(text, "\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
