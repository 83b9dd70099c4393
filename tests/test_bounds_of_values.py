"""Values and conditions that outgrow their bounds become unknown; nothing else happens.

If this failed, one huge condition in one file would end the whole run with a traceback.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fia_lint.run import analyse
from fia_lint.settings import Settings
from fia_lint.targets.tree import Tree

PROGRAMS = sorted((Path(__file__).parent / "adversarial").glob("*.py"))


@pytest.mark.parametrize(("nodes", "terms"), [(3, 2), (12, 3), (40, 8)])
def test_tiny_bounds(nodes: int, terms: int) -> None:
    """Each bound meets every third program, another third each time."""
    several = (3, 12, 40).index(nodes)
    for program in PROGRAMS[several::3]:
        tree = Tree.of({program.name: program.read_bytes()})
        result = analyse(tree, Settings(max_nodes=nodes, max_terms=terms))
        assert not result.errors
        assert result.audit, program.name
