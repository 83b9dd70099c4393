"""From text to statements by libcst, for what the running Python's own parser cannot take: newer syntax, deeper nesting."""

from __future__ import annotations

from fia_lint.extract import ir
from fia_lint.extract.limits import fits

#: How long a chain of operators may be: the parser needs two seconds for one of a thousand.
_CHAIN = 1_000


def statements(source: str) -> list[ir.Stmt] | None:
    """The statements of a file, as ``lower`` has them; None if libcst cannot parse it either."""
    if not fits(source, _CHAIN):
        return None
    import libcst as cst

    from fia_lint.extract.cst_positions import CstPositions
    from fia_lint.extract.cst_stmt import CstStatements

    try:
        positions = CstPositions(source)
        return CstStatements(positions).body(positions.module)
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError):
        # It takes some literals as they come that are wrong.
        return None
