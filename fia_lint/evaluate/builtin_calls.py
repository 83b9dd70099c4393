"""Built-in functions, on what is known of their arguments."""

from __future__ import annotations

from math import isfinite

from fia_lint.algebra import terms as algebra
from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, combine, disj, ite, leaf, map_leaves, test, where
from fia_lint.algebra.region import BOOLEANS, IS_NONE, TRUTHY, Named, Region
from fia_lint.algebra.terms import Const, Extremum, Linear, Term, Unknown, symbol
from fia_lint.evaluate import atoms
from fia_lint.evaluate.containers import Containers
from fia_lint.evaluate.values import (
    ABSENT,
    NONE,
    Bound,
    Builtin,
    ClassValue,
    Element,
    External,
    ModuleValue,
    OperatorValue,
    Ref,
    number,
)
from fia_lint.evaluate.windows import THE_WINDOW, WINDOW
from fia_lint.extract import ir
from fia_lint.spans import Span

#: What stands for a window that is not there.
_SENTINELS = frozenset({Const(None), Const(-1), Const(0)})
Args = list[Bound]


class Builtins(Containers):
    """What ``int``, ``len``, ``isinstance``, ``getattr`` and the others give."""

    def builtin(self, name: str, args: Args, span: Span, expr: ir.Call | None) -> Diagram:
        values = [a.value for a in args]
        plain = all(not a.star and a.name is None for a in args)
        handler = getattr(self, f"call_{name}", None)
        if handler is not None and plain:
            return handler(values, span)
        if name == "dict":
            return self._new_dict(args, span)
        if name in ("min", "max") and plain:
            return self._extremum(name, values, span)
        if name in ("zip", "enumerate", "reversed", "sorted", "iter", "filter", "map", "range"):
            return self._iterator(name, args, span)
        if name in ("list", "tuple", "set", "frozenset") and plain:
            return self._sequence(name, values, span)
        if name in ("print", "repr", "str", "id", "float", "type", "callable", "hash"):
            return self.fresh_value(span)
        return self.opaque_call(args, span, expr)

    def call_int(self, values: list[Diagram], span: Span) -> Diagram:
        if len(values) != 1:
            return self.fresh_value(span) if values else leaf(Const(0))

        def of(term: Term) -> Diagram:
            if isinstance(term, Const) and isinstance(term.value, int):
                return leaf(Const(int(term.value)))
            if isinstance(term, Const) and isinstance(fraction := number(term.value), float) and isfinite(fraction):
                return leaf(Const(int(fraction)))
            if isinstance(term, Linear) and any(s.key[:2] == ("pure", "/") for s in term.subjects):
                return leaf(symbol(atoms.pure("int", term, text=f"int({term})", terms=(term,))))
            if isinstance(term, (Linear, Extremum, Unknown)):
                return leaf(term)
            return self.fresh_value(span)

        self._not_none(values[0])
        return map_leaves(values[0], of)

    def call_bool(self, values: list[Diagram], span: Span) -> Diagram:
        return self.truth(values[0], span) if values else FALSE

    def call_abs(self, values: list[Diagram], span: Span) -> Diagram:
        def of(term: Term) -> Diagram:
            if isinstance(term, Const) and isinstance(term.value, int):
                return leaf(Const(abs(term.value)))
            negative = algebra.scale(term, -1)
            return leaf(algebra.extremum("max", (term, negative))) if negative is not None else self.fresh_value(span)

        return map_leaves(values[0], of) if len(values) == 1 else self.fresh_value(span)

    def _extremum(self, name: str, values: list[Diagram], span: Span) -> Diagram:
        if len(values) == 1:
            items = self.spread(values[0])
            if not items or any(ABSENT.term in i.terms for i in items):
                return self.fresh_value(span)
            values = list(items)

        def of(*terms: Term) -> Diagram:
            for term in terms:
                if isinstance(term, Unknown):
                    return leaf(term)
            if all(isinstance(t, Extremum) or algebra.as_linear(t) is not None for t in terms):
                return leaf(algebra.extremum(name, terms))
            return self.fresh_value(span)

        for value in values:
            self._not_none(value)
        return combine(of, *values)

    def call_len(self, values: list[Diagram], span: Span) -> Diagram:
        def of(term: Term) -> Diagram:
            if isinstance(term, Ref):
                thing = self.object(term)
                held = list(thing.fields.values()) if thing.kind == "dict" else thing.items
                if held is not None and (thing.kind != "dict" or thing.rest is ABSENT):
                    if not any(ABSENT.term in item.terms for item in held):
                        return leaf(Const(len(held)))
            if isinstance(term, Linear) and term.symbol is not None and term.symbol not in self.containers:
                return leaf(symbol(atoms.pure("len", term, text=f"len({term})", terms=(term,))))
            return self.fresh_value(span)

        return map_leaves(values[0], of) if len(values) == 1 else self.fresh_value(span)

    def call_type(self, values: list[Diagram], span: Span) -> Diagram:
        """The class of an object that is known; else something opaque."""

        def of(term: Term) -> Diagram:
            cls = self.object(term).cls if isinstance(term, Ref) else None
            return leaf(ClassValue(cls)) if cls is not None else self.fresh_value(span)

        return map_leaves(values[0], of) if len(values) == 1 else self.fresh_value(span)

    def call_next(self, values: list[Diagram], span: Span) -> Diagram:
        """``next(it)``: an item of a container, or the only item of something known."""
        items = self.spread(values[0]) if len(values) == 1 else None
        if items is not None and len(items) == 1:
            return items[0]
        if len(values) == 1 and values[0].is_leaf and self.container_of(values[0].term) is not None:
            return self.element_of(values[0], ir.Name(span, ""))
        for value in values:
            self.escape(value)
        return self.fresh_value(span)

    def call_isinstance(self, values: list[Diagram], span: Span) -> Diagram:
        if len(values) != 2:
            return self.coin(span, self.text(span))
        kinds = self.spread(values[1]) or (values[1],)
        return map_leaves(values[0], lambda term: self._instance_of(term, kinds, span))

    def _instance_of(self, term: Term, kinds: tuple[Diagram, ...], span: Span) -> Diagram:
        result = FALSE
        for kind in kinds:
            for wanted in kind.terms:
                result = ite(self._is_a(term, wanted, span), TRUE, result)
        return result

    def _is_a(self, term: Term, wanted: Term, span: Span) -> Diagram:
        name = wanted.name if isinstance(wanted, Builtin) else ""
        if isinstance(term, Const):
            kinds = {"int": int, "bool": bool, "str": Named}
            if name in kinds:
                return TRUE if isinstance(term.value, kinds[name]) else FALSE
            return FALSE if term.value is None or isinstance(wanted, ClassValue) else self.coin(span, self.text(span))
        if isinstance(term, Ref):
            thing = self.object(term)
            if isinstance(wanted, ClassValue):
                return TRUE if thing.cls is not None and wanted.cls in thing.cls.mro() else FALSE
            return TRUE if name == thing.kind else FALSE if name else self.coin(span, self.text(span))
        if isinstance(term, Element) and isinstance(wanted, ClassValue):
            return self.element_is(term, wanted.cls, span)
        if isinstance(term, Linear) and term.symbol is not None:
            if name == "bool":
                return test(term.symbol, BOOLEANS)
            if name == "int":
                return test(term.symbol, Region(BOOLEANS.tags, ((float("-inf"), float("inf")),), frozenset(), False))
            known = self.types.get(term.symbol)
            if known is not None and isinstance(wanted, ClassValue) and wanted.cls in known.mro():
                return test(term.symbol, ~IS_NONE)
            subject = atoms.pure("isinstance", term, str(wanted), name, text=self.text(span), terms=(term,))
            return test(subject, TRUTHY)
        return self.coin(span, self.text(span))

    def call_getattr(self, values: list[Diagram], span: Span) -> Diagram:
        if len(values) > 1 and not values[1].is_leaf and all(known_text(leaf(term)) is not None for term in values[1].terms):
            return self.each_case(values[1], lambda term: self.call_getattr([values[0], leaf(term), *values[2:]], span))
        name = known_text(values[1]) if len(values) > 1 else None
        if name is None:
            return self.fresh_value(span)
        if len(values) == 2:
            return self.attribute(values[0], name, span)

        def of(term: Term) -> Diagram:
            if isinstance(term, Const) and term.value is None:
                return values[2]
            if isinstance(term, Ref) and self.object(term).kind == "instance":
                thing = self.object(term)
                if thing.get(name) is not ABSENT or thing.cls is not None:
                    return self.attribute_of(term, name, span)
                return values[2]
            if isinstance(term, (ModuleValue, ClassValue, OperatorValue)):
                return self.attribute_of(term, name, span)
            if name in self.machine.operators:
                return leaf(OperatorValue(name))
            held = self.attribute_of(term, name, span)
            if held.is_leaf and held.term in values[2].terms:
                return held
            if held is THE_WINDOW and values[2].is_leaf and values[2].term in _SENTINELS:
                return held  # no such attribute is as good as no window
            there = self._has(term, name, span)
            return self.choose(there, lambda: held, lambda: values[2])

        return self.each_case(values[0], of)

    def _has(self, term: Term, name: str, span: Span) -> Diagram:
        if isinstance(term, Ref) and self.object(term).kind == "instance":
            thing = self.object(term)
            held = thing.get(name)
            if held is not ABSENT:
                return where(held, lambda t: leaf(t) is not ABSENT)
            if thing.cls is not None and (thing.cls.find(name) or name in thing.cls.body_assigns):
                return TRUE
        if isinstance(term, Const):
            return FALSE if term.value is None else self.coin(span, self.text(span))
        if name in self.machine.windows and isinstance(term, (Linear, External)):
            # Who has a window has the attribute.
            has = test(atoms.pure("hasattr", term, name, text=f"hasattr({term}, {name!r})"), TRUTHY)
            return disj(test(WINDOW, ~IS_NONE), has)
        if isinstance(term, Linear) and (term.symbol is not None):
            return test(atoms.pure("hasattr", term, name, text=f"hasattr({term}, {name!r})", terms=(term,)), TRUTHY)
        return self.coin(span, f"hasattr(…, {name!r})")

    def call_hasattr(self, values: list[Diagram], span: Span) -> Diagram:
        name = known_text(values[1]) if len(values) > 1 else None
        if name is None:
            return self.coin(span, self.text(span))
        return self.each_case(values[0], lambda term: self._has(term, name, span))

    def call_setattr(self, values: list[Diagram], span: Span) -> Diagram:
        name = known_text(values[1]) if len(values) == 3 else None
        if name is not None:
            target = ir.Attribute(span, ir.Name(span, ""), name)
            self.each_case(values[0], lambda term: self.store_attribute(term, target, values[2]))
        else:
            self.escape(values[0])
        return NONE


def known_text(value: Diagram) -> str | None:
    term = value.term if value.is_leaf else None
    if isinstance(term, Const) and isinstance(term.value, Named) and term.value.text[:1] in ("'", '"'):
        return term.value.text[1:-1]
    return None
