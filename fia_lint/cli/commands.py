"""The commands."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fia_lint.cli import old
from fia_lint.cli.output import write
from fia_lint.cli.program import FAILED, FINDINGS, OK, complain, tell_errors
from fia_lint.cli.progress import progress
from fia_lint.errors import UsageError
from fia_lint.report.clean import clean
from fia_lint.report.render import Style, render
from fia_lint.report.sentences import summary
from fia_lint.report.statistics import statistics
from fia_lint.report.view import View, view
from fia_lint.session import Answer, Request, answers, exclusion, find_configuration, options_of, overridden
from fia_lint.targets import open_targets

#: GitHub refuses a step summary of more than 1 MiB as a whole; of a character, UTF-8 makes up to four bytes.
MOST_OF_A_SUMMARY = 2**18
#: The formats that have room for what --statistics counts.
WITH_STATISTICS = ("concise", "github", "text")


def analysis(options: argparse.Namespace) -> int:
    """``check`` and ``audit``."""
    asked = request(options)
    old.check_together(options)
    if asked.stdin_filename is not None and "-" not in asked.specs:
        raise UsageError("--stdin-filename names what standard input stands for: expected the target -")
    _check_fixes(options, asked)
    format_name = options.format or ("text" if options.output is None and sys.stdout.isatty() else "concise")
    with progress(f"fia-lint: reading {clean(' '.join(asked.specs))}", not options.quiet):
        found = answers(asked)
        shown = view(found, _language(format_name, options), options.command == "audit")
    _notes(options, asked, found)
    if options.write_baseline:
        return old.write(options, found, shown)
    old.tell_gone(options, found, shown)
    old.leave_out(options, asked, found, shown)
    if options.fix or options.diff:
        return _fix(options, asked, found, shown, format_name)
    return _report(options, shown, format_name)


def _report(options: argparse.Namespace, shown: View, format_name: str) -> int:
    """Write the report; the exit status that it gives."""
    write(render(format_name, shown, style_of(options)), options.output)
    if options.statistics and format_name not in WITH_STATISTICS:
        sys.stderr.writelines(f"{clean(line)}\n" for line in statistics(shown))
    for name, file in options.also:
        write(render(name, shown, replace(style_of(options), color=False)), file)
    _step_summary(format_name, shown, options)
    if tell_errors(shown):
        return FAILED
    return FINDINGS if (shown.items or shown.unused) and not options.exit_zero else OK


def _language(format_name: str, options: argparse.Namespace) -> str:
    """The language of sentences; JSON is in English."""
    formats = {format_name, *(name for name, _ in options.also)}
    return "en" if "json" in formats else str(options.language)


def _check_fixes(options: argparse.Namespace, asked: Request) -> None:
    """Raise ``UsageError`` before anything is analysed for what cannot be fixed."""
    if options.fix or options.diff:
        from fia_lint.cli.fixing import check_request

        check_request(asked, options.fix, options.write_baseline)


def _fix(options: argparse.Namespace, asked: Request, found: Sequence[Answer], shown: View, format_name: str) -> int:
    """``--fix`` and ``--diff``: what would be reported is fixed, and what is left is reported."""
    from fia_lint.cli import fixing

    wanted = [item.finding for item in shown.items]
    with progress("fia-lint: trying fixes", not options.quiet):
        repairs = [fixing.repair(one, asked, [f for f in one.result.findings if f in wanted]) for one in found]
    if options.diff:
        write(fixing.diff(found, repairs, escaped=options.output is None), options.output)
    else:
        found = fixing.put_back(asked, found, repairs)
        shown = view(found, _language(format_name, options))
        old.leave_out(options, asked, found, shown)
    if not options.quiet:
        fixing.tell(found, repairs, "would be fixed" if options.diff else "fixed")
    if not options.diff and (asked.specs != ("-",) or options.output is not None):
        return _report(options, shown, format_name)
    if not options.diff:  # standard output holds the source
        sys.stderr.write(render("concise", shown, style_of(options)))
    return tell_errors(shown) or (FINDINGS if shown.items and not options.exit_zero else OK)


def _step_summary(format_name: str, shown: View, options: argparse.Namespace) -> None:
    """The page that GitHub shows for a step: a table, beside the annotations."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if format_name == "github" and file:
        try:
            with open(file, "a", encoding="utf-8", errors="backslashreplace") as page:
                text = render("markdown", shown, style_of(options))
                page.write(text if len(text) < MOST_OF_A_SUMMARY else f"{summary(shown.summary, options.language)}\n")
        except OSError as error:
            complain(f"warning: {file}: the step summary cannot be written: {error.strerror or error}")


def request(options: argparse.Namespace) -> Request:
    """What the options ask for."""
    return Request(
        specs=tuple(options.targets),
        root=options.root,
        config=options.config,
        isolated=options.isolated,
        select=options.select,
        extend_select=tuple(options.extend_select),
        ignore=tuple(options.ignore),
        exclude=tuple(options.exclude),
        stdin_filename=options.stdin_filename,
        stdin=lambda: sys.stdin.buffer.read(),
        cache=None if options.no_cache else options.cache_dir,
        jobs=options.jobs,
        unused_suppressions=options.report_unused_noqa,
    )


def style_of(options: argparse.Namespace) -> Style:
    """How the options want a report to look."""
    terminal = options.output is None and sys.stdout.isatty()
    if options.color == "auto":
        color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    else:
        color = options.color == "always"
    columns = shutil.get_terminal_size((100, 24)).columns if terminal else 100
    return Style(
        command=options.command,
        color=color,
        width=max(columns, 60),
        language=options.language,
        quiet=options.quiet,
        verbose=options.verbose,
        statistics=options.statistics,
        hints=terminal and not (options.quiet or options.fix),
    )


def _notes(options: argparse.Namespace, asked: Request, found: Sequence[Answer]) -> None:
    """What is worth saying beside the report."""
    for answer in found:
        if not answer.target.shown and not options.quiet:
            complain(f"warning: {' '.join(answer.target.specs)}: no Python files to analyse{_why(asked, answer)}")
        if options.verbose:
            file = answer.configuration.file
            where = answer.target.root or "not on disk"
            files = len(answer.target.tree.paths())
            complain(f"{' '.join(answer.target.specs)}: tree {where} ({files} files), configuration {file or 'none'}")


def _why(asked: Request, answer: Answer) -> str:
    """Why a target on disk shows nothing, if its files are excluded."""
    if answer.target.root is None:
        return ""
    paths = [Path(os.path.abspath(spec)) for spec in answer.target.specs]
    why = dict.fromkeys(exclusion(asked, answer.configuration, path) for path in paths)
    return "".join(f": {words}" for words in why if words)


def rules(options: argparse.Namespace) -> int:
    """``rules``: all of them, or what holds for a file."""
    from fia_lint.report.rules import in_force, rules_table

    if options.file is None:
        write(rules_table(options.language), None)
        return OK
    asked = Request(
        (options.file,), options.root, options.config, options.isolated,
        options.select, tuple(options.extend_select), tuple(options.ignore),
    )  # fmt: skip
    configuration = find_configuration(asked)
    (target,) = open_targets(asked.specs, options_of(asked, configuration))
    off = configuration.off(target.root)
    settings = overridden(configuration.settings, asked)
    write(in_force(configuration, settings, lambda code: all(off(code, path) for path in target.shown)), None)
    return OK
