"""A whole program through the oracle: run it, evaluate it, compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.oracle.compare import Problem, Tally, judge
from tests.oracle.execute import Loaded, Received
from tests.oracle.inputs import Environment, single_names
from tests.oracle.programs import Generated
from tests.oracle.runs import run


def evaluate(files: Mapping[str, str]) -> object:
    """What the tool makes of a program."""
    from fia_lint.evaluate import evaluate as evaluate_tree
    from fia_lint.facts import FactsSource
    from fia_lint.settings import Settings
    from fia_lint.targets.tree import Tree

    tree = Tree.of({path: source.encode() for path, source in files.items()})
    return evaluate_tree(FactsSource(tree), Settings(include_tests=True))


def executed(generated: Generated, runs: int) -> tuple[list[Received], Counter[str]]:
    """What the operator received in some runs of every scenario, and the errors that ended runs."""
    loaded = Loaded(generated.files)
    received: list[Received] = []
    errors: Counter[str] = Counter()
    for number, scenario in enumerate(generated.scenarios):
        for seed in range(runs):
            more, error = run(generated, loaded, scenario, 1000 * number + seed)
            received += more
            if error:
                errors[error] += 1
    return received, errors


@dataclass
class Checked:
    """The outcome for one program. ``crash`` is the error that the tool ended with, if it did."""

    tally: Tally = field(default_factory=Tally)
    errors: Counter[str] = field(default_factory=Counter)
    crash: str = ""

    @property
    def problems(self) -> list[Problem]:
        return self.tally.problems


def check(generated: Generated, runs: int = 3) -> Checked:
    """Compare every call of every run."""
    checked = Checked()
    received, checked.errors = executed(generated, runs)
    try:
        evaluation = evaluate(generated.files)
    except Exception as error:
        checked.crash = f"{type(error).__name__}: {error}"
        return checked
    single = single_names(generated.files.values())
    for item in received:
        checked.tally.add(judge(evaluation, item, Environment(item, single), generated.doubtful))  # type: ignore[arg-type]
    return checked
