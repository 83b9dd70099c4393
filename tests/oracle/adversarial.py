"""Handwritten programs: a file, or a folder with a ``main.py``, that says itself how it is run.

``# run: EXPRESSION`` (at the end, any number of times) is evaluated in the main module; ``ns(…)`` makes an object with these
attributes, ``T("m")`` a tensor. What the stub of the operator receives is what is right: the tool must say the same, or that it
does not know. ``# must-know: pre_tokens, …`` on the line of a call: here not knowing is wrong, too. ``# window: EXPRESSION``
says what the window is, where it has several names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

from tests.oracle.check import evaluate
from tests.oracle.compare import Tally, told_of
from tests.oracle.execute import Loaded, Received, watching
from tests.oracle.inputs import Environment, single_names
from tests.oracle.stub import Tensor

FOLDER = Path(__file__).resolve().parents[1] / "adversarial"


@dataclass(frozen=True)
class Case:
    """One program."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def files(self) -> dict[str, str]:
        """Relative path → source."""
        found = [self.path] if self.path.is_file() else sorted(self.path.rglob("*.py"))
        top = self.path.parent if self.path.is_file() else self.path
        return {file.relative_to(top).as_posix(): file.read_text(encoding="utf-8") for file in found}

    @property
    def main(self) -> str:
        return self.path.name if self.path.is_file() else "main.py"

    def _comments(self, word: str) -> list[str]:
        return re.findall(rf"^# {word}: (.+)$", self.files[self.main], flags=re.M)

    @property
    def runs(self) -> list[str]:
        return self._comments("run")

    @property
    def window(self) -> str | None:
        return next(iter(self._comments("window")), None)

    @cached_property
    def must_know(self) -> dict[tuple[str, int], list[str]]:
        """``(path, line)`` → the arguments that must be known there."""
        found = {}
        for path, source in self.files.items():
            for number, line in enumerate(source.split("\n"), 1):
                if mark := re.search(r"# must-know: ([\w, ]+)$", line):
                    found[path, number] = mark[1].split(", ")
        return found

    def received(self) -> list[Received]:
        """What the operator receives in all runs."""
        loaded = Loaded(self.files)
        found: list[Received] = []
        for run in self.runs:
            with loaded.fresh() as (watcher, load):
                module = load(self.main[: -len(".py")])
                loaded.keep_globals(watcher)
                names = {**vars(module), "ns": SimpleNamespace, "T": Tensor}
                with watching(watcher):
                    eval(run, names)  # noqa: S307
            found += watcher.received
        return found

    def wrong(self) -> list[str]:
        """Everything that the tool says and that is not so, and what it must know and does not."""
        evaluation = evaluate(self.files)
        single = single_names(self.files.values())
        found: list[str] = []
        for received in self.received():
            tally = Tally()
            environment = Environment(received, single, self.window)
            told = told_of(evaluation, received, environment, tally)  # type: ignore[arg-type]
            found += map(str, tally.problems)
            for place in self.must_know.keys() & {(frame.path, frame.line) for frame in received.stack}:
                for name in self.must_know[place]:
                    if "known" not in told[name]:
                        found.append(f"{place[0]}:{place[1]}: {name} must be known: {sorted(told[name]) or 'no site'}")
        return sorted(set(found))


def cases() -> list[Case]:
    """All programs, by name."""
    found = (path for path in FOLDER.iterdir() if path.suffix == ".py" or (path.is_dir() and (path / "main.py").exists()))
    return [Case(path) for path in sorted(found)]
