"""Task groups: between which calls a graph is captured or updated, also where other functions open and close the group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.modules import decorating, static_value
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.values import FunctionValue
from fia_lint.extract import ir

if TYPE_CHECKING:
    from fia_lint.evaluate.interpreter import Frame
    from fia_lint.evaluate.machine import Machine

_BEGIN = {"graph_task_group_begin": "capture", "graph_task_update_begin": "update"}
_END = frozenset({"graph_task_group_end", "graph_task_update_end"})


def note(frame: Frame, name: str) -> None:
    """A function called ``name`` is called in a frame: it may open or close a group."""
    if name in _BEGIN:
        frame.region = _BEGIN[name]
    elif name in _END:
        _close(frame)


def hand_back(frame: Frame, caller: Frame) -> None:
    """A function returns: a group that it opened is open for its caller, one that it closed without opening it is closed."""
    if frame.region:
        caller.region = frame.region
    elif frame.closes:
        _close(caller)


def _close(frame: Frame) -> None:
    frame.closes = not frame.region
    frame.region = ""


def opened_by(function: FunctionInfo) -> str:
    """The kind of group that a function, or one inside it, opens: ``capture``, ``update`` or ``""``."""
    for item in walk_all(function.body):
        name = (dotted(item.func) or "").rpartition(".")[2] if isinstance(item, ir.Call) else ""
        if name in _BEGIN:
            return _BEGIN[name]
    return ""


def around(machine: Machine, function: FunctionInfo) -> str:
    """The kind of group that a decorator of the tree opens around a function."""
    for decorator in getattr(function.node, "decorators", ()):
        expr = decorator.func if isinstance(decorator, ir.Call) else decorator
        value = static_value(machine, expr, function.module) if isinstance(expr, (ir.Name, ir.Attribute)) else None
        for term in value.terms if value is not None else ():
            kind = opened_by(decorating(machine, term.function)) if isinstance(term, FunctionValue) else ""
            if kind:
                return kind
    return ""
