"""Changes of single expressions of a file, found by their place; everything else stays byte for byte."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable
from dataclasses import dataclass
from tokenize import COMMENT, TokenError, generate_tokens
from typing import TYPE_CHECKING

from fia_lint.spans import Span

if TYPE_CHECKING:
    import libcst as cst

    from fia_lint.fix.rewriter import Rewriter


@dataclass(frozen=True)
class Edit:
    """A change in the file ``path``. ``span`` is what it touches: two edits of one span never go together."""

    path: str
    span: Span

    def enter(self, rewriter: Rewriter) -> None:
        """Hand this edit to a rewriter, for the kind of node that it changes."""
        raise NotImplementedError


@dataclass(frozen=True)
class Replace(Edit):
    """The expression at ``span`` becomes ``text``; parentheses around it stay."""

    text: str

    def enter(self, rewriter: Rewriter) -> None:
        rewriter.replaced[self.span] = self.text


@dataclass(frozen=True)
class Add(Edit):
    """The call or the dict display at ``span`` gets one more entry, ``name=text`` or ``"name": text``."""

    name: str
    text: str

    def enter(self, rewriter: Rewriter) -> None:
        rewriter.added.setdefault(self.span, []).append((self.name, self.text))


@dataclass(frozen=True)
class Drop(Edit):
    """The call at ``span`` loses its keyword argument ``name``."""

    name: str

    def enter(self, rewriter: Rewriter) -> None:
        rewriter.dropped.setdefault(self.span, []).append(self.name)


class CannotEdit(Exception):
    """An edit does not find its place, or what would come of it is no Python."""


def applied(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes of a file after some edits: the same encoding, line ends and byte order mark. Raises ``CannotEdit``."""
    import libcst as cst

    from fia_lint.extract.deep import deep
    from fia_lint.fix.rewriter import Rewriter

    rewriter = Rewriter()
    for edit in edits:
        edit.enter(rewriter)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return mark + deep(lambda: _rewritten(data.removeprefix(mark), rewriter))
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, UnicodeError, TokenError, SyntaxError) as error:
        raise CannotEdit(f"the file cannot be rewritten: {str(error).splitlines()[0]}") from None


def _rewritten(data: bytes, rewriter: Rewriter) -> bytes:
    import libcst as cst

    # libcst does not keep every kind of line end at the end of a file, nor a form feed anywhere.
    content = data.rstrip(b"\r\n")
    parsed = cst.parse_module(content)
    if parsed.bytes != content:
        raise CannotEdit("the rest of the file would not stay as it is: it has a form feed, or the like")
    module: cst.Module = cst.MetadataWrapper(parsed, unsafe_skip_copy=True).visit(rewriter)
    if rewriter.waiting:
        raise CannotEdit("the place of the change cannot be found again")
    if _comments(module) != _comments(parsed):
        raise CannotEdit("a comment would be lost")
    return module.bytes + data[len(content) :]


def _comments(module: cst.Module) -> list[str]:
    """The comments of a file, in order: they are the author's, whatever is changed."""
    return [token.string for token in generate_tokens(io.StringIO(module.code).readline) if token.type == COMMENT]
