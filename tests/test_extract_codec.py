"""Facts to bytes and back."""

from __future__ import annotations


import pytest
from hypothesis import given

from fia_lint.extract import extract
from fia_lint.extract.codec import pack, unpack
from tests.python_forms import FORMS, items
from tests.test_extract_lower import EXPRESSIONS

CALLS = "def f(w):  # noqa: FIA101\n    return torch_npu.npu_fused_infer_attention_score(q, k, v, pre_tokens=w)\n"


@pytest.mark.parametrize("source", [FORMS + CALLS, "", "x = 1e400, 2**99, 'a\\ud800', ..., None, -0.0, 99999999999999999999\n"])
def test_comes_back_equal(source: str) -> None:
    facts = extract("a.py", source.encode())
    again = unpack(pack(facts))
    assert again == facts
    assert [type(item) for item in items(again)] == [type(item) for item in items(facts)]


@given(EXPRESSIONS)
def test_mixtures_come_back_equal(text: str) -> None:
    facts = extract("a.py", f"x = ({text})\n".encode())
    assert unpack(pack(facts)) == facts


def test_same_facts_same_bytes() -> None:
    assert pack(extract("a.py", FORMS.encode())) == pack(extract("a.py", FORMS.encode()))


def test_depth() -> None:
    source = "if a:\n  pass\n" + "".join(f"elif b{i}: x = {i}\n" for i in range(5000)) + "y = " + " + ".join("a" * 10_000) + "\n"
    facts = extract("a.py", source.encode())
    packed = pack(facts)
    assert pack(unpack(packed)) == packed


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: b"", lambda d: d[:40] + b"?" + d[41:], lambda d: b"x" * 300])
def test_damaged(damage: object) -> None:
    data = pack(extract("a.py", CALLS.encode()))
    with pytest.raises(ValueError):
        unpack(damage(data))  # type: ignore[operator]
