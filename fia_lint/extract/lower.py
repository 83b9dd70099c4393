"""From text to statements, by the standard library's parser."""

from __future__ import annotations

import ast
import warnings

from fia_lint.extract import ir
from fia_lint.extract.lower_stmt import StatementLowering
from fia_lint.extract.positions import Positions


def statements(source: str) -> list[ir.Stmt]:
    """The statements of a file. Raises what ``ast.parse`` raises: SyntaxError, ValueError, RecursionError, MemoryError."""
    return StatementLowering(Positions(source)).body(_parse(source).body)


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        # What Python warns of (an unknown escape, say) is no concern of this tool.
        warnings.simplefilter("ignore")
        return ast.parse(source)
