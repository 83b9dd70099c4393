"""From text to statements, by the standard library's parser."""

from __future__ import annotations

import ast
import warnings

from fia_lint.extract import ir
from fia_lint.extract.lower_stmt import StatementLowering
from fia_lint.extract.positions import Positions


def parse(source: str) -> ast.Module:
    """The tree of a source text. Raises what ``ast.parse`` raises: SyntaxError, RecursionError, MemoryError."""
    with warnings.catch_warnings():
        # What Python warns of (an unknown escape, say) is no concern of this tool.
        warnings.simplefilter("ignore")
        return ast.parse(source)


def lower(source: str, tree: ast.Module) -> list[ir.Stmt]:
    """The statements of a file, from its text and the tree of that text."""
    return StatementLowering(Positions(source)).body(tree.body)
