"""Choosing a format by name, and how it is to look."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fia_lint.report import formats

if TYPE_CHECKING:
    from fia_lint.report.view import View


@dataclass(frozen=True)
class Style:
    """How a report looks: ``command`` is ``check`` or ``audit``; ``width`` in columns; ``color`` with terminal colours;
    ``hints`` with a word about what can be done next."""

    command: str = "check"
    color: bool = False
    width: int = 100
    language: str = "en"
    quiet: bool = False
    verbose: bool = False
    statistics: bool = False
    hints: bool = False


def names() -> list[str]:
    """The formats that there are."""
    return sorted(module.name for module in pkgutil.iter_modules(formats.__path__))


def render(name: str, view: View, style: Style) -> str:
    """A report in the format ``name``."""
    module = importlib.import_module(f"{formats.__name__}.{name}")
    text: str = module.render(view, style)
    return text
