"""What every test starts with."""

import pytest
from hypothesis import settings

from fia_lint.algebra.diagram import start_afresh

# As many examples as the time of one run allows; ``--hypothesis-profile thorough`` tries many more.
settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("quick")


@pytest.fixture(autouse=True)
def _nothing_left_over() -> None:
    """A test does not see the subjects of the one before, as one run of the tool does not see those of another."""
    start_afresh()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """What tests share is made once: those that belong together run in one process."""
    from tests.scheduling import Together

    return Together(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that all processes end together."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
