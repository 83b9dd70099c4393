"""The catalogue: which Python entry points reach an operator, and what their mask arguments mean.

One row per entry point. Sources: the public operator reference of torch_npu and the schemas registered
by op-plugin (state of August 2026).
"""

from fia_lint.operators.catalogue import CATALOGUE, MASK_ARGUMENTS, UNBOUNDED, EntryPoint, enabled

__all__ = ["CATALOGUE", "MASK_ARGUMENTS", "UNBOUNDED", "EntryPoint", "enabled"]
