"""Whether what an update call unpacks is in step with what the capture stored (the facts behind rule FIA105)."""

from __future__ import annotations


def check(driver, run) -> None:
    """Compare the mask arguments of update calls with those of the capture calls that fed them."""
