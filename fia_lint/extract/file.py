"""A file from its bytes to its facts: decoded, parsed by whichever parser can, lowered, searched."""

from __future__ import annotations

import copyreg

from fia_lint.collecting import no_collections
from fia_lint.errors import BudgetUsedUp, InternalError, NotSupported, SourceError
from fia_lint.extract.codec import pack, unpack
from fia_lint.extract.decode import decode
from fia_lint.extract.deep import deep
from fia_lint.extract.faults import describe
from fia_lint.extract.finder import find
from fia_lint.extract.ir import Facts, Stmt
from fia_lint.extract.limits import deepest
from fia_lint.extract.lower import statements
from fia_lint.extract.mangle import mangle
from fia_lint.extract.noqa import suppressions

# Between processes facts travel packed: pickle recurses, and code may nest deeper than it can.
copyreg.pickle(Facts, lambda facts: (unpack, (pack(facts),)))


def facts_of(path: str, data: bytes) -> Facts:
    """The facts of a file. Raises SourceError for one that cannot be read or parsed."""
    source = decode(path, data)
    try:
        return deep(lambda: _facts(path, source))
    except SyntaxError as error:
        raise SourceError(path, *describe(error, source)) from None
    except ValueError as error:
        raise SourceError(path, 1, f"is not valid Python: {error}") from None
    except (RecursionError, MemoryError):
        raise BudgetUsedUp(path, deepest(source), "is nested too deeply to be parsed") from None
    except NotImplementedError as error:
        raise NotSupported(path, 1, f"has syntax that this version does not know: {error}") from None
    except Exception as error:
        message = f"brings out a fault of fia-lint, please report it: {type(error).__name__}: {error}"
        raise InternalError(path, 1, message) from error


def _facts(path: str, source: str) -> Facts:
    with no_collections():
        body = _lower(source)
        mangle(source, body)
        return Facts(path, source, body, find(source, body), suppressions(source))


def _lower(source: str) -> list[Stmt]:
    """The statements of a file, by whichever parser can take it. Raises what the first one does if neither can."""
    try:
        return statements(source)
    except (SyntaxError, RecursionError, MemoryError):
        from fia_lint.extract import lower_cst

        body = lower_cst.statements(source)
        if body is None:
            raise
        return body
