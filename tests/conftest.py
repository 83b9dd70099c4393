"""What every test starts with."""

import pytest

from fia_lint.algebra.diagram import start_afresh


@pytest.fixture(autouse=True)
def _nothing_left_over() -> None:
    """A test does not see the subjects of the one before, as one run of the tool does not see those of another."""
    start_afresh()
