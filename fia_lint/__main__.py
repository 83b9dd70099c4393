"""``fia-lint``, and ``python -m fia_lint``: a process of our own."""

import sys

from fia_lint.cli import main
from fia_lint.collecting import collect_rarely


def run() -> int:
    """The command line in a process of its own."""
    collect_rarely()
    return main()


if __name__ == "__main__":
    sys.exit(run())
