"""Items and slices of what is known, and of what is not."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, Diagram, ite, leaf, map_leaves, where
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate.displays import Displays
from fia_lint.evaluate.values import (
    ABSENT,
    NONE,
    BoundMethod,
    Element,
    External,
    FunctionValue,
    Object,
    OperatorValue,
    PartialValue,
    Ref,
    key_of,
)
from fia_lint.extract import ir

#: What a dict of functions may hold, and how many of them.
_CALLEES = (OperatorValue, FunctionValue, BoundMethod, PartialValue)
_MOST_CALLEES = 8


class Subscripts(Displays):
    """``value[index]``."""

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
                chosen = self._callee_by_key(thing, key_term, expr)
                if chosen is not None:
                    return chosen
                self.escape_held(thing)
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

    def _callee_by_key(self, thing: Object, key_term: Term, expr: ir.Subscript) -> Diagram | None:
        """One of the functions in a dict, by a key that is not known; None if the dict holds anything else, or may."""
        callees = list(thing.fields.items())
        known = all(isinstance(term, _CALLEES) for _, held in callees for term in held.terms)
        if thing.kind != "dict" or thing.rest is not ABSENT or not known or not 0 < len(callees) <= _MOST_CALLEES:
            return None
        _, value = callees[-1]
        for key, held in callees[-2::-1]:
            there = self.compare("==", leaf(key_term), self.key_value(key), expr, lambda: self.text(expr.span))
            value = ite(there, held, value)
        return value

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
            self.escape_items(value)
            return self.unknown(f"the contents of {self.text(expr.span)} are not known", expr.span)
        if len(value.terms) == 1 and isinstance(value.terms[0], Linear) and value.terms[0].symbol is not None:
            return self.fresh_value(expr.span, source=value.terms[0].symbol)
        return self.fresh_value(expr.span)
