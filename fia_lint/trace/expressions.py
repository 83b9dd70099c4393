"""From an expression to the names, attributes and calls that its value comes from."""

from __future__ import annotations

from fia_lint.extract import ir
from fia_lint.extract.walk import parts
from fia_lint.trace.calls import Calls
from fia_lint.trace.resolve import Frame
from fia_lint.trace.shapes import lengths
from fia_lint.trace.steps import WHOLE, Field, Key, Slot, Some, Want, may_be, part_of


class Expressions(Calls):
    """One method per kind of expression that passes on parts of values; of all others everything below is read."""

    def value(self, expr: ir.Expr, frame: Frame, want: Want = WHOLE) -> None:
        if not self.enter(id(expr), want, frame.chain):
            return
        if isinstance(expr, ir.Constant) or not self.exhausted(frame, expr.span):
            kind = getattr(self, f"_{type(expr).__name__.lower()}", None)
            if kind is not None:
                kind(expr, frame, want)
            else:
                for part in parts(expr):
                    self._below(part, frame)
        self.leave()

    def _below(self, part: object, frame: Frame) -> None:
        """Everything in a part of an expression."""
        if isinstance(part, ir.Expr):
            self.value(part, frame)
        else:
            for item in parts(part):
                self._below(item, frame)

    def _constant(self, expr: ir.Constant, frame: Frame, want: Want) -> None:
        """Nothing stands behind a constant."""

    def _lambda(self, expr: ir.Lambda, frame: Frame, want: Want) -> None:
        """A function is no value that reaches an argument, until it is called."""

    def _name(self, expr: ir.Name, frame: Frame, want: Want) -> None:
        self.name(expr.id, expr, frame, want)

    def _attribute(self, expr: ir.Attribute, frame: Frame, want: Want) -> None:
        self.attribute(expr, frame, want)

    def _walrus(self, expr: ir.Walrus, frame: Frame, want: Want) -> None:
        self.value(expr.value, frame, want)
        self.emit("walrus", frame, expr.span, expr.target.id, self.text(expr.value, frame.module))

    def _conditional(self, expr: ir.Conditional, frame: Frame, want: Want) -> None:
        self.value(expr.body, frame, want)
        self.value(expr.orelse, frame, want)
        self.tested(expr.test, frame)

    def _boolean(self, expr: ir.Boolean, frame: Frame, want: Want) -> None:
        for item in expr.values:
            self.value(item, frame, want)

    def _subscript(self, expr: ir.Subscript, frame: Frame, want: Want) -> None:
        if isinstance(expr.index, ir.Constant):
            self.value(expr.value, frame, (part_of(expr.index.value), *want))
        elif isinstance(expr.index, ir.Slice):
            self.value(expr.value, frame, (Some(), *want[1:]) if want else WHOLE)
        elif not self.captured(expr.value, frame, (Some(), *want)):
            self.tested(expr.index, frame)
            self.value(expr.value, frame, (Some(), *want))

    def _binary(self, expr: ir.Binary, frame: Frame, want: Want) -> None:
        """Sums of sequences and unions of dicts pass on parts; everything else mixes its operands."""
        first = want[0] if want else None
        if expr.op == "|" and isinstance(first, Key):
            self.value(expr.left, frame, want)
            self.value(expr.right, frame, want)
        elif expr.op == "+" and isinstance(first, Slot) and first.index >= 0:
            known = lengths(expr.left, frame, self.resolver)
            for length in sorted(known or ()):
                if first.index < length:
                    self.value(expr.left, frame, (Slot(first.index), *want[1:]))
                else:
                    self.value(expr.right, frame, (Slot(first.index - length), *want[1:]))
            if known is None:
                self.value(expr.left, frame, (Some(), *want[1:]))
                self.value(expr.right, frame, (Some(), *want[1:]))
        else:
            rest = (Some(), *want[1:]) if want else WHOLE
            self.value(expr.left, frame, rest)
            self.value(expr.right, frame, rest)

    def _sequence(self, expr: ir.Sequence, frame: Frame, want: Want) -> None:
        first = want[0] if want else Some()
        rest = want[1:]
        starred = any(isinstance(item, ir.Starred) for item in expr.items)
        for index, item in enumerate(expr.items):
            if isinstance(item, ir.Starred):
                self.value(item.value, frame, (Some(), *rest) if want else WHOLE)
            elif starred or not isinstance(first, (Slot, Key)):
                self.value(item, frame, rest)
            elif isinstance(first, Slot) and first.index in (index, index - len(expr.items)):
                self.value(item, frame, rest)
                if expr.span.line != expr.span.end_line:
                    self.emit("slot", frame, item.span, text=self.text(item, frame.module), index=str(index))

    def _dictdisplay(self, expr: ir.DictDisplay, frame: Frame, want: Want) -> None:
        for key, value in expr.entries:
            if key is None:
                self.value(value, frame, want)
            elif not want or not isinstance(key, ir.Constant) or may_be(want[0], Key(key.value)):
                self.value(value, frame, want[1:])
                if want and isinstance(want[0], Key):
                    self.emit("key", frame, value.span, text=self.text(value, frame.module), index=str(want[0].key))

    def _comprehension(self, expr: ir.Comprehension, frame: Frame, want: Want) -> None:
        """The element, whose loop names stand for items of what is gone through."""
        for loop in expr.loops:
            self.value(loop.iterable, frame, (Some(),))
        self.value(expr.element, frame, want[1:])

    def _starred(self, expr: ir.Starred, frame: Frame, want: Want) -> None:
        self.value(expr.value, frame)

    def tested(self, test: ir.Expr, frame: Frame) -> None:
        """What the names in a test were set to in the same function: the assignments, and no further."""
        pending = [test]
        while pending:
            item = pending.pop()
            if isinstance(item, (ir.Boolean, ir.Compare, ir.Unary)):
                pending += [part for part in reversed(parts(item)) if isinstance(part, ir.Expr)]
            elif isinstance(item, ir.Name):
                self.test_name(item, frame)

    def field_of(self, base: ir.Expr, attr: str, frame: Frame, want: Want) -> None:
        """An attribute of whatever an expression is."""
        self.value(base, frame, (Field(attr), *want))
