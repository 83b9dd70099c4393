"""Which tests run in one process. (The marks of pytest-xdist for this are not seen with every version of pytest.)"""

from __future__ import annotations

import re

import pytest
from xdist.scheduler import LoadScopeScheduling

#: The tests of one release, and the tests of one fixture: it is analysed once for all of them.
_SHARED = re.compile(r"/(test_corpus\.py)::\w+\[(\d+\.\d+\.\d+)|/(test_fixtures\.py)::\w+\[(.+)\]$")


class Together(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out tests in the order of the collection: those that share an analysis together, all others one by one."""

    def __init__(self, config: pytest.Config, log: object) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        match = _SHARED.search(nodeid)
        return " ".join(filter(None, match.groups())) if match else nodeid
