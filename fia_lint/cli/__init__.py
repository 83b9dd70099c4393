"""The command line: options to a request, a request to a report, a report to an exit status."""

from fia_lint.cli.program import main

__all__ = ["main"]
