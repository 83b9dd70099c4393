"""Extraction on five real releases: every call is found where Python has it, and both parsers say the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from fia_lint.extract import extract, lower_cst
from fia_lint.extract.codec import pack, unpack
from fia_lint.extract.deep import deep
from fia_lint.operators import enabled
from fia_lint.spans import Span
from tests.corpora import RELEASES, unpacked

pytestmark = pytest.mark.corpus


def naming(release: str) -> Iterator[tuple[Path, str]]:
    """The files of a release that name the operator, and what is in them."""
    for path in sorted(unpacked(release).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if any(name in source for name in enabled()):
            yield path, source


def expected(source: str) -> set[Span]:
    """The calls of entry points, by the standard library alone. The files are known to have no wide characters before them."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            names = [name for name in ast.unparse(node.func).split(".") if name not in ("out", "default")]
            if names and names[-1] in enabled():
                found.add(Span(node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1))
    return found


@pytest.mark.parametrize(("release", "count"), list(zip(RELEASES, (2, 8, 21, 26, 42), strict=True)))
def test_every_call_is_found(release: str, count: int) -> None:
    total = 0
    for path, source in naming(release):
        facts = extract(path.name, source.encode())
        spans = {call.span for call in facts.found if call.operator in enabled()}
        assert spans == expected(source), path
        assert unpack(pack(facts)) == facts
        total += len(spans)
    assert total == count


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES[-1:])
def test_both_parsers_agree(release: str) -> None:
    for path, source in naming(release):
        lowered = deep(lambda text=source: lower_cst.statements(text))
        assert lowered == extract(path.name, source.encode()).body, path
