"""The smallest parts of libcst's expressions: operators, names, literals and what is in strings."""

from __future__ import annotations

import ast
import unicodedata
import warnings
from typing import Any

import libcst as cst

_OPERATORS = {
    "IsNot": "is not", "NotIn": "not in", "Is": "is", "In": "in", "Not": "not", "And": "and", "Or": "or",
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%", "Power": "**",
    "LeftShift": "<<", "RightShift": ">>", "BitOr": "|", "BitAnd": "&", "BitXor": "^", "MatrixMultiply": "@",
    "Minus": "-", "Plus": "+", "BitInvert": "~",
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">", "GreaterThanEqual": ">=",
}  # fmt: skip


def operator(node: cst.CSTNode) -> str:
    """An operator as it is written; that of an augmented assignment without its ``=``."""
    return _OPERATORS[type(node).__name__.removesuffix("Assign")]


def identifier(node: cst.Name) -> str:
    """A name as Python sees it."""
    return node.value if node.value.isascii() else unicodedata.normalize("NFKC", node.value)


def literal(text: str) -> object:
    """The value of a literal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


def pieces(node: Any) -> list[Any]:
    """The strings that stand one after the other in a string."""
    found = []
    while isinstance(node, cst.ConcatenatedString):
        found.append(node.left)
        node = node.right
    return [*found, node]


def string_kind(node: Any) -> str:
    """``tstring``, ``fstring`` or ``string``."""
    names = {type(piece).__name__ for piece in pieces(node)}
    return "tstring" if "TemplatedString" in names else "fstring" if "FormattedString" in names else "string"


def in_braces(node: Any) -> list[cst.CSTNode]:
    """The expressions in the braces of a string, those in format specifications included."""
    found: list[cst.CSTNode] = []
    for piece in pieces(node):
        for part in getattr(piece, "parts", ()):
            found += _expressions(part)
    return found


def _expressions(part: Any) -> list[cst.CSTNode]:
    if not hasattr(part, "expression"):
        return []
    return [part.expression, *(inner for each in part.format_spec or () for inner in _expressions(each))]
