"""What every test starts with."""

import pytest

from fia_lint.algebra.diagram import start_afresh


@pytest.fixture(autouse=True)
def _nothing_left_over() -> None:
    """A test does not see the subjects of the one before, as one run of the tool does not see those of another."""
    start_afresh()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one release run in one process, where it is analysed once. (First, so that groups are known when they are read.)"""
    for item in items:
        release = getattr(item, "callspec", None) and item.callspec.params.get("release")  # type: ignore[attr-defined]
        if release is not None:
            item.add_marker(pytest.mark.xdist_group(str(release)))
