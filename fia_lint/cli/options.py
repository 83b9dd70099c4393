"""The options, and what the user's words for them mean."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from fia_lint import __version__
from fia_lint.cache import default_folder
from fia_lint.cli import values
from fia_lint.cli.completion import FILES, SHELLS, PrintCompletion
from fia_lint.config.keys import codes, patterns, some_codes
from fia_lint.errors import UsageError
from fia_lint.report.render import names

COMMANDS = ("check", "audit", "explain", "rules")
#: Where --write-baseline writes if --baseline names no file.
BASELINE = "fia-lint-baseline.json"

_STATUS = "exit status: 0 nothing to report, 1 findings, 2 the tool could not do its job"
_TARGETS = """\
a TARGET is a file, a folder, - (standard input), a wheel, sdist or zip file,
REPO@REV (a revision of a git repository, without a checkout), or
pypi:NAME==VERSION (downloaded with pip, never built or installed)"""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


@cache
def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. The chosen command is ``run`` of what it returns."""
    top = _Parser(
        prog="fia-lint",
        description="Compare the mask arguments of every call of the fused infer attention operators in a codebase.",
        epilog=f"fia-lint TARGET... alone means fia-lint check TARGET...\n\n{_TARGETS}\n\n{_STATUS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"fia-lint {__version__}")
    top.add_argument("--print-completion", action=PrintCompletion, choices=SHELLS, help="print a script that completes commands")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _analysis(commands, "check", "report findings")
    _analysis(commands, "audit", "list every call site with its evaluated arguments, then the findings")
    _explain(commands)
    rules = commands.add_parser("rules", help="the table of rules, or what holds for a file", allow_abbrev=False)
    rules.set_defaults(run=_command("rules"))
    rules.add_argument("file", nargs="?", metavar="FILE", help="show the settings in force, and why each rule is on or off")
    _language(rules)
    _select(rules.add_argument_group("rules"))
    _configuration(rules.add_argument_group("what is read"))
    return top


def _command(name: str, module: str = "commands") -> Callable[[argparse.Namespace], int]:
    """The function of a command, loaded when it runs."""

    def run(options: argparse.Namespace) -> int:
        status: int = getattr(importlib.import_module(f"fia_lint.cli.{module}"), name)(options)
        return status

    return run


def _explain(commands: Any) -> None:
    """The page of a rule, or how the arguments of a call got their values."""
    one = commands.add_parser(
        "explain",
        help="the page of a rule, or how each mask argument of a call got its value",
        description="The page of a rule; or, for the calls on a line, how each mask argument got its value, step by step.",
        epilog=f"FILE is judged against the project around it, as check FILE is. In an archive, a revision or a release it is\n"
        f"named as reports name it: fia-lint explain pkg/attention.py:12 pypi:NAME==VERSION\n"
        f"Slots of tuples are counted from 0.\n\n{_TARGETS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    one.set_defaults(run=_command("explain", "explain"), select=None, extend_select=[], ignore=[], stdin_filename=None)
    one.set_defaults(exclude=[], fix=False, report_unused_noqa=False, quiet=False, verbose=False, statistics=False)
    one.add_argument("what", metavar="CODE|FILE:LINE[:COLUMN]",
                     help="the code or the name of a rule, or a line (and a column) of a call")  # fmt: skip
    one.add_argument("target", nargs="?", metavar="TARGET", help="where FILE is looked for, if it is no file on disk")
    _configuration(one.add_argument_group("what is read"))
    group = one.add_argument_group("output")
    group.add_argument("--format", choices=["text", "json"], default="text", help="default: text")
    _appearance(group)
    _speed(one)


def _analysis(commands: Any, name: str, purpose: str) -> None:
    """A command that analyses targets."""
    one = commands.add_parser(
        name,
        help=purpose,
        description=f"{purpose[0].upper()}{purpose[1:]}.",
        epilog=f"{_TARGETS}\n\n{_STATUS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    one.set_defaults(run=_command("analysis"))
    purpose = "what to analyse, judged against the project around it (default: the current folder)"
    targets = one.add_argument("targets", nargs="*", metavar="TARGET", default=["."], help=purpose)
    targets.complete = FILES
    one.set_defaults(fix=False, diff=False)
    for group in (_rules, _where, _fixes, _old, _output, _speed) if name == "check" else (_rules, _where, _old, _output, _speed):
        group(one)


def _rules(one: argparse.ArgumentParser) -> None:
    group = one.add_argument_group("rules")
    _select(group)
    group.add_argument("--report-unused-noqa", action="store_true", help="report # noqa comments that suppress nothing")


def _select(group: Any) -> None:
    kind = {"metavar": "CODES", "type": values.reader(codes)}
    group.add_argument("--select", metavar="CODES", type=values.reader(some_codes),
                       help="only these rules: codes or prefixes, separated by commas")  # fmt: skip
    group.add_argument("--extend-select", default=[], action="extend", **kind, help="these rules too")
    group.add_argument("--ignore", default=[], action="extend", **kind, help="not these rules")


def _where(one: argparse.ArgumentParser) -> None:
    group = one.add_argument_group("what is read")
    _configuration(group)
    group.add_argument("--exclude", default=[], action="extend", metavar="PATTERNS", type=values.reader(patterns),
                       help="files and folders to leave out, in gitignore syntax")  # fmt: skip
    group.add_argument("--stdin-filename", metavar="NAME", help="the file that standard input stands for")


def _configuration(group: Any) -> None:
    group.add_argument("--config", type=Path, metavar="FILE", help="the configuration file to use")
    group.add_argument("--isolated", action="store_true", help="no configuration files, nothing outside the target")
    group.add_argument("--root", type=values.folder, metavar="DIR", help="the project around the targets")


def _language(group: Any) -> None:
    group.add_argument("--language", choices=["en", "zh"], default="en", help="the language of sentences (default: en)")


def _fixes(one: argparse.ArgumentParser) -> None:
    either = one.add_argument_group("fixes").add_mutually_exclusive_group()
    either.add_argument("--fix", action="store_true", help="rewrite what can be fixed without a guess, and report the rest")
    either.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")


def _old(one: argparse.ArgumentParser) -> None:
    group = one.add_argument_group("old findings")
    group.add_argument("--baseline", type=Path, metavar="FILE", help="leave out the findings that this file holds")
    group.add_argument("--write-baseline", action="store_true",
                       help=f"write the findings to the file of --baseline (default: {BASELINE}) and report none")  # fmt: skip
    group.add_argument("--since", metavar="REV", help="only findings that were not there where REV and HEAD parted")


def _output(one: argparse.ArgumentParser) -> None:
    group = one.add_argument_group("output")
    group.add_argument("--format", choices=names(), help="default: text on a terminal, concise elsewhere")
    group.add_argument("--also", default=[], action="append", type=values.report, metavar="FORMAT=FILE",
                       help="write the report in another format too; may be repeated")  # fmt: skip
    _appearance(group)
    group.add_argument("--statistics", action="store_true",
                       help="count the findings of each rule (on standard error beside formats for programs)")  # fmt: skip
    group.add_argument("--quiet", "-q", action="store_true", help="only findings and errors")
    group.add_argument("--verbose", "-v", action="store_true", help="say what is read, and in text where each value comes from")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def _appearance(group: Any) -> None:
    group.add_argument("--output", type=Path, metavar="FILE", help="write the report to a file")
    _language(group)
    group.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="colours in text (default: auto)")


def _speed(one: argparse.ArgumentParser) -> None:
    group = one.add_argument_group("speed")
    group.add_argument("--jobs", "-j", type=values.positive, metavar="N", default=os.cpu_count() or 1,
                       help="processes that parse files (default: one per processor)")  # fmt: skip
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache of parsed files")
    group.add_argument("--cache-dir", type=Path, metavar="DIR", default=default_folder(),
                       help="where that cache is (default: fia-lint in the user's folder for caches)")  # fmt: skip
