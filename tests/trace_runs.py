"""What a value really passed through: a program is run under ``sys.settrace``, every value carried along with its lines."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from types import CodeType, FrameType, SimpleNamespace
from typing import Any

Lines = frozenset[int]


@dataclass
class Activation:
    """A running function: the lines behind each of its names, what it is at, and what its last call gave back."""

    names: dict[str, Lines]
    at: ast.stmt | None = None
    returned: Lines = frozenset()
    read: Lines = frozenset()
    loops: dict[int, int] = field(default_factory=dict)


class Watch:
    """Follows the lines of one file as they run. ``passed``: those that assigned what the operator's argument is made of."""

    def __init__(self, text: str) -> None:
        self.statements = {node.lineno: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)}
        self.statements |= {n.lineno: n for n in self.statements.values() if not isinstance(n, ast.FunctionDef)}
        self.limit = next(line for line, node in self.statements.items() if ast.unparse(node).startswith("LIMIT"))
        self.stack: list[Activation] = []
        self.objects: dict[tuple[int, str], Lines] = {}
        self.passed: Lines = frozenset()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "program" or frame.f_code.co_name in ("<module>", "Layer"):
            return None
        if event == "call":
            self._enter(frame)
        elif event == "line":
            self._finish(frame)
            self._start(frame)
        elif event == "return":
            self._leave(frame)
        return self

    # ------------------------------------------------------------------------------------------ activations

    def _enter(self, frame: FrameType) -> None:
        """Parameters get the lines of what the caller passes."""
        code = frame.f_code
        names: dict[str, Lines] = {name: frozenset() for name in code.co_varnames[: code.co_argcount]}
        caller = self.stack[-1] if self.stack else None
        call = _call(caller.at, code) if caller is not None and caller.at is not None else None
        if call is not None:
            params = [name for name in names if name != "self"]
            for param, value in zip(params, call.args, strict=True):
                names[param] = self._lines(value, caller, frame.f_back)
        self.stack.append(Activation(names))

    def _leave(self, frame: FrameType) -> None:
        done = self.stack.pop()
        if isinstance(done.at, ast.Return) and done.at.value is not None and self.stack:
            self.stack[-1].returned = self._lines(done.at.value, done, frame)
        elif done.at is not None:
            self._assign(done, frame)

    def _start(self, frame: FrameType) -> None:
        """A statement begins: what it reads is read before it changes anything."""
        active = self.stack[-1]
        active.at, active.returned = self.statements.get(frame.f_lineno), frozenset()
        if isinstance(active.at, ast.Expr) and "npu_fused" in ast.unparse(active.at):
            self.passed = self._lines(active.at.value.keywords[0].value, active, frame)  # type: ignore[attr-defined]
        active.read = frozenset()

    def _finish(self, frame: FrameType) -> None:
        """The statement before has run: the names that it assigned get its line."""
        if self.stack[-1].at is not None:
            self._assign(self.stack[-1], frame)
            self.stack[-1].at = None

    # ------------------------------------------------------------------------------------------ statements

    def _assign(self, active: Activation, frame: FrameType) -> None:
        stmt = active.at
        here = frozenset({stmt.lineno}) if stmt is not None else frozenset()
        if isinstance(stmt, ast.Assign):
            if "missing" in ast.unparse(stmt):
                return
            pairs: list[tuple[ast.expr, ast.expr]] = [(stmt.targets[0], stmt.value)]
            if isinstance(stmt.targets[0], ast.Tuple) and isinstance(stmt.value, ast.Tuple):
                pairs = list(zip(stmt.targets[0].elts, stmt.value.elts, strict=True))
            for target, lines in [(target, self._lines(value, active, frame) | here) for target, value in pairs]:
                self._store(target, lines, active, frame)
            if isinstance(stmt.value, ast.Dict):
                for key, value in zip(stmt.value.keys, stmt.value.values, strict=True):
                    place = id(frame.f_locals["table"]), key.value  # type: ignore[union-attr]
                    self.objects[place] = self._lines(value, active, frame) | here
        elif isinstance(stmt, ast.AugAssign):
            before = active.names[stmt.target.id]  # type: ignore[union-attr]
            self._store(stmt.target, before | self._lines(stmt.value, active, frame) | here, active, frame)
        elif isinstance(stmt, ast.For):
            self._loop(stmt, active, frame, here)
        elif isinstance(stmt, ast.Expr) and "update" in ast.unparse(stmt):
            given = stmt.value.keywords[0].value  # type: ignore[attr-defined]
            self.objects[id(frame.f_locals["table"]), "k"] = self._lines(given, active, frame) | here

    def _loop(self, stmt: ast.For, active: Activation, frame: FrameType, here: Lines) -> None:
        """The next item of a tuple that is written down, all of whose values were there when the loop began."""
        count = active.loops.get(stmt.lineno, 0)
        items = stmt.iter.elts  # type: ignore[attr-defined]
        if count == 0:
            active.names.update({f"{stmt.lineno} {i}": self._lines(item, active, frame) for i, item in enumerate(items)})
        if count < len(items):
            active.names[stmt.target.id] = active.names[f"{stmt.lineno} {count}"] | here  # type: ignore[attr-defined]
        active.loops[stmt.lineno] = (count + 1) % (len(items) + 1)

    def _store(self, target: ast.expr, lines: Lines, active: Activation, frame: FrameType) -> None:
        if isinstance(target, ast.Name):
            active.names[target.id] = lines
        elif isinstance(target, ast.Attribute):
            self.objects[id(frame.f_locals["self"]), target.attr] = lines
        elif isinstance(target, ast.Subscript):
            self.objects[id(frame.f_locals["table"]), target.slice.value] = lines  # type: ignore[attr-defined]

    def _lines(self, expr: ast.expr, active: Activation | None, frame: FrameType | None) -> Lines:
        """The lines behind an expression."""
        assert active is not None and frame is not None
        if isinstance(expr, ast.Name):
            return frozenset({self.limit}) if expr.id == "LIMIT" else active.names.get(expr.id, frozenset())
        if isinstance(expr, ast.Attribute):
            return self.objects.get((id(frame.f_locals["self"]), expr.attr), frozenset())
        if isinstance(expr, ast.Subscript):
            return self.objects.get((id(frame.f_locals["table"]), expr.slice.value), frozenset())  # type: ignore[attr-defined]
        if isinstance(expr, ast.BinOp):
            return self._lines(expr.left, active, frame) | self._lines(expr.right, active, frame)
        return active.returned if isinstance(expr, ast.Call) else frozenset()


def _call(stmt: ast.stmt, code: CodeType) -> ast.Call | None:
    """The call in a statement that runs a function."""
    calls = [node for node in ast.walk(stmt) if isinstance(node, ast.Call)]
    return next((call for call in calls if ast.unparse(call.func).rpartition(".")[2] == code.co_name), None)


def run(text: str, width: int, p: int, q: int, flag: bool, other: bool) -> Lines:
    """Run a program; the lines of the assignments that the operator's argument passed through."""
    stub = SimpleNamespace(npu_fused_infer_attention_score=lambda *args, **kwargs: None)
    code = compile(text.replace("import torch_npu", ""), "program", "exec")
    space: dict[str, Any] = {"torch_npu": stub}
    exec(code, space)
    watch = Watch(text)
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        space["Layer"](width).run(p, q, flag, other)
    finally:
        sys.settrace(before)
    return watch.passed
