"""What the values of options may be. Each reader raises ``ArgumentTypeError`` with what was expected."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from fia_lint.report.render import names


def reader(read: Callable[[str], tuple[str, ...]]) -> Callable[[str], tuple[str, ...]]:
    """A reader of configuration values as one of options."""

    def value(text: str) -> tuple[str, ...]:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return value


def report(text: str) -> tuple[str, Path]:
    """A format and the file to write it to."""
    name, _, file = text.partition("=")
    if name not in names() or not file:
        raise argparse.ArgumentTypeError(f"expected FORMAT=FILE with a format of {', '.join(names())}, not {text!r}")
    return name, Path(file)


def folder(text: str) -> Path:
    """The absolute path of a folder that is there."""
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return Path(os.path.abspath(text))


def positive(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive integer, not {text!r}")
    return int(text)
