"""Old findings: what a baseline holds, and what was there at an earlier revision."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fia_lint.cli import output
from fia_lint.cli.options import BASELINE
from fia_lint.cli.program import OK, complain, tell_errors
from fia_lint.cli.progress import progress
from fia_lint.errors import UsageError
from fia_lint.newness import entries_of, gone, kept, not_in, read_baseline, since, write_baseline
from fia_lint.report.clean import clean
from fia_lint.report.view import View
from fia_lint.session import Answer, Request


def check_together(options: argparse.Namespace) -> None:
    """Raise ``UsageError`` for what would write down a part only."""
    if options.write_baseline and options.since is not None:
        raise UsageError("--write-baseline writes down all that is found: it does not go with --since")


def write(options: argparse.Namespace, found: Sequence[Answer], shown: View) -> int:
    """``--write-baseline``; the exit status. What an older baseline holds and this run did not look at stays in it."""
    file = options.baseline or Path(BASELINE)
    status = tell_errors(shown)
    if status != OK:
        complain(f"error: {file}: not written: it would lack what stands in files that could not be read")
        return status
    stay = kept(read_baseline(file), found, shown) if file.exists() else []
    output.write(write_baseline([*entries_of(found, shown), *stay]), file)
    if not options.quiet:
        count = len(shown.items)
        complain(f"{count} finding{'s' * (count != 1)} written to {file}; --baseline {file} leaves them out from now on")
        if stay:
            what = "1 entry" if len(stay) == 1 else f"{len(stay)} entries"
            complain(f"{what} kept of files or rules that this run did not look at")
    return OK


def leave_out(options: argparse.Namespace, asked: Request, found: Sequence[Answer], shown: View) -> None:
    """Keep only findings that are new, if that is asked for."""
    if options.baseline is not None:
        shown.items[:] = not_in(read_baseline(options.baseline), shown.items)
    if options.since is not None:
        with progress(f"fia-lint: reading {clean(options.since)}", not options.quiet):
            shown.items[:] = since(options.since, found, shown, asked)
    shown.summary["findings"] = len(shown.items)


def tell_gone(options: argparse.Namespace, found: Sequence[Answer], shown: View) -> None:
    """A note about entries of the baseline that nothing needs any more."""
    if options.baseline is None or options.quiet:
        return
    count = len(gone(read_baseline(options.baseline), found, shown))
    if count:
        entries = "1 entry matches" if count == 1 else f"{count} entries match"
        complain(f"note: {options.baseline}: {entries} no finding any more; --write-baseline leaves them out")
