"""The lowered form of a Python file: what later stages know of its syntax.

Plain data, serialisable field by field. Every expression and statement has the span of its source.
Nothing of a parser's own classes is in here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fia_lint.spans import Span

# --------------------------------------------------------------------------------------------- expressions


@dataclass(slots=True)
class Expr:
    """An expression."""

    span: Span


@dataclass(slots=True)
class Constant(Expr):
    """None, True, False, Ellipsis, an int, float, str; bytes and complex are lowered to ``Other``."""

    value: object


@dataclass(slots=True)
class Name(Expr):
    id: str


@dataclass(slots=True)
class Attribute(Expr):
    value: Expr
    attr: str


@dataclass(slots=True)
class Subscript(Expr):
    value: Expr
    index: Expr


@dataclass(slots=True)
class Slice(Expr):
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True)
class Argument:
    """One argument of a call, in source order. ``star`` is ``""``, ``"*"`` or ``"**"``; ``name`` is set for ``name=value``.

    ``span`` covers the whole argument (``name=value``, ``**value``); the value has its own.
    """

    span: Span
    value: Expr
    name: str | None = None
    star: str = ""


@dataclass(slots=True)
class Call(Expr):
    func: Expr
    args: list[Argument]


@dataclass(slots=True)
class Binary(Expr):
    """``op`` is the operator as written: ``+ - * / // % ** << >> | & ^ @``."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Unary(Expr):
    """``op`` is ``- + ~ not``."""

    op: str
    operand: Expr


@dataclass(slots=True)
class Boolean(Expr):
    """``and`` or ``or`` of two or more values."""

    op: str
    values: list[Expr]


@dataclass(slots=True)
class Compare(Expr):
    """A chain: ``ops`` are ``== != < <= > >= is "is not" in "not in"``; one more operand than operators."""

    operands: list[Expr]
    ops: list[str]


@dataclass(slots=True)
class Conditional(Expr):
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(slots=True)
class Starred(Expr):
    """``*value`` in a display or on the left of an assignment."""

    value: Expr


@dataclass(slots=True)
class Sequence(Expr):
    """A display: ``kind`` is ``tuple``, ``list`` or ``set``; items may be ``Starred``."""

    kind: str
    items: list[Expr]


@dataclass(slots=True)
class DictDisplay(Expr):
    """``{key: value}``; the key of a ``**value`` entry is None."""

    entries: list[tuple[Expr | None, Expr]]


@dataclass(slots=True)
class Walrus(Expr):
    target: Name
    value: Expr


@dataclass(slots=True)
class Lambda(Expr):
    params: list[Parameter]
    body: Expr


@dataclass(slots=True)
class Comprehension(Expr):
    """``kind`` is ``list``, ``set``, ``dict`` or ``generator``; ``key`` is set for a dict."""

    kind: str
    key: Expr | None
    element: Expr
    loops: list[ComprehensionLoop]


@dataclass(slots=True)
class ComprehensionLoop:
    target: Expr
    iterable: Expr
    conditions: list[Expr]


@dataclass(slots=True)
class Other(Expr):
    """Anything else (f-string, await, yield, bytes …) with the expressions inside it. ``kind`` names it."""

    kind: str
    children: list[Expr]


# ---------------------------------------------------------------------------------------------- statements


@dataclass(slots=True)
class Stmt:
    """A statement."""

    span: Span


@dataclass(slots=True)
class Assign(Stmt):
    """``a = b = value``; an annotated assignment has one target and an ``annotation`` (and maybe no value)."""

    targets: list[Expr]
    value: Expr | None
    annotation: Expr | None = None


@dataclass(slots=True)
class AugAssign(Stmt):
    target: Expr
    op: str
    value: Expr


@dataclass(slots=True)
class ExprStmt(Stmt):
    value: Expr


@dataclass(slots=True)
class If(Stmt):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True)
class While(Stmt):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True)
class For(Stmt):
    target: Expr
    iterable: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True)
class Handler:
    span: Span
    type: Expr | None
    name: str | None
    body: list[Stmt]


@dataclass(slots=True)
class Try(Stmt):
    body: list[Stmt]
    handlers: list[Handler]
    orelse: list[Stmt]
    final: list[Stmt]


@dataclass(slots=True)
class WithItem:
    value: Expr
    target: Expr | None


@dataclass(slots=True)
class With(Stmt):
    items: list[WithItem]
    body: list[Stmt]


@dataclass(slots=True)
class Pattern:
    """``kind`` and what it uses:

    ``value`` (expr: a constant or dotted name, compared with ``==``), ``singleton`` (expr: None, True or False,
    compared with ``is``), ``capture`` (name, or None for ``_``; one optional sub-pattern for ``p as name``),
    ``or`` (patterns), ``sequence`` (patterns; a ``star`` pattern with its name), ``class`` (expr: the class;
    patterns: positional; keywords), ``mapping`` (keywords with constant keys as ``(Expr, Pattern)`` in ``entries``;
    name: the ``**rest``).
    """

    span: Span
    kind: str
    expr: Expr | None = None
    name: str | None = None
    patterns: list[Pattern] = field(default_factory=list)
    keywords: list[tuple[str, Pattern]] = field(default_factory=list)
    entries: list[tuple[Expr, Pattern]] = field(default_factory=list)


@dataclass(slots=True)
class MatchCase:
    pattern: Pattern
    guard: Expr | None
    body: list[Stmt]


@dataclass(slots=True)
class Match(Stmt):
    subject: Expr
    cases: list[MatchCase]


@dataclass(slots=True)
class Return(Stmt):
    value: Expr | None


@dataclass(slots=True)
class Raise(Stmt):
    value: Expr | None


@dataclass(slots=True)
class Assert(Stmt):
    test: Expr


@dataclass(slots=True)
class Jump(Stmt):
    """``break`` or ``continue``."""

    kind: str


@dataclass(slots=True)
class Delete(Stmt):
    targets: list[Expr]


@dataclass(slots=True)
class Scope(Stmt):
    """``global`` or ``nonlocal``."""

    kind: str
    names: list[str]


@dataclass(slots=True)
class Import(Stmt):
    """``import a.b as c``: ``(("a.b", "c"),)``; without ``as`` the second is None."""

    names: list[tuple[str, str | None]]


@dataclass(slots=True)
class ImportFrom(Stmt):
    """``from ..m import a as b``: module ``m`` (or ""), level 2, names ``(("a", "b"),)``; star is ``("*", None)``."""

    module: str
    level: int
    names: list[tuple[str, str | None]]


@dataclass(slots=True)
class Parameter:
    """``kind`` is ``positional`` (only), ``normal``, ``keyword`` (only), ``*`` or ``**``."""

    name: str
    kind: str
    default: Expr | None
    annotation: Expr | None
    span: Span


@dataclass(slots=True)
class FunctionDef(Stmt):
    """``name_span`` is that of the name itself. ``is_generator``: a yield stands directly in it."""

    name: str
    name_span: Span
    params: list[Parameter]
    body: list[Stmt]
    decorators: list[Expr]
    returns: Expr | None
    is_async: bool = False
    is_generator: bool = False


@dataclass(slots=True)
class ClassDef(Stmt):
    name: str
    name_span: Span
    bases: list[Argument]
    body: list[Stmt]
    decorators: list[Expr]


# --------------------------------------------------------------------------------------------------- facts


@dataclass(slots=True)
class FoundCall:
    """A call that the finder recognised by its spelling as one of an entry point.

    ``operator`` is the entry point's name, ``overload`` ``default`` or ``out``, ``function`` the dotted name of the
    enclosing definitions (``Backend.forward``; "" at module level).
    """

    span: Span
    operator: str
    overload: str
    function: str


@dataclass(slots=True)
class Noqa:
    """A suppression comment. ``codes`` is empty for a bare ``# noqa``; ``whole_file`` for ``# flake8: noqa``.

    ``line`` is the physical line of the comment; ``start_line`` and ``end_line`` are the first and last of the lines that
    flake8 joins with it (over strings and backslashes, not over brackets): the comment is for findings on all of them.
    ``is_comment`` is false for such a text inside a string, which counts all the same.
    """

    line: int
    start_line: int
    end_line: int
    span: Span
    codes: tuple[str, ...]
    whole_file: bool
    is_comment: bool

    def covers(self, line: int) -> bool:
        """Whether it is for findings on that line."""
        return self.start_line <= line <= self.end_line


@dataclass(slots=True)
class Facts:
    """Everything later stages know of one file.

    ``path`` is relative to the tree, with forward slashes; ``source`` the decoded text with ``\\n`` line ends.
    """

    path: str
    source: str
    body: list[Stmt]
    found: list[FoundCall]
    noqa: list[Noqa]

    def text(self, span: Span) -> str:
        """The source of a span."""
        lines = self.source.split("\n")
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = lines[span.line - 1][span.column - 1 :]
        last = lines[span.end_line - 1][: span.end_column - 1]
        return "\n".join([first, *lines[span.line : span.end_line - 1], last])
