"""What there is to say about single files, each judged against its project: a project is analysed once and remembered.

A front end that is called file by file, in several processes, asks here. What was found is kept in the process and on
disk, by the content of every file of the project: as long as that is the same, nothing is parsed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tokenize
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from fia_lint.cache import EVERYTHING, Cache, code_digest, default_folder
from fia_lint.config.load import Configuration
from fia_lint.facts import FactsSource
from fia_lint.session import Request, answer, find_configuration, options_of
from fia_lint.targets import Target
from fia_lint.targets.kinds import local, stdin
from fia_lint.targets.project import Project, project_of


@dataclass(frozen=True)
class Verdict:
    """A finding as one line; ``suppressed``: a comment on its line or on the call's first line silences it."""

    path: str
    line: int
    column: int
    code: str
    message: str
    suppressed: bool


def verdicts(filename: str, lines: Sequence[str], root: Path | None, extend_select: tuple[str, ...]) -> list[Verdict]:
    """The findings of ``filename``, whose content is ``lines``: what ``check FILE`` reports. Raises ``UsageError``."""
    path = Path(os.path.abspath(filename))
    data = _encoded(lines)
    request = Request(("-",), root, extend_select=extend_select, stdin_filename=str(path), cache=default_folder())
    configuration = configuration_of(path.parent, root)
    options = options_of(request, configuration)
    if not path.is_file() or not _same_text(path.read_bytes(), data):
        return _judged(stdin.in_place_of(path, data, options), configuration, request)
    project = project_of(path, options)
    paths, known = of_project(project, configuration, root, extend_select)
    name = path.relative_to(project.root).as_posix()
    if name in paths:
        return [one for one in known if one.path == name]
    return _judged(local.open_all([str(path)], options)[0], configuration, request)


@cache
def configuration_of(folder: Path, root: Path | None) -> Configuration:
    """The configuration of the files in a folder, looked for once."""
    return find_configuration(Request((str(folder),), root))


@cache
def of_project(
    project: Project, configuration: Configuration, root: Path | None, extend_select: tuple[str, ...]
) -> tuple[frozenset[str], list[Verdict]]:
    """The paths of a project's files, and everything that is found in them."""
    request = Request((str(project.root),), root, extend_select=extend_select, cache=default_folder())
    target = local.whole_project(project, options_of(request, configuration))
    store = Cache(request.cache)
    key = _key(target, configuration, extend_select)
    found = _unpacked(store.read(key))
    if found is None:
        found = _judged(target, configuration, request)
        store.write(key, json.dumps([asdict(one) for one in found]).encode())
    return target.shown, found


def _unpacked(kept: bytes | None) -> list[Verdict] | None:
    """What was kept; None if it is not there or damaged."""
    try:
        return None if kept is None else [Verdict(**fields) for fields in json.loads(kept)]
    except (ValueError, TypeError):
        return None


def _key(target: Target, configuration: Configuration, extend_select: tuple[str, ...]) -> str:
    """Everything that the verdicts on a project depend on."""
    digest = hashlib.sha256(code_digest(EVERYTHING))
    digest.update(repr((target.root, os.getcwd(), configuration, extend_select)).encode("utf-8", "surrogatepass"))
    source = FactsSource(target.tree)
    for path in source.paths:
        digest.update(path.encode("utf-8", "surrogatepass") + b"\0" + hashlib.sha256(source.data(path)).digest())
    return digest.hexdigest()


def _judged(target: Target, configuration: Configuration, request: Request) -> list[Verdict]:
    """Analyse a target. Files of the project that cannot be parsed are not this file's business."""
    from fia_lint.report.view import Item, view

    analysed = answer(target, configuration, request)
    shown = view([analysed])

    def verdict(item: Item, suppressed: bool) -> Verdict:
        spot, finding = item.spot, item.finding
        return Verdict(finding.place.path, spot.line, spot.column, finding.code, item.said, suppressed)

    found = [verdict(item, False) for item in shown.items] + [verdict(item, True) for item in shown.suppressed]
    return sorted(found, key=lambda one: (one.path, one.line, one.column, one.code))


def _encoded(lines: Sequence[str]) -> bytes:
    """Text as a file would hold it, in the encoding that it declares."""
    text = "".join(lines)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text.encode("utf-8", "replace")).readline)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return text.encode("utf-8", "replace")


def _same_text(stored: bytes, data: bytes) -> bool:
    """Whether two contents differ in nothing but a byte order mark and line ends."""
    return stored.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n") == data
