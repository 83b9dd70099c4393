"""What is wrong with a file that is not valid Python, in words that help."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Forms of Python 2, by what they look like on the line where Python 3 gives up.
_PYTHON_2 = (
    (re.compile(r"(?:^|[:;])\s*print\s+(?![=.,:)\]])\S|(?:^|[:;])\s*print\s*>>"), "a print statement"),
    (re.compile(r"^\s*except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:"), "except with a comma"),
    (re.compile(r"(?:^|[:;])\s*exec\s+(?![=.,:)\]])\S"), "an exec statement"),
    (re.compile(r"(?:^|[:;])\s*raise\s+[\w.]+\s*,"), "raise with a comma"),
    (re.compile(r"`[^`]+`"), "backquotes"),
    (re.compile(r"<>"), "the operator <>"),
    (re.compile(r"\b(?:0[0-7]+|\d+[lL]|0x[0-9a-f]+L)\b", re.IGNORECASE), "an integer of the old form"),
    (re.compile(r"\b[uU][rR][\"']"), "a string of the old form"),
)
_EXCEPT = _PYTHON_2[1][0]

#: How Python says that something was begun and not ended: by where it began, or by where the file ended.
_OPEN = re.compile(r"was never closed|triple-quoted")
_UNFINISHED = re.compile(r"unexpected EOF|expected an indented block|expected 'except'")


def describe(error: SyntaxError, source: str) -> tuple[int, str]:
    """The line of a syntax error, and what is wrong there."""
    lines = source.split("\n")
    line = min(max(error.lineno or 1, 1), len(lines))
    old = python_2(lines[line - 1])
    if old:
        return line, f"is Python 2: {old}"
    message = f"is not valid Python: {error.msg}"
    return line, f"{message} (is the file cut off?)" if _cut_off(error, source, line) else message


def python_2(line: str) -> str | None:
    """The form of Python 2 on a line that Python 3 cannot parse."""
    code = re.sub(r"(?<!\S)#.*", "", line)
    return next((what for form, what in _PYTHON_2 if form.search(code)), None)


def except_with_comma(lines: Sequence[str], line: int) -> None:
    """Raise SyntaxError for ``except E, name:``, which from Python 3.14 on means something else than in Python 2.

    Nobody names a class like a variable: code that looks like this was written for Python 2.
    """
    if _EXCEPT.match(lines[line - 1]):
        raise SyntaxError("multiple exception types must be parenthesized", ("", line, 1, lines[line - 1]))


def _cut_off(error: SyntaxError, source: str, line: int) -> bool:
    """Whether the error is that the file ends too early: in the middle of something, or of its last line."""
    if _OPEN.search(error.msg):
        return True
    at_end = line >= source.rstrip().count("\n") + 1
    return at_end and (not source.endswith("\n") or _UNFINISHED.search(error.msg) is not None)
