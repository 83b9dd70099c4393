"""From what a user asks for to results: targets opened, configuration found, every project analysed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fia_lint.cache import Cache
from fia_lint.config.find import nearest
from fia_lint.config.load import Configuration, load
from fia_lint.facts import FactsSource
from fia_lint.patterns import excluded, patterns
from fia_lint.run import Result, analyse
from fia_lint.settings import Settings
from fia_lint.targets import Options, Target, kind_of, open_targets
from fia_lint.targets.kinds import local, stdin

Codes = tuple[str, ...]


@dataclass(frozen=True)
class Request:
    """What a front end asks for. ``select`` None leaves the selection to the configuration."""

    specs: tuple[str, ...] = (".",)
    root: Path | None = None
    config: Path | None = None
    isolated: bool = False
    select: Codes | None = None
    extend_select: Codes = ()
    ignore: Codes = ()
    exclude: Codes = ()
    stdin_filename: str | None = None
    stdin: Callable[[], bytes] = lambda: b""
    cache: Path | None = None
    jobs: int = 1
    unused_suppressions: bool = False


@dataclass(frozen=True)
class Answer:
    """The result for one target."""

    target: Target
    configuration: Configuration
    result: Result


def answers(request: Request) -> list[Answer]:
    """Open and analyse everything that is asked for. Raises ``UsageError``."""
    configuration = find_configuration(request)
    targets = open_targets(request.specs, options_of(request, configuration))
    return [answer(target, configuration, request) for target in targets]


def answer(target: Target, configuration: Configuration, request: Request) -> Answer:
    """Analyse one target. What lies nowhere on disk has only a configuration that the user named."""
    applies = configuration.named or target.root is not None
    settings = overridden(configuration.settings if applies else Settings(), request)
    settings = replace(settings, include_tests=settings.include_tests or target.in_tests)
    source = FactsSource(target.tree, Cache(request.cache), request.jobs)
    off = configuration.off(target.root)
    result = analyse(target.tree, settings, target.shown, source, off, request.unused_suppressions)
    return Answer(target, configuration, result)


def options_of(request: Request, configuration: Configuration) -> Options:
    """How targets are opened. Patterns of the user are relative to the current folder, or to a target that lies elsewhere."""
    exclude = request.exclude + (configuration.settings.exclude if configuration.folder is None else ())
    here = request.root or Path(os.getcwd())
    bases = [here, *(folder for folder in _folders(request) if here != folder and here not in folder.parents)]
    exclusions = [patterns(base.as_posix(), exclude) for base in dict.fromkeys(bases)]
    if configuration.folder is not None:
        exclusions.append(patterns(configuration.folder.as_posix(), configuration.settings.exclude))
    return Options(request.root, request.isolated, tuple(exclusions), exclude, request.stdin_filename, request.stdin)


def exclusion(request: Request, configuration: Configuration, path: Path) -> str:
    """The words for what excludes a file or folder, of which the path is absolute; none if nothing does."""
    name = f"{path.as_posix()}/" if path.is_dir() else path.as_posix()
    if not excluded(name, options_of(request, configuration).exclusions):
        return ""
    without = replace(configuration, settings=replace(configuration.settings, exclude=()))
    by_option = excluded(name, options_of(request, without).exclusions)
    return "excluded by --exclude" if by_option else f"excluded by `exclude` in {configuration.file}"


def find_configuration(request: Request) -> Configuration:
    """The configuration in force: the one that is named, else the one that all targets on disk share."""
    if request.config is not None:
        return load(request.config, named=True)
    if request.isolated:
        return Configuration()
    files = {nearest(folder, request.root) for folder in _folders(request)}
    file = files.pop() if len(files) == 1 else None
    return load(file) if file is not None else Configuration()


def _folders(request: Request) -> list[Path]:
    """The folders that targets on disk lie in."""
    found = []
    for spec in request.specs:
        kind = kind_of(spec)
        if kind is local:
            path = local.existing(spec)
            found.append(path if path.is_dir() else path.parent)
        elif kind is stdin:
            found.append(Path(os.path.abspath(request.stdin_filename or "stdin")).parent)
    return found


def overridden(settings: Settings, request: Request) -> Settings:
    """Settings with the codes of the request: a later word outweighs an earlier one about the same rules."""
    if request.select is not None:
        return replace(settings, select=request.select, extend_select=request.extend_select, ignore=request.ignore)
    return replace(
        settings,
        select=_without(settings.select, request.ignore),
        extend_select=(*(_without(settings.extend_select, request.ignore) or ()), *request.extend_select),
        ignore=(*(_without(settings.ignore, request.extend_select) or ()), *request.ignore),
    )


def _without(codes: Codes | None, outweighed_by: Sequence[str]) -> Codes | None:
    return codes and tuple(code for code in codes if not code.startswith(tuple(outweighed_by)))
