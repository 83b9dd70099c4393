"""Colours, where they are wanted. Nothing is ever said by colour alone."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {"bold": "1", "dim": "2", "red": "1;31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


@dataclass(frozen=True)
class Paint:
    """Wraps text that has been made safe; does nothing unless ``on``."""

    on: bool

    def __call__(self, color: str, text: str) -> str:
        return f"\x1b[{_CODES[color]}m{text}\x1b[0m" if self.on and text else text
