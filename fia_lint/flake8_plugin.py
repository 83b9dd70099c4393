"""The flake8 plugin: the findings of ``check`` for each file, judged against the project around it."""

from __future__ import annotations

import argparse
import ast
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fia_lint import __version__

_LOG = logging.getLogger(__name__)

#: The code under which flake8 shows that a file could not be checked, as E902 is for files that it cannot read.
_NOT_CHECKED = "FIA000"


class Plugin:
    """Made by flake8 for each file. ``tree`` makes it run once per file; what it reads are the ``lines``."""

    name = "fia-lint"
    version = __version__
    root: Path | None = None
    extend_select: tuple[str, ...] = ()
    noqa = True
    #: Complaints that have been printed by this process: once is enough.
    said: set[str] = set()

    def __init__(self, tree: ast.AST, lines: list[str], filename: str) -> None:
        self.lines = lines
        self.filename = filename

    @staticmethod
    def add_options(manager: Any) -> None:
        """Options of the command line and of flake8's configuration file."""
        manager.add_option(
            "--fia-root", metavar="DIR", parse_from_config=True, normalize_paths=True,
            help="The project around the files (default: the nearest folder above with a fia-lint configuration or .git)",
        )  # fmt: skip
        manager.add_option(
            "--fia-extend-select", metavar="CODES", default="", parse_from_config=True, comma_separated_list=True,
            help="Rules of fia-lint that are off by default and wanted",
        )  # fmt: skip

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Keep the options. Wrong ones, and wrong settings for what flake8 is given, end it, with one line.

        Here flake8 is one process still. Raised from its other processes, an exception can keep it waiting for ever.
        """
        from fia_lint.config.keys import codes
        from fia_lint.errors import UsageError
        from fia_lint.verdicts import configuration_of

        cls.root = Path(options.fia_root).absolute() if options.fia_root else None
        cls.noqa = not options.disable_noqa
        if cls.root is not None and not cls.root.is_dir():
            raise _ended(f"--fia-root: {options.fia_root!r} is no folder")
        try:
            cls.extend_select = codes(list(options.fia_extend_select))
        except ValueError as error:
            raise _ended(f"--fia-extend-select: {error}") from None
        names = [options.stdin_display_name if name == "-" else name for name in options.filenames or ["."]]
        given = {Path(name).absolute() for name in names}
        try:
            for folder in sorted({path if path.is_dir() else path.parent for path in given}):
                configuration_of(folder, cls.root)
        except UsageError as error:
            raise _ended(str(error)) from None

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """The findings of the file: line from 1, column from 0, text. Never raises: see ``parse_options``.

        Wrong settings that are met only now are a finding: flake8 would go on as if all was well, with nothing checked.
        """
        from fia_lint.errors import UsageError
        from fia_lint.report.clean import clean

        try:
            from fia_lint.verdicts import verdicts

            found = verdicts(self.filename, self.lines, self.root, self.extend_select)
        except UsageError as error:
            yield 1, 0, f"{_NOT_CHECKED} not checked: {clean(str(error))}", type(self)
            return
        except Exception as error:
            self._complain(error)
            return
        for one in found:
            if not (one.suppressed and self.noqa):
                yield one.line, one.column - 1, f"{one.code} {one.message}", type(self)

    def _complain(self, error: Exception) -> None:
        from fia_lint.report.clean import clean

        text = f"internal error at {self.filename}: {error!r}"
        _LOG.debug("fia-lint failed on %s", self.filename, exc_info=True)
        if text not in self.said:
            self.said.add(text)
            print(f"fia-lint: error: {clean(text)}", file=sys.stderr)


def _ended(text: str) -> Exception:
    """What flake8 ends with, in one line and with an exit status."""
    from flake8.exceptions import ExecutionError

    from fia_lint.report.clean import clean

    return ExecutionError(f"fia-lint: error: {clean(text)}")
