"""Rewritings of one file that mean nothing: no finding and no evaluated value may change.

Each takes a :class:`Source` and the calls of the operator in it and gives the new text, or None where it has nothing to do.
Names that they make end in :data:`MARK`, so that they can be taken out of texts again.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

from bench.rewritings import MASK
from bench.source import Edit, Function, Source

MARK = "_moved"
Rewriting = Callable[[Source, list[ast.Call]], "str | None"]

_WINDOW_LIKE = re.compile(r"(?i)window|(^|_)sw(_|$)")
_SPELLINGS = {**{name: name for name in MASK}, "pre_tockens": "pre_tokens", "next_tockens": "next_tokens"}


def original(text: str) -> str:
    """A text of the tool's output with the names that it had before."""
    return re.sub(rf"(_within0[A-Za-z0-9]+)?{MARK}\b", "", text)


# ------------------------------------------------------------------------------------------------ locals


def rename_locals(source: Source, calls: list[ast.Call]) -> str | None:
    """Every local variable of every function gets another name, except parameters and names of windows."""
    edits: list[Edit] = []
    for table, node in _functions(source):
        names = _renamable(table, node)
        inside = (n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in names)
        edits += [source.replace(n, n.id + MARK) for n in inside]
    return source.edited(edits) if edits else None


def _functions(source: Source) -> Iterator[tuple[symtable.SymbolTable, Function]]:
    """The outermost functions with their symbol tables."""
    tables = {(t.get_name(), t.get_lineno()): t for t in _tables(symtable.symtable(source.text, source.path, "exec"))}
    for node in ast.walk(source.tree):
        if _is_function(node) and source.function(node) is None:
            lines = (node.lineno, *(d.lineno for d in node.decorator_list))
            table = next((tables[node.name, line] for line in lines if (node.name, line) in tables), None)
            if table:
                yield table, node


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _is_function(node: ast.AST) -> TypeGuard[Function]:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _renamable(table: symtable.SymbolTable, node: Function) -> set[str]:
    """Local names that are bound by name nodes only, mean one variable in the whole function, and occur in no f-string
    (where older versions of Python do not say at which place)."""
    if any(isinstance(n, ast.Name) and n.id in ("locals", "vars", "eval", "exec") for n in ast.walk(node)):
        return set()
    plain = {s.get_name() for s in table.get_symbols() if s.is_local() and not s.is_parameter() and s.is_assigned()}
    for inner in _tables(table):
        if inner is not table:
            plain -= {s.get_name() for s in inner.get_symbols() if not s.is_free()}
    plain -= {name for n in ast.walk(node) for name in _bound_otherwise(n)}
    plain -= {n.id for f in ast.walk(node) if isinstance(f, ast.JoinedStr) for n in ast.walk(f) if isinstance(n, ast.Name)}
    return {name for name in plain if not _WINDOW_LIKE.search(name) and not name.startswith("__")}


def _bound_otherwise(node: ast.AST) -> list[str]:
    """Names that a node binds or declares without a name node."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return [node.arg] if isinstance(node, ast.arg) else []


# ------------------------------------------------------------------------------------------------ arguments


def arguments_to_variables(source: Source, calls: list[ast.Call]) -> str | None:
    """Each mask argument that is written in a call is computed on the line before."""
    return _before_the_call(source, calls, _as_variables)


def arguments_to_dict(source: Source, calls: list[ast.Call]) -> str | None:
    """The mask arguments come out of a dict literal through ``**``."""
    return _before_the_call(source, calls, _as_dict("{{{items}}}", '"{key}": {value}'))


def arguments_to_dict_call(source: Source, calls: list[ast.Call]) -> str | None:
    """The same with ``dict(…)``."""
    return _before_the_call(source, calls, _as_dict("dict({items})", "{key}={value}"))


def arguments_to_items(source: Source, calls: list[ast.Call]) -> str | None:
    """The same with a dict that is filled item by item."""
    return _before_the_call(source, calls, _as_items)


def conditions_to_statements(source: Source, calls: list[ast.Call]) -> str | None:
    """Each argument that is a conditional expression is chosen by an if statement before."""
    return _before_the_call(source, calls, _as_statements)


Before = Callable[[Source, list[ast.keyword]], "tuple[list[str], list[Edit]]"]


def _before_the_call(source: Source, calls: list[ast.Call], make: Before) -> str | None:
    """For each call on whose statement it depends alone whether it runs: lines before the statement, and edits in the call."""
    edits: list[Edit] = []
    taken: set[ast.stmt] = set()
    for call in calls:
        statement = source.statement(call)
        keywords = [k for k in call.keywords if k.arg in _SPELLINGS]
        if keywords and statement not in taken and _unconditional(source, call) and source.first_on_line(statement):
            lines, changes = make(source, keywords)
            if lines:
                taken.add(statement)
                start, indent = source.span(statement)[0], source.indent(statement)
                edits.append(Edit(start, start, "".join(f"{line}\n{indent}" for line in lines)))
                edits += changes
    return source.edited(edits) if edits else None


def _unconditional(source: Source, call: ast.Call) -> bool:
    """Whether a call is evaluated whenever its statement is."""
    plain = (ast.Attribute, ast.Subscript, ast.Call, ast.Starred, ast.Tuple, ast.keyword)
    for node in source.above(call):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)):
            return True
        if not isinstance(node, plain):
            return False
    return False


def _inline(source: Source, node: ast.expr) -> str:
    """An expression in parentheses, if it is not simple: it may run over several lines."""
    text = source.segment(node)
    return text if isinstance(node, (ast.Name, ast.Constant, ast.Attribute)) and "\n" not in text else f"({text})"


def _as_variables(source: Source, keywords: list[ast.keyword]) -> tuple[list[str], list[Edit]]:
    lines = [f"{k.arg}{MARK} = {_inline(source, k.value)}" for k in keywords]
    return lines, [source.replace(k.value, f"{k.arg}{MARK}") for k in keywords]


def _as_dict(form: str, item: str) -> Before:
    def make(source: Source, keywords: list[ast.keyword]) -> tuple[list[str], list[Edit]]:
        changes = _spread(source, keywords)
        items = ", ".join(item.format(key=k.arg, value=_inline(source, k.value)) for k in keywords)
        return ([f"arguments{MARK} = {form.format(items=items)}"], changes) if changes else ([], [])

    return make


def _as_items(source: Source, keywords: list[ast.keyword]) -> tuple[list[str], list[Edit]]:
    changes = _spread(source, keywords)
    items = [f'arguments{MARK}["{k.arg}"] = {_inline(source, k.value)}' for k in keywords]
    return ([f"arguments{MARK} = {{}}", *items], changes) if changes else ([], [])


def _spread(source: Source, keywords: list[ast.keyword]) -> list[Edit]:
    """``**arguments`` in place of the first keyword, the others left out. Nothing where a starred argument follows."""
    call = source.parents[keywords[0]]
    assert isinstance(call, ast.Call)
    starred = [a for a in call.args if isinstance(a, ast.Starred)]
    if any(source.span(a)[0] > source.span(keywords[0])[0] for a in starred):
        return []
    return [source.replace(keywords[0], f"**arguments{MARK}"), *_left_out(source, keywords[1:])]


def _left_out(source: Source, keywords: list[ast.keyword]) -> list[Edit]:
    """Keywords removed one by one, each with the comma behind it; where there is none, that of the argument before stays."""
    edits = []
    for keyword in keywords:
        edit = source.drop(keyword)
        start, end = source.span(keyword)
        edits.append(edit if edit.start == start else Edit(start, end, ""))
    return edits


def _as_statements(source: Source, keywords: list[ast.keyword]) -> tuple[list[str], list[Edit]]:
    lines: list[str] = []
    changes: list[Edit] = []
    for keyword in keywords:
        value = keyword.value
        if isinstance(value, ast.IfExp):
            name = f"{keyword.arg}{MARK}"
            indent = source.indent(source.statement(value))
            lines += _choice(source, value, f"{name} = ", indent)
            changes.append(source.replace(value, name))
    return lines, changes


def _choice(source: Source, value: ast.IfExp, what: str, indent: str) -> list[str]:
    """An if statement in place of a conditional expression, as lines to which the indent will be added."""
    one, other = (_inline(source, arm) for arm in (value.body, value.orelse))
    step = "    "
    return [f"if {_inline(source, value.test)}:", f"{step}{what}{one}", "else:", f"{step}{what}{other}"]


# ------------------------------------------------------------------------------------------------ conditions


def expressions_to_statements(source: Source, calls: list[ast.Call]) -> str | None:
    """``v = a if c else b`` and ``return a if c else b`` become if statements."""
    edits = []
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.Assign, ast.Return)) and isinstance(node.value, ast.IfExp) and source.first_on_line(node):
            if not _alone_on_line(source, node) or not _in_function(source, node):
                continue
            targets = source.text[source.span(node)[0] : source.span(node.value)[0]]
            if targets.count("(") == targets.count(")"):
                indent = source.indent(node)
                lines = _choice(source, node.value, targets, indent)
                edits.append(source.replace(node, f"\n{indent}".join(lines)))
    return source.edited(edits) if edits else None


def _alone_on_line(source: Source, node: ast.stmt) -> bool:
    """Whether nothing but a comment follows a statement on its line."""
    rest = source.text[source.span(node)[1] : source.starts[node.end_lineno or node.lineno]]
    return not rest.strip() or rest.lstrip().startswith("#")


def _in_function(source: Source, node: ast.AST) -> bool:
    return source.function(node) is not None


def statements_to_expressions(source: Source, calls: list[ast.Call]) -> str | None:
    """``if c: v = a`` ``else: v = b`` becomes a conditional expression."""
    edits: list[Edit] = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.If) and source.first_on_line(node) and _in_function(source, node):
            arms = _two_assignments(node)
            if arms and source.text[source.span(node)[0] : source.span(node)[0] + 2] == "if":
                name = arms[0].targets[0].id  # type: ignore[attr-defined]
                one, other = (_inline(source, arm.value) for arm in arms)
                edits.append(source.replace(node, f"{name} = {one} if {_inline(source, node.test)} else {other}"))
    return source.edited(edits) if edits else None


def _two_assignments(node: ast.If) -> tuple[ast.Assign, ast.Assign] | None:
    """The assignments of an if statement that does nothing but assign one name in two arms."""
    if len(node.body) == len(node.orelse) == 1:
        one, other = node.body[0], node.orelse[0]
        if isinstance(one, ast.Assign) and isinstance(other, ast.Assign) and len(one.targets) == len(other.targets) == 1:
            names = (one.targets[0], other.targets[0])
            simple = not any(isinstance(n, (ast.Yield, ast.Await)) for n in ast.walk(node))
            if simple and isinstance(names[0], ast.Name) and isinstance(names[1], ast.Name) and names[0].id == names[1].id:
                return one, other
    return None


# ------------------------------------------------------------------------------------------------ order


def reverse_definitions(source: Source, calls: list[ast.Call]) -> str | None:
    """Methods of each class, and functions of the module, in the opposite order."""
    edits = []
    bodies = [source.tree.body, *(n.body for n in ast.walk(source.tree) if isinstance(n, ast.ClassDef))]
    for body in bodies:
        for run in _runs(source, body):
            texts = [source.text[start:end] for start, end in run]
            edits += [Edit(start, end, text) for (start, end), text in zip(run, reversed(texts), strict=True)]
    inner = [e for e in edits if not any(o is not e and o.start <= e.start and e.end <= o.end for o in edits)]
    return source.edited(inner) if inner and any(source.text[e.start : e.end] != e.new for e in inner) else None


def _runs(source: Source, body: list[ast.stmt]) -> Iterator[list[tuple[int, int]]]:
    """Spans of neighbouring functions that may change places: plain decorators, unique names, constant defaults."""
    names = [n.name for n in body if _is_function(n)]
    run: list[tuple[int, int]] = []
    for node in [*body, None]:
        if node is not None and _is_function(node) and names.count(node.name) == 1 and _movable(node):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            start = source.starts[first - 1] + len(source.indent(node))
            run.append((start, source.span(node)[1]))
        elif run:
            if len(run) > 1:
                yield run
            run = []


def _movable(node: Function) -> bool:
    plain = {"staticmethod", "classmethod", "property", "abstractmethod", "override"}
    named = all(isinstance(d, ast.Name) and d.id in plain for d in node.decorator_list)
    defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
    return named and all(isinstance(d, ast.Constant) for d in defaults)


#: Name → rewriting, in the order of the report. Splitting and what concerns several files is in modules of its own.
REWRITINGS: dict[str, Rewriting] = {
    "locals renamed": rename_locals,
    "arguments into variables": arguments_to_variables,
    "arguments into a dict": arguments_to_dict,
    "arguments into dict()": arguments_to_dict_call,
    "arguments into items": arguments_to_items,
    "conditional arguments into statements": conditions_to_statements,
    "conditional expressions into statements": expressions_to_statements,
    "if statements into expressions": statements_to_expressions,
    "definitions reversed": reverse_definitions,
}


def call_nodes(source: Source, sites: Iterable[dict[str, object]]) -> list[ast.Call]:
    """The calls of the tool's sites in one file."""
    mine = (site for site in sites if site["path"] == source.path)
    return [source.call(site["line"], site["column"]) for site in mine]  # type: ignore[arg-type]
