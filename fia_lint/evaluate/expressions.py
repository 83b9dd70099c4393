"""Expressions: from a lowered expression to its value in the current state."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, mul, sub, truediv

from fia_lint.algebra import terms as algebra
from fia_lint.algebra.diagram import (
    FALSE,
    TRUE,
    Diagram,
    combine,
    compatible,
    conj,
    disj,
    leaf,
    map_leaves,
    negate,
    simplify,
    where,
)
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Linear, Term, Unknown, symbol
from fia_lint.evaluate import atoms
from fia_lint.evaluate.subscripts import Subscripts
from fia_lint.evaluate.values import ABSENT, Element, FunctionValue, Object, Ref, key_of, number, root, text_constant
from fia_lint.evaluate.windows import THE_WINDOW, as_window
from fia_lint.extract import ir
from fia_lint.spans import Span

#: A list or tuple that grows longer than this by + is not known item by item.
_MOST_ITEMS = 4096
#: Larger numbers are no numbers of tokens, and take long to write down.
_MOST_BITS = 1024
#: An operation that takes more than this to write down is not told from another one.
_LONGEST_TEXT = 300
#: Operands that need parentheses in a comparison.
_LOOSE = (ir.Boolean, ir.Compare, ir.Conditional, ir.Lambda)
_COMPARISONS = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
_PLAIN_BASES = {
    "object",
    "NamedTuple",
    "typing.NamedTuple",
    "Generic",
    "Protocol",
    "ABC",
    "abc.ABC",
    "nn.Module",
    "torch.nn.Module",
}


class Expressions(Subscripts):
    """One method per kind of expression, found by the name of its class."""

    def eval(self, expr: ir.Expr) -> Diagram:
        """The value of an expression; effects go to the current state."""
        return getattr(self, "eval_" + type(expr).__name__)(expr)

    def condition(self, expr: ir.Expr) -> Diagram:
        """The condition that an expression counts as true."""
        return self.truth(self.eval(expr), expr.span)

    # ------------------------------------------------------------------------------------------ atoms

    def eval_Constant(self, expr: ir.Constant) -> Diagram:
        value = expr.value
        if isinstance(value, str):
            return leaf(text_constant(value))
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            return self.fresh_value(expr.span)
        if value is None or isinstance(value, (bool, int)):
            return leaf(Const(value))
        return leaf(Const(Named(repr(value))))

    def eval_Name(self, expr: ir.Name) -> Diagram:
        value = self.lookup(expr.id, expr.span)
        if value.is_leaf or not value.support & self.state.path.support:
            return value
        return simplify(value, self.state.path)

    def eval_Attribute(self, expr: ir.Attribute) -> Diagram:
        return self.attribute(self.eval(expr.value), expr.attr, expr.span)

    def raw(self, expr: ir.Expr) -> Diagram:
        """The value of something that is called or subscripted: then its name does not make it a window."""
        if isinstance(expr, ir.Attribute) and expr.attr in self.machine.windows:
            value = self.eval(expr)
            return self.fresh_value(expr.span) if value is THE_WINDOW else value
        if isinstance(expr, ir.Name) and expr.id in self.machine.windows:
            value = self.eval(expr)
            return self.fresh_value(expr.span) if value is THE_WINDOW else value
        return self.eval(expr)

    def eval_Starred(self, expr: ir.Starred) -> Diagram:
        return self.consumed(expr.value)

    def consumed(self, expr: ir.Expr) -> Diagram:
        """The value of an expression whose items are taken at once: a generator expression is as good as a list."""
        if isinstance(expr, ir.Comprehension) and expr.kind == "generator":
            return self._comprehension(expr)
        return self.eval(expr)

    def eval_Slice(self, expr: ir.Slice) -> Diagram:
        for part in (expr.lower, expr.upper, expr.step):
            if part is not None:
                self.eval(part)
        return self.fresh_value(expr.span)

    def eval_Other(self, expr: ir.Other) -> Diagram:
        values = [self.eval(child) for child in expr.children]
        if expr.kind.lower() == "await" and len(values) == 1:
            return values[0]
        if "yield" in expr.kind.lower():
            for value in values:
                self.escape(value)
        return self.fresh_value(expr.span)

    def eval_Lambda(self, expr: ir.Lambda) -> Diagram:
        return self.make_function(expr)

    def eval_Walrus(self, expr: ir.Walrus) -> Diagram:
        value = self.eval(expr.value)
        self.bind_name(expr.target.id, value)
        return self.lookup(expr.target.id, expr.span)

    # ------------------------------------------------------------------------------------------ logic

    def eval_Boolean(self, expr: ir.Boolean) -> Diagram:
        return self._boolean(expr.op, expr.values)

    def _boolean(self, op: str, values: list[ir.Expr]) -> Diagram:
        first = self.eval(values[0])
        if len(values) == 1:
            return first
        holds = self.truth(first, values[0].span)
        if op == "and":
            return self.choose(holds, lambda: self._boolean(op, values[1:]), lambda: first)
        return self.choose(holds, lambda: first, lambda: self._boolean(op, values[1:]))

    def eval_Conditional(self, expr: ir.Conditional) -> Diagram:
        holds = self.condition(expr.test)
        return self.choose(holds, lambda: self.eval(expr.body), lambda: self.eval(expr.orelse))

    def eval_Unary(self, expr: ir.Unary) -> Diagram:
        if expr.op == "not":
            return negate(self.condition(expr.operand))
        value = self.eval(expr.operand)
        if expr.op == "+":
            return value
        if expr.op == "-":
            return self.arithmetic("*", leaf(Const(-1)), value, expr)
        minus = self.arithmetic("*", leaf(Const(-1)), value, expr)
        return self.arithmetic("-", minus, leaf(Const(1)), expr)

    def eval_Compare(self, expr: ir.Compare) -> Diagram:
        left = self.eval(expr.operands[0])
        return self._chain(left, expr, 0)

    def _chain(self, left: Diagram, expr: ir.Compare, index: int) -> Diagram:
        right_expr = expr.operands[index + 1]
        right = self.eval(right_expr)
        result = self.compare(expr.ops[index], left, right, expr, lambda: self._shown(expr, index))
        if index + 1 == len(expr.ops):
            return result
        return self.choose(result, lambda: self._chain(right, expr, index + 1), lambda: FALSE)

    def _shown(self, expr: ir.Compare, index: int) -> str:
        """One comparison of a chain as conditions show it: ``not in`` is ``in``, which does not hold."""
        if len(expr.ops) == 1 and expr.ops != ["not in"]:
            return self.text(expr.span)
        op = "in" if expr.ops[index] == "not in" else expr.ops[index]
        sides = [(self.text(side.span), isinstance(side, _LOOSE)) for side in expr.operands[index : index + 2]]
        left, right = (f"({text})" if loose else text for text, loose in sides)
        return f"{left} {op} {right}"

    def compare(self, op: str, left: Diagram, right: Diagram, expr: ir.Expr, shown: Callable[[], str]) -> Diagram:
        """The condition of one comparison, written as ``shown`` if nothing is known; an ordering also proves that both sides
        are numbers."""
        if op in ("in", "not in"):
            result = self.contains(left, right, expr, shown)
            return negate(result) if op == "not in" else result
        left, right = self.structural(op, left, right)
        result = atoms.compare(
            op, left, right, lambda _: self.fresh(expr.span, shown()), lambda *a: self.listen(expr.span, *a)
        )
        if op not in ("is", "is not", "==", "!="):
            proved = conj(atoms.numeric(left), atoms.numeric(right))
            if compatible(self.state.path, proved):
                self.state.assume(proved)
        return result

    def structural(self, op: str, left: Diagram, right: Diagram) -> tuple[Diagram, Diagram]:
        """Objects that are compared by contents: no answer is known, so both sides become opaque."""
        if op in ("is", "is not"):
            return left, right
        refs = [any(isinstance(t, Ref) for t in side.terms) for side in (left, right)]
        if all(refs) or any(self.has_method(t, _COMPARISONS) for t in (*left.terms, *right.terms)):
            return leaf(Unknown("contents of objects are compared")), right
        return left, right

    def has_method(self, term: Term, names: frozenset[str]) -> bool:
        """Whether an object's class defines one of some special methods, or may inherit it from outside the tree."""
        thing = self.object(term) if isinstance(term, Ref) and term.kind == "instance" else None
        if thing is None or thing.cls is None:
            return False
        order = thing.cls.mro()
        return any(names & c.methods.keys() for c in order) or any(set(c.external_bases) - _PLAIN_BASES for c in order)

    def contains(self, item: Diagram, container: Diagram, expr: ir.Expr, shown: Callable[[], str]) -> Diagram:
        """The condition of ``item in container``."""

        def of(term: Term) -> Diagram:
            if isinstance(term, Ref):
                thing = self.object(term)
                if thing.kind in ("tuple", "list", "set") and thing.items is not None:
                    return disj(*(self._member(item, member, expr, shown) for member in thing.items))
                if thing.kind == "dict":
                    return self._has_key(item, thing, expr.span, shown)
            return self.coin(expr.span, shown())

        return self.each_case(container, of)

    def _member(self, item: Diagram, member: Diagram, expr: ir.Expr, shown: Callable[[], str]) -> Diagram:
        present = where(member, lambda term: leaf(term) is not ABSENT)
        return conj(present, self.compare("==", item, member, expr, shown))

    def _has_key(self, item: Diagram, thing: Object, span: Span, shown: Callable[[], str]) -> Diagram:
        def of(term: Term) -> Diagram:
            key = key_of(term)
            return self.coin(span, shown()) if key is NotImplemented else map_leaves(thing.get(key), there)

        def there(found: Term) -> Diagram:
            if isinstance(found, Unknown):
                return self.coin(span, shown())
            return FALSE if leaf(found) is ABSENT else TRUE

        return self.each_case(item, of)

    # ------------------------------------------------------------------------------------------ arithmetic

    def eval_Binary(self, expr: ir.Binary) -> Diagram:
        left, right = self.eval(expr.left), self.eval(expr.right)
        return self.arithmetic(expr.op, map_leaves(left, itself), map_leaves(right, itself), expr)

    def arithmetic(self, op: str, left: Diagram, right: Diagram, expr: ir.Expr) -> Diagram:
        """``left op right``: numbers, and sums of tuples, lists and dicts."""
        if any(isinstance(term, Ref) for term in (*left.terms, *right.terms)):
            return self.each_case(left, lambda x: self.each_case(right, lambda y: self._objects(op, x, y, expr)))
        self._not_none(left)
        self._not_none(right)
        return combine(lambda x, y: self._numbers(op, x, y, expr), left, right)

    def _not_none(self, value: Diagram) -> None:
        """Arithmetic on None raises: what goes on has another value."""
        if len(value.terms) > 1 and Const(None) in value.terms:
            self.state.assume(where(value, lambda term: term != Const(None)))

    def _numbers(self, op: str, x: Term, y: Term, expr: ir.Expr) -> Diagram:
        for term in (x, y):
            if isinstance(term, Unknown):
                return leaf(term)
        found = number_operation(op, x, y)
        if isinstance(found, Const) and isinstance(found.value, int) and found.value.bit_length() > _MOST_BITS:
            return self.fresh_value(expr.span)
        if found is not None:
            return leaf(found)
        if isinstance(x, Const) and isinstance(y, Const):
            return _of_fractions(op, x, y) or self.fresh_value(expr.span)
        text = self._operation_text(op, x, y)
        if len(text) > _LONGEST_TEXT:
            return self.fresh_value(expr.span, self.text(expr.span)[:_LONGEST_TEXT])
        return leaf(symbol(atoms.pure(op, x, y, text=text, terms=(x, y))))

    @staticmethod
    def _operation_text(op: str, x: Term, y: Term) -> str:
        sides = [str(t) if " " not in str(t) or str(t).startswith(("min(", "max(")) else f"({t})" for t in (x, y)]
        return f"{sides[0]} {op} {sides[1]}"

    def _objects(self, op: str, x: Term, y: Term, expr: ir.Expr) -> Diagram:
        if isinstance(x, Ref) and isinstance(y, Ref):
            a, b = self.object(x), self.object(y)
            if op == "+" and a.kind == b.kind and a.items is not None and b.items is not None:
                known = not any(item is ABSENT or ABSENT.term in item.terms for item in a.items)
                if known and len(a.items) + len(b.items) <= _MOST_ITEMS:
                    return self.allocate(Object(a.kind, (*a.items, *b.items)))
                return self.allocate(Object(a.kind, None))
            if op == "|" and a.kind == b.kind == "dict":
                return self.allocate(self.merged(a, b))
        if op == "*" and isinstance(x, Ref) and isinstance(y, Const) and isinstance(y.value, int):
            thing = self.object(x)
            if thing.items is not None and len(thing.items) * max(y.value, 0) <= 64:
                return self.allocate(Object(thing.kind, thing.items * max(y.value, 0)))
        if isinstance(x, Ref) and x.kind in ("tuple", "list") and op in ("+", "*"):
            return self.allocate(Object(x.kind, None))
        return self.fresh_value(expr.span)

    def merged(self, a: Object, b: Object) -> Object:
        """Dict ``a`` updated with ``b``: a key that ``b`` may lack keeps its value there."""
        fields = dict(a.fields)
        if b.rest is not ABSENT:
            keys: list[object] = list(dict.fromkeys([*a.fields, *b.fields]))
        else:
            keys = list(b.fields)
        for key in keys:
            fields[key] = self.over(b.get(key), a.get(key))
        return Object("dict", None, fields, self.over(b.rest, a.rest))

    root = staticmethod(root)

    # ------------------------------------------------------------------------------------------ functions

    def make_function(self, node: ir.FunctionDef | ir.Lambda) -> Diagram:
        """A function object: defaults are evaluated now, free names when it is called."""
        info = self.frame.module.by_node[id(node)]
        defaults = tuple((p.name, self.eval(p.default)) for p in node.params if p.default is not None)
        value = leaf(FunctionValue(info, self.frame.id, defaults))
        self.frame.closures.append(value)
        return value

    def windowed(self, name: str, value: Diagram) -> Diagram:
        """``value`` as held by ``name``."""
        return as_window(value) if name in self.machine.windows else value


def itself(term: Term) -> Diagram:
    """An item of a container, where it counts as a value: what it is called, if it has a name."""
    if isinstance(term, Element) and term.origin is not None:
        return leaf(symbol(term.origin))
    return leaf(term)


def _of_fractions(op: str, x: Const, y: Const) -> Diagram | None:
    """Arithmetic on two numbers one of which, or the result of which, is no integer."""
    a, b = number(x.value), number(y.value)
    operation = {"+": add, "-": sub, "*": mul, "/": truediv}.get(op)
    if a is None or b is None or operation is None:
        return None
    try:
        return leaf(Const(Named(repr(float(operation(a, b))))))
    except (ZeroDivisionError, OverflowError):
        return None


def number_operation(op: str, x: Term, y: Term) -> Term | None:
    """Arithmetic on two terms in normal form, or None where the result is no term."""
    if op in ("+", "-"):
        return algebra.add(x, y, 1 if op == "+" else -1) or _shifted_extremum(op, x, y)
    a, b = _integer(x), _integer(y)
    if op == "*":
        if a is not None:
            return algebra.scale(y, a)
        return algebra.scale(x, b) if b is not None else None
    if a is None or b is None:
        if op == "<<" and b is not None and 0 <= b <= 64:
            return algebra.scale(x, 1 << b)
        return x if op in ("//",) and b == 1 and isinstance(x, Linear) else None
    try:
        return _constant_operation(op, a, b)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None


def _shifted_extremum(op: str, x: Term, y: Term) -> Term | None:
    if isinstance(x, algebra.Extremum):
        parts = [algebra.add(t, y, 1 if op == "+" else -1) for t in x.terms]
        return None if None in parts else algebra.extremum(x.name, parts)  # type: ignore[arg-type]
    if isinstance(y, algebra.Extremum):
        name = y.name if op == "+" else {"min": "max", "max": "min"}[y.name]
        parts = [algebra.add(x, t, 1 if op == "+" else -1) for t in y.terms]
        return None if None in parts else algebra.extremum(name, parts)  # type: ignore[arg-type]
    return None


def _integer(term: Term) -> int | None:
    return int(term.value) if isinstance(term, Const) and isinstance(term.value, int) else None


def _constant_operation(op: str, a: int, b: int) -> Term | None:
    if op in ("<<", "**") and (b < 0 or b > 256 or abs(a) > 1 << 64):
        return None
    table = {
        "//": lambda: a // b,
        "%": lambda: a % b,
        "**": lambda: a**b,
        "<<": lambda: a << b,
        ">>": lambda: a >> b,
        "&": lambda: a & b,
        "|": lambda: a | b,
        "^": lambda: a ^ b,
    }
    if op == "/":
        return Const(Named(repr(a / b)))
    return Const(table[op]()) if op in table else None
