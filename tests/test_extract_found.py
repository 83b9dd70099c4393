"""Which calls are found by their spelling, and where."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fia_lint.extract import extract, finder, ir
from fia_lint.extract.finder import find
from tests.python_forms import items

FIA = "npu_fused_infer_attention_score"


def found(source: str) -> list[tuple[str, str, str, str]]:
    """Text, operator, overload and function of each call that is found."""
    facts = extract("a.py", source.encode())
    calls = [item.span for item in items(facts.body) if isinstance(item, ir.Call)]
    assert all(call.span in calls for call in facts.found)
    return [(facts.text(c.span), c.operator, c.overload, c.function) for c in facts.found]


SILENT = {
    "definition": f"def {FIA}(q): pass",
    "string": f"x = '{FIA}(q)'",
    "comment": f"x = f()  # {FIA}(q)",
    "attribute_read": f"x = torch_npu.{FIA}",
    "registry": f"x = {{'fia': torch_npu.{FIA}}}",
    "decorator": f"@torch_npu.{FIA}(q)\ndef f(): pass",
    "patch_target": f"mock.patch('torch_npu.{FIA}')",
    "longer_name": f"torch_npu.{FIA}_sink(q)",
    "shorter_name": "torch_npu.fused_infer_attention_score(q)",
    "infer_output": f"torch_npu._{FIA}_infer_output(q)",
    "fstring": f"x = f'{{torch_npu.{FIA}(q)}}'",
    "same_arguments": "torch_npu.npu_laser_attention(q, k, v, pre_tokens=w, next_tokens=1)",
    "attribute_of_it": f"torch_npu.{FIA}.register(q)",
    "alias_bound_twice": f"f = torch_npu.{FIA}\nf = other\nf(q)",
    "alias_bound_elsewhere": f"def a():\n  f = torch_npu.{FIA}\ndef b(f):\n  f(q)",
    "alias_deleted": f"f = torch_npu.{FIA}\ndel f\nf(q)",
    "argument_of_another": f"run(torch_npu.{FIA}, q)",
}


@pytest.mark.parametrize("source", [pytest.param(source, id=name) for name, source in SILENT.items()])
def test_not_found(source: str) -> None:
    assert found(source + "\n") == []


@pytest.mark.parametrize(
    ("callee", "operator", "overload"),
    [
        (FIA, FIA, "default"),
        (f"torch_npu.{FIA}", FIA, "default"),
        (f"torch.ops.npu.{FIA}", FIA, "default"),
        (f"torch.ops.npu.{FIA}.default", FIA, "default"),
        (f"torch.ops.npu.{FIA}.out", FIA, "out"),
        (f"torch.ops.npu.{FIA}.default.out", FIA, "out"),
        (f"torch_npu.{FIA}_v2", f"{FIA}_v2", "default"),
        (f"torch_npu.{FIA}_v2.out", f"{FIA}_v2", "out"),
        (f"torch_npu._{FIA}_get_max_workspace", f"_{FIA}_get_max_workspace", "default"),
        (f"torch_npu._{FIA}_v2_get_max_workspace", f"_{FIA}_v2_get_max_workspace", "default"),
        (f"self.ops[0]().{FIA}", FIA, "default"),
        (f"(torch_npu\n .{FIA})", FIA, "default"),
        ("torch_npu.npu_fusion_attention", "npu_fusion_attention", "default"),
    ],
)
def test_spellings(callee: str, operator: str, overload: str) -> None:
    text = f"{callee}(q, k=[g(1)], **kw)"
    assert found(f"def f():\n    return h(ä, {text})[0].view(1)\n") == [(text, operator, overload, "f")]


@pytest.mark.parametrize(
    ("binding", "callee", "overload"),
    [
        pytest.param(f"from torch_npu import {FIA} as f", "f", "default", id="import_as"),
        pytest.param(f"from torch_npu import {FIA} as f", "f.out", "out", id="import_as_out"),
        pytest.param(f"f = torch_npu.{FIA}", "f", "default", id="assigned"),
        pytest.param(f"f = torch_npu.{FIA}.out", "f", "out", id="assigned_out"),
        pytest.param(f"f = getattr(torch_npu, '{FIA}')", "f", "default", id="getattr"),
        pytest.param(f"def a():\n    f = torch_npu.{FIA}\nf = torch.ops.npu.{FIA}", "f", "default", id="bound_alike_twice"),
    ],
)
def test_aliases(binding: str, callee: str, overload: str) -> None:
    assert found(f"{binding}\ndef g():\n    {callee}(q)\n") == [(f"{callee}(q)", FIA, overload, "g")]


PLACES = """
class Backend:
    x = fia(1)
    def forward(self, a=fia(2), *, b: fia(3) = 4):
        if fia(4): return fia(5)
        elif fia(6): y = [fia(7) for i in fia(8)]
        with fia(9) as c: pass
        try: fia(10)
        except fia(11): fia(12)
        match fia(13):
            case 1 if fia(14): fia(15)
        def inner(): return lambda: fia(16)
        fia(fia(17), k=fia(18))(19).out = fia(20)
        del fia(21)[0]; fia(22); return fia(23)
    async def other(self): await fia(24)
for i in fia(25): pass
print(f"{fia(0)}" + fia(26))
"""


def test_places() -> None:
    calls = found(PLACES.replace("fia(", f"torch_npu.{FIA}("))
    assert len(calls) == 26
    plain = [text for text, *_ in calls if text.count(FIA) == 1]
    assert sorted(int(text.rpartition("(")[2].rstrip(")")) for text in plain) == [*range(1, 19), *range(20, 27)]
    functions = {function for *_, function in calls}
    assert functions == {"", "Backend", "Backend.forward", "Backend.forward.inner", "Backend.other"}


def test_order_and_nesting() -> None:
    source = f"a.{FIA}(a.{FIA}(1), x=a.{FIA}(2))(a.{FIA}(3))\n"
    spans = [call.span for call in extract("a.py", source.encode()).found]
    assert spans == sorted(spans, key=lambda span: (span[:2], -span[3])) and len(spans) == 4


def test_without_libcst_the_same_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    source = PLACES.replace("fia(", f"torch_npu.{FIA}(")
    facts = extract("a.py", source.encode())
    monkeypatch.setattr(finder, "BUDGET", 0)
    assert find(facts.source, facts.body) == facts.found


def test_where_libcst_disagrees_the_lowered_code_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    import fia_lint.extract.visitor as visitor

    monkeypatch.setattr(visitor, "callees", lambda text: [["something", "else"]])
    assert len(found(f"torch_npu.{FIA}(g(1))\n")) == 1


def test_libcst_is_imported_only_for_files_with_an_operator() -> None:
    check = "import sys; from fia_lint.extract import extract; extract('a.py', %r); print('libcst' in sys.modules)"
    for source, expected in ((b"x = 1\n", "False"), (f"torch_npu.{FIA}(q)\n".encode(), "True")):
        run = subprocess.run([sys.executable, "-c", check % source], capture_output=True, text=True, check=True)
        assert run.stdout.strip() == expected


@pytest.mark.parametrize("shape", ["statements", "list"])
def test_5000_calls(shape: str) -> None:
    calls = [f"torch_npu.{FIA}(query_{i}, key, value, sparse_mode=4, pre_tokens=w, next_tokens=0)" for i in range(5000)]
    joined = "\n".join(calls) if shape == "statements" else f"x = [{', '.join(calls)}]"
    facts = extract("a.py", joined.encode())
    assert len(facts.found) == 5000
