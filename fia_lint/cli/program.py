"""The program: which command runs, and what becomes of what goes wrong."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fia_lint.cli.options import COMMANDS, parser
from fia_lint.cli.output import abandon
from fia_lint.errors import UsageError
from fia_lint.report.clean import clean

if TYPE_CHECKING:
    from fia_lint.report.view import View

OK, FINDINGS, FAILED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0: nothing to report, 1: findings, 2: the tool could not do its job."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] not in (*COMMANDS, "-h", "--help", "--version", "--print-completion"):
        arguments.insert(0, "check")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _check_word(arguments)
        options = parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else FAILED
    except UsageError as error:
        complain(f"error: {error}")
    except BrokenPipeError:
        abandon()
    except KeyboardInterrupt:
        complain("interrupted")
    except Exception as error:  # a fault of the tool: loud, and never mistaken for findings
        import traceback

        traceback.print_exc()
        complain(f"internal error: {error!r}: please report it, with the traceback above")
    return FAILED


def _check_word(arguments: Sequence[str]) -> None:
    """Raise ``UsageError`` for what is taken for a target, but is more like a misspelt command."""
    word = arguments[1] if len(arguments) > 1 and arguments[0] == "check" else ""
    if word.isalpha() and word not in COMMANDS and not os.path.lexists(word):
        for close in difflib.get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.7):
            raise UsageError(f"{word!r}: no such command, file or folder; did you mean {close}?")


def complain(text: str) -> None:
    """One line on standard error; one that a GitHub runner does not obey, which it would for these characters anywhere."""
    words = clean(text).replace("##[", r"##\x5b")
    print(f"fia-lint: {words}", file=sys.stderr)


def tell_errors(shown: View) -> int:
    """Say which files could not be read; the exit status that this gives."""
    for error in shown.errors:
        complain(f"error: {error.shown}:{error.line}: {error.message}")
    return FAILED if shown.errors else OK
