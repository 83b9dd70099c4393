"""From bytes to text, as Python itself reads a source file."""

from __future__ import annotations

import codecs
import io
import tokenize

from fia_lint.errors import SourceError


def decode(path: str, data: bytes) -> str:
    """The text of a source file, with ``\\n`` line ends and without a byte order mark.

    Raises SourceError for a file that is no text: binary, in an encoding that is not known, or in another than it claims.
    """
    if b"\0" in data:
        raise SourceError(path, _line(data, data.index(b"\0")), "is a binary file, not Python source")
    encoding = _encoding(path, data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(path, _line(data, error.start), f"cannot be decoded as {encoding}: {error.reason}") from None
    except (LookupError, ValueError, AssertionError):
        raise SourceError(path, 1, f"claims to be in {encoding}, which is no encoding of text") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise SourceError(path, text.count("\n", 0, text.index("\0")) + 1, "is a binary file, not Python source")
    return text


def _encoding(path: str, data: bytes) -> str:
    """The encoding that a byte order mark or a comment of the first two lines declares; UTF-8 without either."""
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        try:
            data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError as bad:
            line = _line(data, bad.start)
            raise SourceError(path, line, f"cannot be decoded as utf-8: {bad.reason}") from None
        raise SourceError(path, 1 if b"coding" in data.split(b"\n", 1)[0] else 2, str(error.msg)) from None


def _line(data: bytes, offset: int) -> int:
    """The line of an offset, from 1. Lines end in ``\\n``, ``\\r\\n`` or ``\\r``."""
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1
