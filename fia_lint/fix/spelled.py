"""How the entry points spell their arguments."""

from __future__ import annotations

from fia_lint.evaluate.sites import Site
from fia_lint.operators import CATALOGUE


def keyword_of(site: Site, argument: str) -> str:
    """How an entry point spells a mask argument."""
    row = next((row for row in CATALOGUE if row.name == site.operator), None)
    return row.spelling.get(argument, argument) if row else argument
