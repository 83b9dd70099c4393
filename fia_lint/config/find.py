"""Where the configuration is: in which file of which folder."""

from __future__ import annotations

import configparser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fia_lint.errors import UsageError

Table = dict[str, Any]


class Text(str):
    """A value of an INI file, where numbers, truth values and tables are text too."""

    __slots__ = ()


def read_toml(file: Path) -> Table:
    """A TOML file as a table. Raises ``UsageError`` that names the file and the place."""
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib  # type: ignore[no-redef]
    try:
        return tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: not valid TOML: {error}") from None


def _tool_table(file: Path) -> Table | None:
    if "fia-lint" not in _text(file):
        return None
    tool = read_toml(file).get("tool", {})
    return tool.get("fia-lint") if isinstance(tool, dict) else None


def _section(file: Path) -> Table | None:
    if "[fia-lint]" not in _text(file):
        return None
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(_text(file), source=str(file))
    except configparser.Error as error:
        raise UsageError(f"{file}: not a valid INI file: {' '.join(str(error).split())}") from None
    return {key: Text(value) for key, value in parser["fia-lint"].items()} if parser.has_section("fia-lint") else None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file}: cannot be read: not UTF-8 text") from None


#: File names in the order of precedence, and how each is read; None where a file has no section of ours.
NAMES: dict[str, Callable[[Path], Table | None]] = {
    "fia-lint.toml": read_toml,
    "pyproject.toml": _tool_table,
    "setup.cfg": _section,
    "tox.ini": _section,
}


def configuration_in(folder: Path) -> Path | None:
    """The file in a folder that holds the configuration, if there is one."""
    for name, read in NAMES.items():
        file = folder / name
        if file.is_file() and read(file) is not None:
            return file
    return None


def nearest(start: Path, last: Path | None = None) -> Path | None:
    """The configuration file in ``start`` or the nearest folder above, not above ``last``."""
    for folder in (start, *start.parents):
        file = configuration_in(folder)
        if file is not None or folder == last:
            return file
    return None


def table_of(file: Path) -> Table:
    """The table of a file that is named explicitly: any name will do."""
    read = NAMES.get(file.name)
    if read is None:
        read = _section if file.suffix in (".cfg", ".ini") else read_toml
    table = read(file)
    if table is None:
        section = "[fia-lint]" if read is _section else "[tool.fia-lint]"
        raise UsageError(f"{file}: expected a section {section}")
    return table
