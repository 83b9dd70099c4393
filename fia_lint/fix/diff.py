"""Changed files as a unified diff."""

from __future__ import annotations

import difflib

from fia_lint.errors import SourceError
from fia_lint.extract.decode import decode


def unified(name: str, before: bytes, after: bytes) -> str:
    """The diff of one file, as ``patch`` and ``git apply`` take it; line ends as they are."""
    old, new = (_lines(name, data) for data in (before, after))
    text = []
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        text.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(text)


def _lines(name: str, data: bytes) -> list[str]:
    """The lines of a file. What cannot be decoded would not have been analysed."""
    import io
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return io.StringIO(data.decode(encoding.removesuffix("-sig")), newline="\n").readlines()
    except (SyntaxError, UnicodeError):
        try:
            return decode(name, data).splitlines(keepends=True)
        except SourceError:
            return []
