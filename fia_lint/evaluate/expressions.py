"""Expressions: from a lowered expression to its value in the current state."""

from __future__ import annotations

from fia_lint.algebra import terms as algebra
from fia_lint.algebra.diagram import (
    FALSE,
    TRUE,
    Diagram,
    combine,
    compatible,
    conj,
    disj,
    ite,
    leaf,
    map_leaves,
    negate,
    simplify,
    test,
    where,
)
from fia_lint.algebra.region import TRUTHY, Named
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate import atoms
from fia_lint.evaluate.interpreter import Core
from fia_lint.evaluate.scopes import walk_all
from fia_lint.evaluate.state import join, join_objects
from fia_lint.evaluate.values import ABSENT, NONE, Element, External, FunctionValue, Object, Ref, key_of, root, text_constant
from fia_lint.evaluate.windows import THE_WINDOW, as_window
from fia_lint.extract import ir
from fia_lint.extract.walk import target_names

#: A list or tuple that grows longer than this by + is not known item by item.
_MOST_ITEMS = 4096
#: Of what a dict holds under keys that are not known, the last ones are remembered.
_MOST_STRAYS = 16
#: Larger numbers are no numbers of tokens, and take long to write down.
_MOST_BITS = 1024
#: An operation that takes more than this to write down is not told from another one.
_LONGEST_TEXT = 300
_PLAIN = {"+", "-", "*"}
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


class Expressions(Core):
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
        result = self.compare(expr.ops[index], left, right, expr)
        if index + 1 == len(expr.ops):
            return result
        return self.choose(result, lambda: self._chain(right, expr, index + 1), lambda: FALSE)

    def compare(self, op: str, left: Diagram, right: Diagram, expr: ir.Expr) -> Diagram:
        """The condition of one comparison; an ordering also proves that both sides are numbers."""
        if op in ("in", "not in"):
            result = self.contains(left, right, expr)
            return negate(result) if op == "not in" else result
        left, right = self.structural(op, left, right)
        result = atoms.compare(
            op, left, right, lambda text: self.fresh(expr.span, self.text(expr.span)), lambda *a: self.listen(expr.span, *a)
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

    def contains(self, item: Diagram, container: Diagram, expr: ir.Expr) -> Diagram:
        """The condition of ``item in container``."""

        def of(term: Term) -> Diagram:
            if isinstance(term, Ref):
                thing = self.object(term)
                if thing.kind in ("tuple", "list", "set") and thing.items is not None:
                    return disj(*(self._member(item, member, expr) for member in thing.items))
                if thing.kind == "dict":
                    return self._has_key(item, thing, expr)
            return self.coin(expr.span, self.text(expr.span))

        return self.each_case(container, of)

    def _member(self, item: Diagram, member: Diagram, expr: ir.Expr) -> Diagram:
        present = where(member, lambda term: leaf(term) is not ABSENT)
        return conj(present, self.compare("==", item, member, expr))

    def _has_key(self, item: Diagram, thing: Object, expr: ir.Expr) -> Diagram:
        def of(term: Term) -> Diagram:
            key = key_of(term)
            if key is NotImplemented or any(isinstance(t, Unknown) for t in thing.get(key).terms):
                return self.coin(expr.span, self.text(expr.span))
            return where(thing.get(key), lambda found: leaf(found) is not ABSENT)

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
            return self.fresh_value(expr.span)
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

    @staticmethod
    def over(new: Diagram, old: Diagram) -> Diagram:
        """``new`` where it is there, else ``old``."""
        if ABSENT.term not in new.terms:
            return new
        return ite(where(new, lambda term: leaf(term) is not ABSENT), new, old)

    # ------------------------------------------------------------------------------------------ displays

    def eval_Sequence(self, expr: ir.Sequence) -> Diagram:
        items: list[Diagram] | None = []
        for item in expr.items:
            value = self.eval(item)
            if not isinstance(item, ir.Starred):
                if items is not None:
                    items.append(value)
                continue
            spread = self.spread(value)
            items = None if items is None or spread is None else [*items, *spread]
        return self.allocate(Object(expr.kind, None if items is None else tuple(items)))

    def spread(self, value: Diagram) -> tuple[Diagram, ...] | None:
        """The items of a sequence of known length, or None."""
        if len(value.terms) == 1 and isinstance(value.terms[0], Ref):
            thing = self.object(value.terms[0])
            if thing.kind in ("tuple", "list"):
                return thing.items
            if thing.kind == "dict" and thing.rest is ABSENT and not any(ABSENT.term in v.terms for v in thing.fields.values()):
                return tuple(self.key_value(key) for key in thing.fields)
            return None
        shapes = []
        for term in value.terms:
            if not isinstance(term, Ref) or self.object(term).items is None:
                return None
            shapes.append(self.object(term).items)
        if len({len(shape) for shape in shapes}) != 1:
            return None
        return tuple(
            map_leaves(value, lambda term, i=index: self.object(term).items[i])  # type: ignore[index]
            for index in range(len(shapes[0]))
        )

    @staticmethod
    def key_value(key: object) -> Diagram:
        """A dict key as a value."""
        return NONE if key == ("None",) else leaf(Const(key))

    def eval_DictDisplay(self, expr: ir.DictDisplay) -> Diagram:
        thing = Object("dict")
        for key, value in expr.entries:
            if key is None:
                thing = self.merged(thing, self.as_dict(self.eval(value), value))
                continue
            keys = self.eval(key)
            held = self.eval(value)
            thing = self.put(thing, keys, held)
        return self.allocate(thing)

    def put(self, thing: Object, keys: Diagram, value: Diagram) -> Object:
        """A dict (or list, by index) after ``thing[keys] = value``."""
        names = [key_of(term) for term in keys.terms]
        if NotImplemented in names:
            lost = leaf(Unknown("stored under a key that is not known"))
            chance = self.machine.opaque("the key is this one", self.frame.module, self.frame_span())
            doubt = test(chance, TRUTHY)
            fields = {key: ite(doubt, lost, held) for key, held in thing.fields.items()}
            rest = ite(doubt, lost, thing.rest)
            return Object(thing.kind, None, fields, rest, thing.cls, thing.source, (*thing.strays, value)[-_MOST_STRAYS:])
        for name, term in zip(names, keys.terms):
            chosen = where(keys, lambda other, wanted=term: other == wanted)
            thing = thing.with_field(name, ite(chosen, value, thing.get(name)))
        return thing

    def as_dict(self, value: Diagram, expr: ir.Expr) -> Object:
        """The contents of a mapping, merged over the objects that it may be; unknown keys where it is no known dict."""
        lost = Object("dict", rest=self.unknown(f"{self.text(expr.span)} is not a dict that is known here", expr.span))
        result: Object | None = None
        for term in value.terms:
            if isinstance(term, Element):
                found = self.element_dict(term)
                thing = self.as_dict(found, expr) if found is not None else lost
            elif isinstance(term, Ref) and term.kind == "dict":
                thing = self.object(term)
            elif isinstance(term, Unknown):
                thing = Object("dict", rest=leaf(term))
            elif term == Const(None):
                continue
            else:
                thing = lost
            condition = where(value, lambda other, wanted=term: other == wanted)
            result = thing if result is None else join_objects(condition, thing, result)
        return result or Object("dict")

    def eval_Comprehension(self, expr: ir.Comprehension) -> Diagram:
        if expr.kind == "generator":
            # Nobody has asked for its items yet: what they are depends on what happens until then.
            self._comprehension(expr)
            return self.allocate(Object("list", None))
        if self.frame.is_class and not self._is_closed(expr):
            return self.unknown("a comprehension in a class body does not see the names of the class", expr.span)
        return self._comprehension(expr)

    def _is_closed(self, expr: ir.Comprehension) -> bool:
        """Whether a comprehension reads no name of the current frame but in its first iterable."""
        own = set(self.targets_of(expr))
        parts = [expr.key, expr.element, *expr.loops[0].conditions, *expr.loops[1:]]
        names = {item.id for item in walk_all([p for p in parts if p is not None]) if isinstance(item, ir.Name)}
        return not any(self.state.get(self.frame.id, name) is not None for name in names - own)

    def _comprehension(self, expr: ir.Comprehension) -> Diagram:
        loop = expr.loops[0]
        iterable = self.consumed(loop.iterable)
        items = self.iteration(iterable, loop.iterable)
        saved = {name: self.state.get(self.frame.id, name) for name in self.targets_of(expr)}
        if items is not None and len(expr.loops) == 1 and len(items) <= 32 and not any(ABSENT.term in i.terms for i in items):
            result = self._unrolled(expr, loop, items)
        else:
            result = self._opaque_comprehension(expr, iterable)
        for name, value in saved.items():
            self.state.unset(self.frame.id, name) if value is None else self.state.set(self.frame.id, name, value)
        return result

    def targets_of(self, expr: ir.Comprehension) -> list[str]:
        return [name for loop in expr.loops for name in target_names(loop.target)]

    def _unrolled(self, expr: ir.Comprehension, loop: ir.ComprehensionLoop, items: tuple[Diagram, ...]) -> Diagram:
        thing: Object = Object("dict") if expr.kind == "dict" else Object("list" if expr.kind == "generator" else expr.kind, ())
        for item in items:
            self.assign(loop.target, item)
            kept = conj(*(self.condition(c) for c in loop.conditions)) if loop.conditions else TRUE
            if kept is FALSE:
                continue
            value = self.eval(expr.element)
            if expr.kind == "dict" and expr.key is not None:
                keys = self.eval(expr.key)
                new = self.put(thing, keys, value)
                if kept is not TRUE:
                    new = Object("dict", None, {k: ite(kept, v, thing.get(k)) for k, v in new.fields.items()}, new.rest)
                thing = new
            elif kept is TRUE and thing.items is not None:
                thing = Object(thing.kind, (*thing.items, value))
            else:
                thing = Object(thing.kind, None)
        return self.allocate(thing)

    def _opaque_comprehension(self, expr: ir.Comprehension, iterable: Diagram) -> Diagram:
        runs = self.coin(expr.span, self.text(expr.span))
        yes, no = self.branch(runs)
        self.state = yes
        source = None
        for loop in expr.loops:
            value = iterable if loop is expr.loops[0] else self.eval(loop.iterable)
            self.assign(loop.target, self.element_of(value, loop.iterable))
            for check in loop.conditions:
                self.state.assume(self.condition(check))
        if expr.key is not None:
            self.eval(expr.key)
        element = self.eval(expr.element)
        whole = self.container_of(iterable.term if iterable.is_leaf else None)
        item = element.term if element.is_leaf and expr.kind != "dict" and len(expr.loops) == 1 else None
        filtered = whole is not None and isinstance(item, Element) and (item.name, item.level) == (whole[0], whole[1] + 1)
        if len(element.terms) == 1 and isinstance(element.terms[0], Linear) and element.terms[0].symbol is not None:
            source = self.root(element.terms[0].symbol)
        self.state = join(runs, self.state, no)
        if filtered:
            return iterable  # some of the same items
        if expr.kind == "dict":
            return self.allocate(
                Object("dict", rest=self.unknown("built by a comprehension over something not known", expr.span))
            )
        return self.fresh_value(expr.span, source=source)

    root = staticmethod(root)

    # ------------------------------------------------------------------------------------------ subscripts

    def eval_Subscript(self, expr: ir.Subscript) -> Diagram:
        value = self.raw(expr.value)
        if isinstance(expr.index, ir.Slice):
            return self.sliced(value, expr)
        index = self.eval(expr.index)
        return self.each_case(value, lambda term: self.item(term, index, expr))

    def item(self, term: Term, index: Diagram, expr: ir.Expr) -> Diagram:
        """``term[index]``."""
        if isinstance(term, Ref):
            return self._item_of(self.object(term), index, expr)
        if isinstance(term, Unknown):
            return leaf(term)
        if isinstance(term, Element):
            return self.element_item(term, index, expr)
        if isinstance(term, Linear) and term.symbol is not None:
            known = self.containers.get(term.symbol)
            if known is not None and index.is_leaf and key_of(index.term) is not NotImplemented:
                laid = self.state.overlay.get((term.symbol.key, f"[{index.term}]"), ABSENT)
                origin = self._item_subject(term.symbol, index)
                return self.over(laid, leaf(Element(known[0], known[1] + 1, self.machine.next(), origin)))
            if known is not None:
                return leaf(Element(known[0], known[1] + 1, self.machine.next()))
            return self._opaque_item(term.symbol, index, expr)
        if isinstance(term, External):
            return leaf(External(f"{term.dotted}[{self.text(expr.span)}]"))
        return self.fresh_value(expr.span)

    def _opaque_item(self, owner: Subject, index: Diagram, expr: ir.Expr) -> Diagram:
        if index.is_leaf and key_of(index.term) is not NotImplemented:
            laid = self.state.overlay.get((owner.key, f"[{index.term}]"))
            base = leaf(symbol(self._item_subject(owner, index)))
            return base if laid is None else self.over(laid, base)
        return self.fresh_value(expr.span)

    @staticmethod
    def _item_subject(owner: Subject, index: Diagram) -> Subject:
        """An item under a constant key of something that is not known: the same at every reading."""
        key = ("item", owner.key, repr(key_of(index.term)))
        return Subject(key, f"{owner.text}[{index.term}]", Kind.OPAQUE)

    def _item_of(self, thing: Object, index: Diagram, expr: ir.Expr) -> Diagram:
        def of(key_term: Term) -> Diagram:
            key = key_of(key_term)
            if key is NotImplemented:
                return self.unknown(f"item {self.text(expr.span)} is chosen at run time", expr.span)
            if thing.kind in ("tuple", "list", "instance"):
                if thing.items is None or not isinstance(key, int):
                    return self.unknown(f"the contents of {self.text(expr.span)} are not known", expr.span)
                if not -len(thing.items) <= key < len(thing.items):
                    return self.unknown("index out of range", expr.span)
                return self.present(thing.items[key], expr)
            return self.present(thing.get(key), expr)

        if thing.kind == "instance" and thing.items is None:
            return self.fresh_value(expr.span)
        if index.is_leaf:
            return of(index.term)
        return map_leaves(index, of)

    def present(self, value: Diagram, expr: ir.Expr) -> Diagram:
        """An item that was read: where it is missing, the read raised."""
        if ABSENT.term not in value.terms:
            return value
        there = where(value, lambda term: leaf(term) is not ABSENT)
        if there is FALSE:
            return self.unknown(f"{self.text(expr.span)} is missing", expr.span)
        self.state.assume(there)
        return ite(there, value, self.unknown(f"{self.text(expr.span)} may be missing", expr.span))

    def sliced(self, value: Diagram, expr: ir.Subscript) -> Diagram:
        cut = expr.index
        assert isinstance(cut, ir.Slice)
        bounds = []
        for part in (cut.lower, cut.upper, cut.step):
            bound = NONE if part is None else self.eval(part)
            term = bound.term if bound.is_leaf else None
            bounds.append(term.value if isinstance(term, Const) and (term.value is None or isinstance(term.value, int)) else ...)
        if any(isinstance(t, Element) for t in value.terms):
            return self.each_case(value, lambda term: self.element_slice(term, expr))
        items = self.spread(value)
        if items is not None and ... not in bounds and not any(ABSENT.term in i.terms for i in items):
            kinds = {t.kind for t in value.terms if isinstance(t, Ref)}
            return self.allocate(Object("list" if "list" in kinds else "tuple", items[slice(*bounds)]))
        if any(isinstance(t, Ref) for t in value.terms):
            return self.unknown(f"the contents of {self.text(expr.span)} are not known", expr.span)
        if len(value.terms) == 1 and isinstance(value.terms[0], Linear) and value.terms[0].symbol is not None:
            return self.fresh_value(expr.span, source=value.terms[0].symbol)
        return self.fresh_value(expr.span)

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
