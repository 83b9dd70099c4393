"""Split a method: its last statements become a method of their own, called with the local names that they read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from bench.meaningless import MARK
from bench.rewritings import MASK
from bench.source import Edit, Function, Source

OPERATOR = "npu_fused_infer_attention_score"
BEGINNINGS = ("graph_task_group_begin", "graph_task_update_begin")


def split_at_front(source: Source, calls: list[ast.Call]) -> str | None:
    """The whole body moves, a thin front stays."""
    return _split(source, calls, min)


def split_at_back(source: Source, calls: list[ast.Call]) -> str | None:
    """As little as possible moves."""
    return _split(source, calls, max)


def _split(source: Source, calls: list[ast.Call], choose: Callable[[Iterable[int]], int]) -> str | None:
    edits: list[Edit] = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef) and _splittable(source, node):
            mine = [call for call in calls if source.function(call) is node]
            reaching = _reaching(node, mine)
            places = [k for k in range(len(node.body)) if _fits(node, k, mine, reaching)]
            if places:
                edits += _moved(source, node, choose(places))
    return source.edited(edits) if edits else None


def _splittable(source: Source, node: ast.FunctionDef) -> bool:
    """A function of the module or of a class of the module, without anything that ties its body to its frame."""
    parent = source.parents[node]
    outer = source.parents.get(parent)
    at_top = isinstance(parent, ast.Module) or (isinstance(parent, ast.ClassDef) and isinstance(outer, ast.Module))
    decorators = [d.id if isinstance(d, ast.Name) else "" for d in node.decorator_list]
    tied = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.AsyncFor, ast.AsyncWith)
    return (
        at_top
        and not node.name.startswith("__")
        and set(decorators) <= {"staticmethod", "classmethod"}
        and not any(isinstance(n, tied) for n in ast.walk(node))
        and not any(isinstance(n, ast.Name) and n.id in ("locals", "vars", "eval", "exec") for n in ast.walk(node))
        and source.lines[node.lineno - 1].lstrip().startswith("def")
        and node.body[0].lineno > node.lineno
    )


def _fits(node: ast.FunctionDef, k: int, calls: list[ast.Call], reaching: set[str]) -> bool:
    """Whether the statements from ``k`` on can move without making a wrapper, cutting a task group, or reading what may be
    unbound."""
    head, tail = node.body[:k], node.body[k:]
    if k == 0 and _is_docstring(node.body[0]) or any(_mentions(s, BEGINNINGS) for s in head):
        return False
    if calls and not any(call in set(ast.walk(s)) for s in tail for call in calls):
        return False
    crossing = set(_crossing(node, k))
    bound = {name for s in head for name in _stores(s)} - set(_definite(head)) - {a.arg for a in _parameters(node)}
    return not crossing & reaching and not bound & {n.id for s in tail for n in _names(s)}


def _crossing(node: ast.FunctionDef, k: int) -> list[str]:
    """Parameters and names bound in the head that the tail reads, in the order in which they are bound."""
    bound = [a.arg for a in _parameters(node)] + [name for s in node.body[:k] for name in _stores(s)]
    read = {n.id for s in node.body[k:] for n in _names(s)}
    return [name for name in dict.fromkeys(bound) if name in read]


def _parameters(node: Function) -> list[ast.arg]:
    a = node.args
    return [*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else []), *a.kwonlyargs, *([a.kwarg] if a.kwarg else [])]


def _names(node: ast.AST) -> Iterable[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name))


def _stores(node: ast.AST) -> list[str]:
    """Names that a statement binds in whatever way, those of nested functions' locals too (which only makes it stricter)."""
    names = [n.id for n in _names(node) if isinstance(n.ctx, (ast.Store, ast.Del))]
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            names += [(alias.asname or alias.name).split(".")[0] for alias in inner.names]
        elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
            names.append(inner.name)
        elif isinstance(inner, ast.ExceptHandler) and inner.name:
            names.append(inner.name)
    return names


def _definite(body: list[ast.stmt]) -> list[str]:
    """Names that are bound for certain after the statements of a body."""
    names: list[str] = []
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.FunctionDef)):
            names += _stores(statement)
        elif isinstance(statement, ast.With):
            names += [*_definite(statement.body)]
        elif isinstance(statement, ast.If):
            arms = [set(_definite(arm)) for arm in (statement.body, statement.orelse) if not _leaves(arm)]
            names += sorted(set.intersection(*arms)) if arms else []
    return names


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _mentions(node: ast.AST, names: tuple[str, ...]) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in names for n in ast.walk(node))


# ------------------------------------------------------------------------------------------------ what would be a wrapper


def _reaching(node: ast.FunctionDef, calls: list[ast.Call]) -> set[str]:
    """Names whose value itself, not an attribute or item of it, can reach a mask argument of a call, or is what is called: as
    a parameter they would make a wrapper. Rather too many than too few."""
    found: set[str] = set()
    own = {a.arg for a in _parameters(node)[1:]} | set(_stores(node))
    for call in calls:
        callee = ast.unparse(call.func)
        found |= {callee.partition(".")[0]} & own
        if OPERATOR not in callee:
            found |= {name for argument in call.args[3:] for name in _direct(argument)}
        for keyword in call.keywords:
            if keyword.arg in MASK or keyword.arg is None:
                found |= _direct(keyword.value)
        found |= {name for argument in call.args if isinstance(argument, ast.Starred) for name in _direct(argument.value)}
    while True:
        more = found | {name for target, value in _flows(node) if target in found for name in _direct(value)}
        if more == found:
            return found
        found = more


def _flows(node: ast.AST) -> Iterable[tuple[str, ast.expr]]:
    """``(name, expression)`` for everything that a name may get its value from."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            yield from ((name, inner.value) for target in inner.targets for name in _roots(target))
        elif isinstance(inner, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and inner.value is not None:
            yield from ((name, inner.value) for name in _roots(inner.target))
        elif isinstance(inner, ast.For):
            yield from ((name, inner.iter) for name in _roots(inner.target))
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            values = [*inner.args, *(k.value for k in inner.keywords)]
            yield from ((name, value) for name in _roots(inner.func.value) for value in values)


def _roots(node: ast.AST) -> set[str]:
    return {n.id for n in _names(node)}


def _direct(node: ast.expr) -> set[str]:
    """Names in an expression that are not only looked into, called or tested."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
        return _direct(node.value)
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return set()
    if isinstance(node, ast.IfExp):
        return _direct(node.body) | _direct(node.orelse)
    if isinstance(node, ast.Dict):
        items = zip(node.keys, node.values, strict=True)
        mask = [v for k, v in items if k is None or not isinstance(k, ast.Constant) or k.value in MASK]
        return {name for part in mask for name in _direct(part)}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        mask = [*node.args, *(k.value for k in node.keywords if k.arg is None or k.arg in MASK)]
        return {name for part in mask for name in _direct(part)}
    if isinstance(node, ast.Call):
        inner: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
        inner += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return {name for part in inner for name in _direct(part)}
    return {name for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr) for name in _direct(part)}


# ------------------------------------------------------------------------------------------------ the new text


def _moved(source: Source, node: ast.FunctionDef, k: int) -> list[Edit]:
    """Edits that put the statements from ``k`` on into a function of their own, after this one."""
    first = node.body[k]
    start = source.starts[min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]) - 1]
    end = source.span(node)[1]
    indent, inner = source.indent(node), source.indent(first)
    kind = next((d.id for d in node.decorator_list if isinstance(d, ast.Name)), "")
    owner = source.parents[node]
    in_class = isinstance(owner, ast.ClassDef)
    receiver = node.args.args[0].arg if in_class and kind != "staticmethod" and node.args.args else None
    names = [name for name in _crossing(node, k) if name != receiver]
    annotations = {a.arg: source.segment(a.annotation) for a in _parameters(node) if _plain_annotation(node, a)}
    parameters = [f"{name}: {annotations[name]}" if name in annotations else name for name in names]
    target = receiver or (owner.name if isinstance(owner, ast.ClassDef) else None)
    suffix = MARK
    if isinstance(owner, ast.ClassDef):  # with the name of the class, lest it overrides the part of another class
        suffix = f"_within0{owner.name.replace('_', '')}{MARK}"
    call = f"{f'{target}.' if target else ''}{node.name}{suffix}({', '.join(names)})"
    decorator = f"{indent}@{kind}\n" if kind else ""
    signature = f"{indent}def {node.name}{suffix}({', '.join([*([receiver] if receiver else []), *parameters])}):\n"
    return [Edit(start, end, f"{inner}return {call}\n\n{decorator}{signature}{source.text[start:end]}")]


def _plain_annotation(node: Function, argument: ast.arg) -> bool:
    """The annotation of ``*args`` and ``**kwargs`` is that of their items."""
    return argument.annotation is not None and argument not in (node.args.vararg, node.args.kwarg)
