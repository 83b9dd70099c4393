"""The program: which command runs, and what becomes of what goes wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fia_lint.cli.options import COMMANDS, parser
from fia_lint.cli.output import abandon
from fia_lint.errors import UsageError
from fia_lint.report.clean import clean

OK, FINDINGS, FAILED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0: nothing to report, 1: findings, 2: the tool could not do its job."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] not in (*COMMANDS, "-h", "--help", "--version", "--print-completion"):
        arguments.insert(0, "check")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
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


def complain(text: str) -> None:
    """One line on standard error."""
    print(f"fia-lint: {clean(text)}", file=sys.stderr)
