"""The rewritings of the benchmarks, tried on a small program that really runs: those that plant a mistake change what the
operator gets, those that mean nothing do not."""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Callable
from typing import Any

import pytest

from bench import conditions, plant, scale, several_files, splitting
from bench.meaningless import REWRITINGS, original
from bench.rewritings import Planting, plantings
from bench.slots import captured, slot_plantings, unpackings
from bench.source import Edit, Source, apply
from tests.corpus.compare import differences, letter

PROGRAM = '''\
"""A backend with an eager, a capture and an update path. Größe: Umlaute move columns of bytes."""

import torch_npu

INT_MAX = 2**31 - 1
STORE = []


def keep(tensor):
    return tensor


class Backend:
    def __init__(self, window, sinks):
        self.sliding_window = window
        self.sinks = sinks
        self.scale = 1 if sinks else 2

    def forward(self, query, meta):
        """Eager."""
        if self.sinks is not None:
            mode = 4
        else:
            mode = 3
        op = torch_npu.npu_fused_infer_attention_score
        größe = len("ä"), op(query), torch_npu.npu_fused_infer_attention_score(
            query, pre_tokens=self.sliding_window, next_tokens=0, sparse_mode=mode)
        return größe

    def capture(self, query, meta):
        number = meta["n"]
        mode = 4 if self.sliding_window else 3
        pre = self.sliding_window or INT_MAX
        next_ = 0 if self.sliding_window else INT_MAX
        mask = None if meta["plain"] else meta["mask"]
        extra = {"scale": self.scale, "next_tokens": next_}
        workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(
            query, atten_mask=mask, sparse_mode=mode, pre_tokens=pre, **extra
        )
        params = (
            keep(query),
            keep(mask) if mask is not None else None,  # the mask
            number,
            self.scale,
            mode,
            pre,
        )
        if self.sinks is not None:
            params = params + (next_, self.sinks)
        else:
            params = params + (next_, None)
        STORE.append(params)
        torch_npu.npu.graph_task_group_begin(0)
        torch_npu.npu_fused_infer_attention_score.out(
            query,
            atten_mask=mask,
            sparse_mode=mode,
            pre_tokens=pre if mode == 4 else INT_MAX,
            **extra,
            workspace=workspace,
        )
        torch_npu.npu.graph_task_group_end(0)
        return number

    @staticmethod
    def update(meta):
        results = []
        for param in STORE:
            (query, mask, number, scale, mode, pre, next_, sinks) = param
            if meta["plain"]:
                mode = 0
            torch_npu.npu.graph_task_update_begin(0)
            result = torch_npu.npu_fused_infer_attention_score.out(
                query, atten_mask=mask, sparse_mode=mode, pre_tokens=pre, next_tokens=next_
            )
            torch_npu.npu.graph_task_update_end(0)
            results.append(result)
        return results
'''


class Operator:
    """Records the keyword arguments of its calls."""

    def __init__(self, name: str, log: list[Any]) -> None:
        self.name, self.log = name, log

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        kwargs.pop("workspace", None)
        self.log.append((self.name, args, sorted(kwargs.items(), key=str)))
        return f"{self.name} {len(self.log)}"

    out = __call__


def execute(files: dict[str, str | None], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the operator gets when the program runs under several inputs."""
    log: list[Any] = []
    brackets = itertools.product(("group", "update"), ("begin", "end"))
    npu = types.SimpleNamespace(**{f"graph_task_{kind}_{end}": lambda *a: None for kind, end in brackets})
    names = ("npu_fused_infer_attention_score", "_npu_fused_infer_attention_score_get_max_workspace")
    fake = types.SimpleNamespace(npu=npu, **{name: Operator(name, log) for name in names})
    modules: dict[str, Any] = {"torch_npu": fake}
    for path, text in sorted(files.items(), key=lambda item: "constants" not in item[0]):
        module = types.ModuleType(path.removesuffix(".py"))
        for name, other in modules.items():
            monkeypatch.setitem(__import__("sys").modules, name, other)
        exec(compile(text or "", path, "exec"), module.__dict__)  # noqa: S102
        modules[module.__name__] = module
    backend = next(m.Backend for m in modules.values() if hasattr(m, "Backend"))
    store = next(m.STORE for m in modules.values() if hasattr(m, "STORE"))
    for window, sinks, plain in itertools.product((None, 512), (None, "s"), (False, True)):
        store.clear()
        meta = {"n": 3, "plain": plain, "mask": "m"}
        layer = backend(window, sinks)
        log += [layer.forward("q", meta), layer.capture("q", meta), layer.update(meta)]
    return log


def source() -> Source:
    return Source("backend.py", PROGRAM)


def calls(of: Source) -> list[ast.Call]:
    named = "npu_fused_infer_attention_score"
    return [n for n in ast.walk(of.tree) if isinstance(n, ast.Call) and named in ast.unparse(n.func)]


def sites(of: Source) -> list[dict[str, Any]]:
    """What the tool would say about the calls, as far as the rewritings look at it."""
    roles = {"forward": "eager", "capture": "capture", "update": "update"}
    found = []
    for call in calls(of):
        function = of.function(call)
        assert function is not None
        values = {"sparse_mode": "4", "pre_tokens": "sliding_window"}
        found.append(
            {
                "path": of.path,
                "line": call.lineno,
                "column": of.column(call),
                "role": "workspace" if "workspace" in ast.unparse(call.func) else roles[function.name],
                "window_aware": True,
                "arguments": {name: {"cases": [{"when": "always", "value": value}]} for name, value in values.items()},
            }
        )
    return found


# ------------------------------------------------------------------------------------------------ edits


def test_edits_may_not_overlap() -> None:
    assert apply("abc", [Edit(2, 3, "Z"), Edit(0, 1, "X")]) == "XbZ"
    with pytest.raises(ValueError, match="overlap"):
        apply("abc", [Edit(0, 2, ""), Edit(1, 3, "")])


def test_places_count_code_points() -> None:
    of = source()
    call = of.call(*next((s["line"], s["column"]) for s in sites(of) if s["role"] == "eager"))
    assert of.segment(call).startswith("torch_npu.npu_fused_infer_attention_score(\n            query, pre_tokens")


@pytest.mark.parametrize(
    ("text", "argument", "result"),
    [
        ("f(a=1, b=2)", "a", "f(b=2)"),
        ("f(a=1, b=2)", "b", "f(a=1)"),
        ("f(a=1)", "a", "f()"),
        ("f(\n    a=1,\n    b=2,\n)", "a", "f(\n    \n    b=2,\n)"),
        ("f(\n    a=1,  # one\n    b=2,\n)", "b", "f(\n    a=1,  # one\n    \n)"),
        ("f(a=(1,\n  2), b=2)", "a", "f(\nb=2)"),
    ],
)
def test_dropping_an_argument(text: str, argument: str, result: str) -> None:
    of = Source("x.py", text)
    (keyword,) = (n for n in ast.walk(of.tree) if isinstance(n, ast.keyword) and n.arg == argument)
    assert of.edited([of.drop(keyword)]) == result


# ------------------------------------------------------------------------------------------------ planting


def all_plantings() -> list[Planting]:
    of = source()
    updates = frozenset((s["path"], s["line"]) for s in sites(of) if s["role"] == "update")
    return [*plantings(of, sites(of)), *slot_plantings([of], updates)]


@pytest.mark.parametrize("planting", all_plantings(), ids=lambda p: f"{p.what.replace('backend.py:', '')} {p.rewriting}")
def test_a_planting_changes_what_the_operator_gets(planting: Planting, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planting.text.count("\n") == PROGRAM.count("\n")
    assert planting.expected
    ast.parse(planting.text)
    before = execute({"backend.py": PROGRAM}, monkeypatch)
    try:
        after = execute({"backend.py": planting.text}, monkeypatch)
    except (ValueError, TypeError):  # out of step: the program notices, or computes with None
        return
    assert before != after


def test_every_rewriting_is_planted() -> None:
    names = {planting.rewriting for planting in all_plantings()}
    in_call = {"(X) - 1 for pre", "(X) + 1 for next", "next left out", "pre left out", "mode set to 3"}
    in_call |= {"pre and next exchanged", "condition inverted"}
    behind = {f"{name}, in the local variable" for name in in_call - {"next left out", "pre left out"}}
    behind -= {f"{name}, in the local variable" for name in ("pre and next exchanged", "(X) + 1 for next")}
    in_dict = {"(X) + 1 for next, in the dict", "next left out, in the dict"}
    assert names >= in_call | behind | in_dict | {"slots exchanged", "slot dropped"}


def test_expectations_follow_the_role() -> None:
    by_role = {site["line"]: site["role"] for site in sites(source())}
    for planting in all_plantings():
        if planting.rewriting == "pre and next exchanged":
            ((_, line),) = planting.expected
            codes = planting.expected["backend.py", line]
            wanted = {"workspace": ("FIA104",), "update": ("FIA105",)}.get(by_role[line], ("FIA101", "FIA102", "FIA201"))
            assert codes == wanted


def test_tuples_and_their_unpackings() -> None:
    of = source()
    assert [(t.start, t.length, len(t.node.elts), t.alternative) for t in captured(of)] == [
        (0, 8, 6, False),
        (6, 8, 2, True),
        (6, 8, 2, True),
    ]
    (reader,) = unpackings(of)
    assert (reader.owner, reader.length, reader.feeding) == ("Backend", 8, frozenset({1, 4, 5, 6}))


def finding(code: str, line: int, condition: str = "always", related: int | None = None) -> dict[str, Any]:
    return {
        "code": code,
        "path": "p.py",
        "call": {"line": line, "column": 1},
        "argument": "pre_tokens",
        "value": "1",
        "reference": "0",
        "condition": condition,
        "related": [] if related is None else [{"path": "p.py", "line": related}],
    }


def test_what_counts_as_found_and_as_noise() -> None:
    """An old finding is no news; a related site names a call too; a workspace query of the same function is linked."""
    keys = {line: ("p.py", line) for line in (10, 20, 30, 40)}
    named = [(10, "C.f", "capture"), (20, "C.f", "workspace"), (30, "C.g", "eager"), (40, "C.h", "eager")]
    known = {keys[line]: plant.Site(keys[line], line + 5, symbol, role, "p") for line, symbol, role in named}
    old = finding("FIA102", 30)
    base = plant.Base(known, frozenset(keys.values()), plant.Counter([plant.identity(old)]), [], frozenset())
    planting = Planting("x", "p.py", "", {keys[10]: ("FIA101", "FIA201")}, "here")

    def outcome(*news: dict[str, Any]) -> tuple[bool, bool, int]:
        result = plant.judge(base, planting, [old, *news], 0.0)
        return result.found, result.complete, len(result.noise)

    assert outcome() == (False, False, 0)
    assert outcome(finding("FIA101", 10)) == (True, False, 0)
    assert outcome(finding("FIA101", 10), finding("FIA201", 10)) == (True, True, 0)
    assert outcome(finding("FIA101", 30, related=12)) == (True, False, 0)
    assert outcome(finding("FIA101", 30, related=17)) == (False, False, 1)
    assert outcome(finding("FIA104", 20)) == (False, False, 0)
    assert outcome(finding("FIA102", 30, "other")) == (False, False, 1)


def test_a_stress_program_is_wrong_unknown_or_right() -> None:
    stress = scale.Stress("x", "", 2, lambda flags: "1" if flags["f1"] else "0")

    def audit(cases: list[tuple[str, str]], message: str = "") -> dict[str, Any]:
        printed = [{"when": when, "value": value} for when, value in cases]
        reasons = [{**finding("FIA901", 1), "message": message}] if message else []
        return {"sites": [{"arguments": {"pre_tokens": {"cases": printed}}}], "findings": reasons}

    assert scale.verify(stress, audit([("flags.f1", "1"), ("not flags.f1", "0")])) == ("", "")
    assert scale.verify(stress, audit([("flags.f1", "0"), ("not flags.f1", "1")]))[0]
    assert scale.verify(stress, audit([("flags.f0", "1")]))[0]
    assert scale.verify(stress, audit([("always", "unknown")]))[0]
    assert scale.verify(stress, audit([("always", "unknown")], "more terms than the bound")) == ("", "more terms than the bound")
    assert scale.verify(stress, audit([("always", "unknown")], "a parameter"))[0]


# ------------------------------------------------------------------------------------------------ what means nothing

PER_FILE: dict[str, Callable[[Source, list[ast.Call]], str | None]] = {
    **REWRITINGS,
    "split at the front": splitting.split_at_front,
    "split at the back": splitting.split_at_back,
}


@pytest.mark.parametrize("name", PER_FILE)
def test_what_means_nothing_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = source()
    text = PER_FILE[name](of, calls(of))
    assert text is not None and text != PROGRAM
    assert execute({"backend.py": text}, monkeypatch) == execute({"backend.py": PROGRAM}, monkeypatch)


def test_a_constant_moves_to_another_module(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = several_files.constants_moved(["backend.py"], lambda path: PROGRAM, ["backend.py"])
    assert changes["constants_of_backend_moved.py"] == "INT_MAX = 2**31 - 1\n"
    assert execute(changes, monkeypatch) == execute({"backend.py": PROGRAM}, monkeypatch)


def test_modules_are_renamed_with_their_imports() -> None:
    files = {
        "p/__init__.py": "from p.b import x\n",
        "p/a.py": "from .b import x\nfrom . import b\nimport p.b as c\n",
        "p/b.py": "x = 1\n",
    }
    changes = several_files.modules_renamed(sorted(files), files.__getitem__, ["p/a.py", "p/b.py"])
    assert changes == {
        "p/__init__.py": "from p.z001_b import x\n",
        "p/a.py": None,
        "p/z002_a.py": "from .z001_b import x\nfrom . import z001_b as b\nimport p.z001_b as c\n",
        "p/b.py": None,
        "p/z001_b.py": "x = 1\n",
    }
    assert several_files.original_path("p/z001_b.py") == "p/b.py"


def test_names_of_windows_and_closures_are_kept() -> None:
    text = """def f(a):
    sliding_window = a
    b = a
    def g():
        return b, sliding_window
    return [c for c in g()], f'{a}'
"""
    renamed = REWRITINGS["locals renamed"](Source("x.py", text), [])
    assert renamed is not None
    assert renamed == text.replace("b = a", "b_moved = a").replace("return b,", "return b_moved,")
    assert original(renamed) == text


# ------------------------------------------------------------------------------------------------ conditions


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("a is not None", "not a is None", True),
        ("a and b or a and not b", "a", True),
        ("x == 1", "x == 1 and not x == 2", True),
        ("sliding_window", "sliding_window is not None", True),
        ("sliding_window >= 0", "sliding_window != -1", False),
        ("a < 3", "not a >= 3", True),
        ("always", "a or not a", True),
        ("a", "b", False),
    ],
)
def test_conditions_are_compared_by_meaning(left: str, right: str, same: bool) -> None:
    assert conditions.equivalent(left, right) == same


def test_cases_are_compared_by_meaning() -> None:
    one = [{"when": "a", "value": "1"}, {"when": "not a", "value": "2"}]
    other = [{"when": "not a", "value": "2"}, {"when": "a and b", "value": "1"}, {"when": "a and not b", "value": "1"}]
    assert conditions.same_cases(one, other)
    assert not conditions.same_cases(one, [{"when": "always", "value": "1"}])


def test_descriptions_in_conditions_are_names() -> None:
    """The line of a loop may change, and what is said of it is the same test."""
    one = conditions.parse("sliding_window is not None and (the loop at line 8 runs or not the loop at line 9 goes on)")
    other = conditions.parse("sliding_window is not None and (the loop at line 18 runs or not the loop at line 19 goes on)")
    assert one.atoms == other.atoms == {"_the_loop_at_line_runs", "_the_loop_at_line_goes_on"}


def test_literals_of_a_condition() -> None:
    found = conditions.literals("sliding_window is not None and self.sinks is None and not m.causal")
    assert {letter(literal) for literal in found} == {"W", "-S", "-C"}
    with pytest.raises(ValueError, match="conjunction"):
        conditions.literals("a or b")


def test_golden_values_are_compared_by_situation() -> None:
    printed = [
        {"when": "sliding_window is not None", "value": "sliding_window"},
        {"when": "sliding_window is None", "value": "unbounded"},
    ]
    assert not differences("w if W; U if not W", printed)
    assert differences("w", printed)
    assert differences("w if W", printed)
    causal = [{"when": "attn_metadata.causal", "value": "3"}, {"when": "not attn_metadata.causal", "value": "0"}]
    assert not differences("3 if C; 0 if not C", causal)
    assert differences("0 if C; 3 if not C", causal)
    assert differences("3", causal)
