"""Fix: what is found in a target rewritten to what it should say, and nothing else touched."""

from fia_lint.fix.repair import Repaired, repaired

__all__ = ["Repaired", "repaired"]
