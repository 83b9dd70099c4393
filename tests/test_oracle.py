"""Generated programs, run for real: every value that the tool says it knows must be what the operator received.

The same at length: ``python -m bench.oracle``.
"""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.oracle.check import Checked, check, executed
from tests.oracle.compare import Tally
from tests.oracle.compare_json import Printed, compare
from tests.oracle.execute import Frame, Inputs, Loaded, Received, watching
from tests.oracle.forms import table
from tests.oracle.inputs import Environment, NotComparable, single_names
from tests.oracle.minimise import minimise
from tests.oracle.programs import Generated, generate, programs
from tests.oracle.stub import Tensor

PROGRAMS, CHUNK = 200, 25
#: The share of the determined arguments whose value the tool may leave open. It must not grow.
UNTOLD = 0.03


def test_forms_all_occur() -> None:
    """Every form of the table is written by the generator, none is rare."""
    many = 250
    occurs = dict.fromkeys(table(), 0)
    for seed in range(many):
        for name in generate(random.Random(seed)).counts:
            occurs[name] += 1
    rare = {name: count / many for name, count in occurs.items() if count < 0.02 * many}
    assert not rare


def test_generation_depends_on_the_seed_alone() -> None:
    assert generate(random.Random(7)).files == generate(random.Random(7)).files
    assert generate(random.Random(7)).files != generate(random.Random(8)).files


def test_programs_are_valid() -> None:
    for seed in range(1000, 1040):
        Loaded(generate(random.Random(seed)).files)


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_programs_run(seed: int) -> None:
    """Programs are valid, and nearly every call in them is reached; only expected errors end a run."""
    generated = generate(random.Random(seed))
    received, errors = executed(generated, 4)
    assert received
    expected = ("ValueError", "AssertionError", "NotImplementedError", "RuntimeError", "KeyError", "TypeError")
    assert all(error.startswith(expected) for error in errors), errors


def _complain(checked: Checked, generated: Generated) -> str:
    lines = [checked.crash, *map(str, checked.problems)]
    for path, source in generated.files.items():
        lines += [f"# {path}", source]
    return "\n".join(lines)


@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_known_values_are_right(first: int) -> None:
    total = Tally()
    for seed in range(first, first + CHUNK):
        generated = generate(random.Random(10_000 + seed), depth=2)
        checked = check(generated, runs=2)
        assert not checked.crash and not checked.problems, f"seed {10_000 + seed}: {_complain(checked, generated)}"
        total.add(checked.tally)
    # One program in eight chunks may have more than its share: the bound for a chunk is wider than that for all.
    assert total.share <= 3 * UNTOLD, (total.reasons + total.texts).most_common(5)


# Without Hypothesis's shrinking: it takes minutes here, and the benchmark makes a failing program small in its own way.
@settings(
    max_examples=10, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(programs())
def test_known_values_are_right_for_hypothesis(generated: Generated) -> None:
    checked = check(generated, runs=2)
    assert not checked.crash and not checked.problems, _complain(checked, generated)


@pytest.mark.parametrize("seed", range(3))
def test_printed_cases_are_right(seed: int) -> None:
    """What the command line prints, read back and evaluated under the inputs."""
    from tests.oracle.compare_json import audit

    generated = generate(random.Random(20_000 + seed), depth=2)
    received, _ = executed(generated, 2)
    sites, single = audit(generated.files), single_names(generated.files.values())
    total = Printed()
    for item in received:
        printed = compare(sites, item, Environment(item, single))
        assert not printed.problems, "\n".join(map(str, printed.problems))
        total.compared += printed.compared
        total.not_comparable += printed.not_comparable
        assert not printed.overlaps
    assert total.compared > total.not_comparable


# --------------------------------------------------------------------------------- the oracle itself must notice


def _received(**values: object) -> Received:
    arguments = {"meta": SimpleNamespace(n=3, flag=True, mask=Tensor("m")), "sliding_window": 4}
    all_values = {"pre_tokens": 4, "next_tokens": 0, "sparse_mode": 0, "atten_mask": None, **values}
    return Received("fia", "default", all_values, (Frame("a.py", 1, "f", "", arguments, {}),), Inputs(dict(arguments)))


def _site(argument: str, *cases: tuple[str, str]) -> list[dict[str, object]]:
    default = {"pre_tokens": "sliding_window", "next_tokens": "0", "sparse_mode": "0", "atten_mask": "None"}
    arguments = {name: {"cases": [{"when": "always", "value": value}]} for name, value in default.items()}
    arguments[argument] = {"cases": [{"when": when, "value": value} for when, value in cases]}
    return [{"path": "a.py", "line": 1, "arguments": arguments}]


@pytest.mark.parametrize(
    ("argument", "value", "cases", "problems"),
    [
        ("pre_tokens", 4, [("always", "sliding_window")], 0),
        ("pre_tokens", 4, [("always", "sliding_window - 1")], 1),
        ("pre_tokens", 3, [("meta.flag", "sliding_window - 1"), ("not meta.flag", "unbounded")], 0),
        ("pre_tokens", 3, [("not meta.flag", "sliding_window - 1")], 1),
        ("next_tokens", 2**63 - 1, [("meta.n == 3 and meta.flag", "unbounded")], 0),
        ("next_tokens", 1, [("always", "unknown")], 0),
        ("atten_mask", Tensor("m"), [("always", "given")], 0),
        ("atten_mask", None, [("always", "given")], 1),
        ("atten_mask", None, [("always", "given or None")], 0),
    ],
)
def test_printed_comparison(argument: str, value: object, cases: list[tuple[str, str]], problems: int) -> None:
    received = _received(**{argument: value})
    assert len(compare(_site(argument, *cases), received, Environment(received, frozenset())).problems) == problems


def test_what_cannot_be_evaluated_is_counted() -> None:
    received = _received()
    printed = compare(_site("pre_tokens", ("other.flag", "4")), received, Environment(received, frozenset()))
    assert printed.not_comparable == 1 and not printed.problems
    with pytest.raises(NotComparable):
        Environment(received, frozenset()).evaluate("meta.mask.pop()")


def test_inputs_are_kept_as_they_were() -> None:
    """Conditions are about the beginning of the run, whatever the program does to its objects."""
    source = (
        "import torch_npu\n"
        "def f(meta):\n"
        "    meta.n = meta.n + 1\n"
        "    torch_npu.npu_fused_infer_attention_score(1, 2, 3, pre_tokens=meta.n)\n"
    )
    with Loaded({"a.py": source}).fresh() as (watcher, load), watching(watcher):
        load("a").f(SimpleNamespace(n=3))
    (received,) = watcher.received
    assert received.values["pre_tokens"] == 4
    assert Environment(received, frozenset()).evaluate("meta.n") == 3


def test_minimising() -> None:
    files = {"a.py": "x = 1\nif x:\n    y = 2\n    z = 3\nelse:\n    w = 4\n", "b.py": "q = 1\n"}
    assert minimise(files, lambda tried: "z = 3" in tried["a.py"]) == {"a.py": "z = 3"}
