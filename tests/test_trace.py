"""How each mask argument got its value: the steps, in the order in which they happen, for each form that code takes."""

from __future__ import annotations

import pytest

from fia_lint.report.origins import words
from fia_lint.run import Result, analyse
from fia_lint.settings import Settings
from fia_lint.targets.tree import Tree
from fia_lint.trace import Origin
from tests.fixture_runner import FIXTURES

IMPORT = "from torch_npu import npu_fused_infer_attention_score as fia\n"


def analysed(*files: tuple[str, str]) -> Result:
    """The result for some files, which import the operator as ``fia``."""
    return analyse(Tree.of({path: (IMPORT + text).encode() for path, text in files}), Settings())


def told(text: str, argument: str = "next_tokens", which: int = -1) -> list[str]:
    """The words of the steps behind an argument of one call of a file: ``LINE WORDS``, lines from the import on."""
    return lines(origin(analysed(("a.py", text)), argument, which))


def origin(result: Result, argument: str, which: int = -1) -> Origin:
    assert result.evaluation is not None
    return result.tracer.origin(result.evaluation.sites[which], argument)


def lines(found: Origin) -> list[str]:
    return [f"{step.place.span.line} {words(step)}" for step in found.steps]


def fixture(name: str) -> Result:
    """The result for a fixture."""
    top = FIXTURES / name
    files = [top] if top.is_file() else sorted(top.rglob("*.py"))
    base = top.parent if top.is_file() else top
    return analyse(Tree.of({file.relative_to(base).as_posix(): file.read_bytes() for file in files}), Settings())


def test_assignments_and_branches() -> None:
    """Every assignment that can reach the call, each under the test that it depends on; overwritten ones are no part of it."""
    assert told("""\
def f(q, flag):
    ahead = 5
    ahead = 1
    if flag:
        ahead = 0
    fia(q, q, q, next_tokens=ahead)
""") == ["4 ahead = 1", "5 only if flag", "6 ahead = 0", "7 next_tokens=ahead"]


def test_a_test_by_name_is_told_with_what_set_the_name() -> None:
    assert told("""\
def f(q, w):
    windowed = w is not None
    ahead = 0 if windowed else 1
    fia(q, q, q, next_tokens=ahead)
""") == ["3 windowed = w is not None", "4 ahead = 0 if windowed else 1", "5 next_tokens=ahead"]


def test_what_leaves_before_is_no_source() -> None:
    """A value that is only there on a way that returns never reaches the call."""
    assert told("""\
def f(q, flag):
    ahead = 1
    if flag:
        ahead = 2
        return None
    fia(q, q, q, next_tokens=ahead)
""") == ["3 ahead = 1", "7 next_tokens=ahead"]


def test_unpacking_takes_one_slot() -> None:
    assert told("""\
def f(q, width):
    before, ahead = width - 1, 1
    (_, again), *rest = [(before, ahead)]
    fia(q, q, q, next_tokens=again)
""") == ["3 ahead = 1", "4 again = ahead", "5 next_tokens=again"]


def test_dict_keys() -> None:
    """Only what touches the key is told, also through another name and a function that fills the dict."""
    assert told("""\
def fill(target):
    target["next_tokens"] = 2

def f(q, flag):
    kwargs = {"next_tokens": 0, "pre_tokens": 7}
    kwargs["pre_tokens"] = 8
    other = kwargs
    if flag:
        other.update(next_tokens=1)
    fill(other)
    fia(q, q, q, **kwargs)
""") == [
        "6 next_tokens: 0",
        "6 kwargs = {\"next_tokens\": 0, \"pre_tokens\": 7}",
        "9 only if flag",
        "10 other.update(next_tokens=1)",
        "3 target[\"next_tokens\"] = 2",
        "11 fill gets other and changes it",
        "12 next_tokens out of **kwargs",
    ]  # fmt: skip


def test_attributes_of_self_and_of_bases() -> None:
    """Constructors of the classes that run the call; a subclass that overrides the method has no part in it."""
    assert told("""\
class Base:
    def __init__(self, ahead):
        self.ahead = ahead
        self.other = 9

class Layer(Base):
    def __init__(self):
        super().__init__(1)

    def forward(self, q):
        fia(q, q, q, next_tokens=self.ahead)
""") == ["9 passed to __init__ as ahead: 1", "4 self.ahead = ahead", "12 next_tokens=self.ahead"]


def test_an_attribute_that_a_method_sets_in_between() -> None:
    """What the same function assigned is the value, until it calls something that assigns it too."""
    text = """\
class Layer:
    def reset(self):
        self.ahead = 0

    def forward(self, q):
        self.ahead = 1
        {between}
        fia(q, q, q, next_tokens=self.ahead)
"""
    assert told(text.format(between="self.other()")) == ["7 self.ahead = 1", "9 next_tokens=self.ahead"]
    assert told(text.format(between="self.reset()")) == ["7 self.ahead = 1", "4 self.ahead = 0", "9 next_tokens=self.ahead"]


def test_calls_are_followed_to_their_returns() -> None:
    """Only with the arguments of this call; a return stands under the tests that lead to it."""
    assert told("""\
def choose(value, flag):
    if flag:
        return value
    return 0

def f(q, flag):
    fia(q, q, q, pre_tokens=choose(9, flag), next_tokens=choose(1, flag))
""") == [
        "8 passed to choose as value: 1",
        "3 only if flag",
        "4 choose returns value",
        "3 goes on only if not flag",
        "5 choose returns 0",
        "8 next_tokens=choose(1, flag)",
    ]


def test_parameters_come_from_the_known_callers() -> None:
    assert told(
        """\
def inner(q, layer, ahead=3):
    fia(q, q, q, sparse_mode=layer.mode, next_tokens=ahead + layer.ahead)

def one(q, layer):
    if layer.dense:
        inner(q, layer, 1)
    inner(q, layer)
""",
        which=0,
    )[:4] == [
        "6 only if layer.dense",
        "7 passed to inner as ahead: 1",
        "2 ahead=3 is the default of inner",
        "5 layer is a parameter; nothing that was read calls one",
    ]


def test_module_constants_over_imports() -> None:
    result = analysed(
        ("pkg/__init__.py", "from pkg.limits import AHEAD\n"),
        ("pkg/limits.py", "STEP = 1\nAHEAD = STEP + 1\n"),
        ("pkg/layer.py", "from pkg import AHEAD as LOOK\ndef f(q):\n    fia(q, q, q, next_tokens=LOOK)\n"),
    )
    assert lines(origin(result, "next_tokens")) == [
        "2 STEP = 1",
        "3 AHEAD = STEP + 1",
        "2 from pkg.limits import AHEAD",
        "2 from pkg import AHEAD as LOOK",
        "4 next_tokens=LOOK",
    ]


def test_captured_containers() -> None:
    """The case that the tool exists for: from the layer's window through the captured tuple to the replayed call."""
    result = fixture("case/full_graph_band")
    assert lines(origin(result, "pre_tokens")) == [
        "11 sliding_window=None is a parameter; nothing that was read calls __init__",
        "16 self.sliding_window = sliding_window",
        "79 pre_tokens = self.sliding_window - 1",
        "95 stored in attn_params as slot 7: pre_tokens",
        "12 param goes through slot 1 of zip(forward_context.attn_metadata, graph_params.attn_params[num_tokens], "
        "graph_params.handles[num_tokens], graph_params.events[num_tokens],)",
        "26 pre_tokens is slot 7 of param",
        "43 pre_tokens=pre_tokens",
    ]


def test_a_tuple_put_together_under_a_condition() -> None:
    """Slots are counted over concatenations, each told under its condition."""
    found = lines(origin(fixture("containers/concatenation_under_a_condition.py"), "next_tokens"))
    assert [line.split()[0] for line in found] == ["19", "20", "19", "22", "23", "32", "33", "40"]


def test_the_nearest_place_that_stores_tuples_of_that_length() -> None:
    """Two classes store tuples of one length with other slots: what the other stores is no source."""
    result = fixture("containers/nearest_place")
    assert result.evaluation is not None
    updates = [site for site in result.evaluation.sites if site.role == "update"]
    assert updates
    for site in updates:
        for argument in ("next_tokens", "sparse_mode"):
            assert {step.place.path for step in result.tracer.origin(site, argument).steps} == {site.key.path}


def test_wrappers_only_with_the_arguments_of_this_call() -> None:
    result = fixture("sites/wrapper_of_a_wrapper.py")
    assert lines(origin(result, "pre_tokens")) == [
        "18 passed to outer as reach: 256",
        "13 passed to inner as reach: reach - 1",
        "8 pre_tokens=reach",
    ]


def test_partials_bind_arguments() -> None:
    result = fixture("sites/partial.py")
    assert lines(origin(result, "sparse_mode")) == ["14 sparse_mode=4"]
    assert lines(origin(result, "next_tokens")) == ["8 next_tokens=0"]


def test_records() -> None:
    """A local object is followed to where it is made; others of its class have no part in it."""
    result = fixture("classes/records.py")
    assert lines(origin(result, "sparse_mode", 0)) == [
        "22 passed to MaskArguments as mode: 0",
        "22 arguments = MaskArguments(0)",
        "23 sparse_mode=arguments.mode",
    ]
    assert lines(origin(result, "next_tokens", 1)) == ["24 arguments.ahead = 6", "25 next_tokens=arguments.ahead"]


def test_a_nested_function_changes_a_name_once_it_has_run() -> None:
    result = fixture("flow/nonlocal_name.py")
    assert lines(origin(result, "next_tokens", 0)) == ["7 ahead = 1", "13 next_tokens=ahead"]
    assert lines(origin(result, "next_tokens", 1)) == ["7 ahead = 1", "11 ahead = 2", "15 next_tokens=ahead"]


def test_what_is_not_written() -> None:
    text = "def f(q, extra):\n    options = {'pre_tokens': 5}\n    fia(q, q, q, **options)\n"
    assert told(text) == ["4 next_tokens is not written: the operator's default is unbounded (2147483647)"]
    assert told(text, "sparse_mode") == ["4 sparse_mode is not written: the operator's default is 0"]


def test_masks_are_told_by_which_tensor_not_by_what_is_in_it() -> None:
    assert told("""\
def ready(tensor):
    if isinstance(tensor, list):
        return [each for each in tensor]
    return tensor.contiguous()

def f(q, meta, size):
    mask = meta.mask
    mask[:size] = size
    fia(q, q, q, atten_mask=ready(mask.to(size)))
""", "atten_mask") == [
        "7 meta is a parameter; nothing that was read calls f",
        "8 mask = meta.mask",
        "10 passed to ready as tensor: mask.to(size)",
        "3 goes on only if not (isinstance(tensor, list))",
        "5 ready returns tensor.contiguous()",
        "10 atten_mask=ready(mask.to(size))",
    ]  # fmt: skip


def test_where_knowledge_ends() -> None:
    """An unknown says why and where, besides the steps up to it."""
    found = origin(fixture("FIA901/recursion.py"), "next_tokens")
    assert found.steps and [term.reason for term in found.unknown] == ["recursion is not followed"]
    assert all(term.path and term.line for term in found.unknown)


def test_the_tests_around_a_call() -> None:
    result = analysed(("a.py", "def f(q, a, b):\n    if a:\n        return\n    if b:\n        fia(q, q, q)\n"))
    assert result.evaluation is not None
    assert [words(step) for step in result.tracer.reached(result.evaluation.sites[0])] == [
        "goes on only if not a", "only if b",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("def f(q, a):\n    x = 0\n" + "    if a:\n        x = x + 1\n" * 400 + "    fia(q, q, q, next_tokens=x)\n", True),
        ("def f(q, x):\n    fia(q, q, q, next_tokens=" + "(" * 90 + "x" + " + 1)" * 90 + ")\n", True),
        ("def f(q, x):\n    return g(q, x)\n\ndef g(q, x):\n    fia(q, q, q, next_tokens=x)\n    return f(q, x)\n", False),
    ],
    ids=["400 branches", "90 deep", "mutual recursion"],
)
def test_bounds_are_named(text: str, bound: bool) -> None:
    """A long story is cut at its far end, says so, and still ends at the call."""
    found = told(text)
    assert any("is left out" in step for step in found) == bound
    assert "next_tokens=" in found[-1]


def test_every_fixture_can_be_told() -> None:
    """No form of code brings the trace down, and every known value of a call that is reached has a story."""
    for name in (
        "flow/match_statement.py",
        "flow/try_statement.py",
        "flow/branches.py",
        "flow/loops_unrolled.py",
        "sites/getattr.py",
    ):
        result = fixture(name)
        assert result.evaluation is not None
        for site in result.evaluation.sites:
            for argument in site.arguments:
                assert result.tracer.origin(site, argument).steps or site.unreached
