"""Trace: where the value of a mask argument came from, as steps in source order of the story. Runs only when asked."""

from fia_lint.trace.origin import Origin, Tracer
from fia_lint.trace.steps import Step

__all__ = ["Origin", "Step", "Tracer"]
