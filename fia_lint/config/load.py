"""From a configuration file to settings."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fia_lint.config.find import table_of
from fia_lint.config.keys import KEYS
from fia_lint.errors import UsageError
from fia_lint.patterns import patterns
from fia_lint.settings import Settings


@dataclass(frozen=True)
class Configuration:
    """Settings, and the file that they come from. Patterns in them are relative to ``folder``; to the tree if that is None."""

    settings: Settings = Settings()
    file: Path | None = None
    folder: Path | None = None

    @property
    def named(self) -> bool:
        """Whether the user named the file."""
        return self.file is not None and self.folder is None

    def off(self, root: Path | None) -> Callable[[str, str], bool]:
        """Whether ``per-file-ignores`` switches off a rule for a file of a tree that lies at ``root``."""
        base = (self.folder or root or Path("/")).as_posix()
        prefix = (root or Path(base)).as_posix().rstrip("/")
        table = [(patterns(base, [pattern]), codes) for pattern, codes in self.settings.per_file_ignores]

        def off(code: str, path: str) -> bool:
            return any(code.startswith(codes) and item.verdict(f"{prefix}/{path}") for item, codes in table)

        return off


def load(file: Path, named: bool = False) -> Configuration:
    """The configuration in a file; one that the user ``named`` holds for any tree.

    Raises ``UsageError`` that names the file, the key and what was expected.
    """
    if not file.is_file():
        raise UsageError(f"{file}: no such configuration file")
    fields: dict[str, Any] = {}
    for name, value in table_of(file).items():
        key = KEYS.get(name)
        if key is None:
            raise UsageError(f"{file}: unknown key '{name}'; {_instead(name, value)}")
        try:
            fields[key.field] = key.read(value)
        except ValueError as error:
            raise UsageError(f"{file}: {name}: {error}") from None
    return Configuration(Settings(**fields), file, None if named else file.absolute().parent)


def _instead(name: str, value: object) -> str:
    """What was expected in place of an unknown key."""
    if name in ("tool", "fia-lint") and isinstance(value, dict):
        return "expected the keys themselves, in no table: [tool.fia-lint] belongs in pyproject.toml"
    close = difflib.get_close_matches(name.replace("_", "-"), KEYS, n=1)
    return f"expected {close[0]}" if close else f"expected one of {', '.join(KEYS)}"
