"""``--fix`` and ``--diff``: answers repaired, and what becomes of the repaired files."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from fia_lint.cli.program import complain
from fia_lint.errors import UsageError
from fia_lint.fix import Repaired, repaired
from fia_lint.fix.diff import unified
from fia_lint.fix.write import write
from fia_lint.judge.findings import Finding
from fia_lint.report.clean import clean
from fia_lint.report.naming import Naming, namings
from fia_lint.run import Result, analyse
from fia_lint.session import Answer, Request
from fia_lint.targets import kind_of
from fia_lint.targets.kinds import local, stdin


def check_request(request: Request, writes: bool, baseline: bool) -> None:
    """Raise ``UsageError`` for what cannot be fixed; ``writes`` for ``--fix``, ``baseline`` for ``--write-baseline``."""
    if baseline:
        raise UsageError("--write-baseline writes down what is found and changes nothing: it does not go with --fix or --diff")
    if writes:
        for spec in request.specs:
            if kind_of(spec) not in (local, stdin):
                raise UsageError(f"{spec}: --fix needs files on disk; --diff shows what it would do")
            if spec == "-" and len(request.specs) > 1:
                raise UsageError("-: --fix prints the fixed source of standard input, which must be the only target")


def repair(answer: Answer, request: Request, wanted: Collection[Finding]) -> Repaired:
    """Repair some findings of a target, in memory."""
    settings, shown = answer.result.settings, answer.target.shown
    off = answer.configuration.off(answer.target.root)

    def again(files: dict[str, bytes]) -> Result:
        source = answer.result.source.with_files(files)
        return analyse(source.tree, settings, shown, source, off, request.unused_suppressions)

    return repaired(answer.result, again, wanted)


def diff(answers: Sequence[Answer], repairs: Sequence[Repaired], escaped: bool) -> str:
    """What the repairs change, as a unified diff; ``escaped`` for a terminal: no control codes but those that end lines."""
    text = []
    for answer, done, naming in zip(answers, repairs, namings([a.target for a in answers]), strict=True):
        for path, data in sorted(done.files.items()):
            text.append(unified(naming.shown(path), answer.target.tree.read(path), data))
    whole = "".join(text)
    return "".join(map(_escaped, whole.splitlines(keepends=True))) if escaped else whole


def _escaped(line: str) -> str:
    content = line.rstrip("\r\n")
    return clean(content, keep="\t") + line[len(content) :]


def put_back(request: Request, answers: Sequence[Answer], repairs: Sequence[Repaired]) -> list[Answer]:
    """Write the repaired files, that of standard input to standard output. The answers with what is left.

    A file that cannot be written does not keep the others from it. Raises ``UsageError`` in the end if there was one.
    """
    failures: list[UsageError] = []
    for answer, done in zip(answers, repairs, strict=True):
        if request.specs == ("-",):
            _print_source(answer, done)
            continue
        for path, data in sorted(done.files.items()):
            try:
                write(answer.target.root or Path(), path, answer.target.tree.read(path), data)
            except UsageError as failure:
                failures.append(failure)
    for failure in failures[:-1]:
        complain(f"error: {failure}")
    if failures:
        raise failures[-1]
    return [replace(answer, result=done.result) for answer, done in zip(answers, repairs, strict=True)]


def _print_source(answer: Answer, done: Repaired) -> None:
    (path,) = answer.target.shown
    sys.stdout.flush()
    sys.stdout.buffer.write(done.files.get(path, answer.target.tree.read(path)))
    sys.stdout.buffer.flush()


def tell(answers: Sequence[Answer], repairs: Sequence[Repaired], verb: str) -> None:
    """Say how many findings are fixed, and of every one that is not, why."""
    for done, naming in zip(repairs, namings([a.target for a in answers]), strict=True):
        for finding, why in done.left:
            complain(f"{_where(finding, naming)}: {finding.code} not fixed: {why}")
    count = sum(done.fixed for done in repairs)
    files = sum(len(done.files) for done in repairs)
    idle = sum(done.idle for done in repairs)
    if count:
        complain(f"{count} finding{'s' * (count != 1)} {verb} in {files} file{'s' * (files != 1)}{_idle(idle, count)}")


def _idle(idle: int, count: int) -> str:
    """What is to be added where arguments were repaired that the operator does not look at."""
    if not idle:
        return ""
    which = "the call's mask stays" if count == 1 else f"for {'all' if idle == count else idle} of them the call's mask stays"
    return f"; {which} what it was: the mode ignores the argument"


def _where(finding: Finding, naming: Naming) -> str:
    span = finding.place.span
    return f"{naming.shown(finding.place.path)}:{span.line}:{span.column}"
