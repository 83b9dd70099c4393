"""Old findings: what a baseline holds, and what was there at an earlier revision."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fia_lint.cli import output
from fia_lint.cli.options import BASELINE
from fia_lint.cli.program import complain, tell_errors
from fia_lint.cli.progress import progress
from fia_lint.newness import gone, not_in, read_baseline, since, write_baseline
from fia_lint.report.clean import clean
from fia_lint.report.view import View
from fia_lint.session import Answer, Request


def write(options: argparse.Namespace, shown: View) -> int:
    """``--write-baseline``; the exit status."""
    file = options.baseline or Path(BASELINE)
    output.write(write_baseline(shown), file)
    if not options.quiet:
        count = len(shown.items)
        complain(f"{count} finding{'s' * (count != 1)} written to {file}; --baseline {file} leaves them out from now on")
    return tell_errors(shown)


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
    count = gone(read_baseline(options.baseline), found, shown)
    if count:
        entries = "1 entry matches" if count == 1 else f"{count} entries match"
        complain(f"note: {options.baseline}: {entries} no finding any more; --write-baseline leaves them out")
