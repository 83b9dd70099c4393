"""``python -m fia_lint``."""

import sys

from fia_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
