"""Random programs of the whole grammar, where hypothesmith is installed: no crash, and one answer from both parsers."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from fia_lint.errors import SourceError
from fia_lint.extract import extract, lower_cst
from fia_lint.extract.codec import pack, unpack
from fia_lint.extract.deep import deep

hypothesmith = pytest.importorskip("hypothesmith")
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example]


@pytest.mark.slow
@settings(suppress_health_check=SLOW)
@given(hypothesmith.from_node())
def test_random_programs(source: str) -> None:
    try:
        facts = extract("a.py", source.encode())
    except (SourceError, UnicodeEncodeError):
        return
    assert unpack(pack(facts)) == facts
    lowered = deep(lambda: lower_cst.statements(facts.source))
    assert lowered is None or lowered == facts.body
