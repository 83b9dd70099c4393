"""Completion of the command line in shells, if the library for it is installed."""

from __future__ import annotations

import argparse
from typing import Any

from fia_lint.errors import UsageError

SHELLS = ("bash", "zsh", "tcsh")
#: How each shell completes the names of files, in the form that the library reads from an action.
FILES = {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f"}


class PrintCompletion(argparse.Action):
    """``--print-completion SHELL``: print the script and stop."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any, option: Any = None) -> None:
        try:
            import shtab
        except ImportError:
            raise UsageError(f"{option} needs shtab: pip install 'fia-lint[completion]'") from None
        print(shtab.complete(parser, shell=str(value)))
        parser.exit()
