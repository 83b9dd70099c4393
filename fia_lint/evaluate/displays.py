"""Tuples, lists, dicts and comprehensions as they are written out."""

from __future__ import annotations

from collections.abc import Callable

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, ite, leaf, map_leaves, test, where
from fia_lint.algebra.region import TRUTHY
from fia_lint.algebra.terms import Const, Linear, Term, Unknown
from fia_lint.evaluate.interpreter import Core
from fia_lint.evaluate.scopes import walk_all
from fia_lint.evaluate.state import join
from fia_lint.evaluate.values import ABSENT, NONE, Element, Object, Ref, key_of
from fia_lint.extract import ir
from fia_lint.extract.walk import target_names

#: Of what a dict holds under keys that are not known, the last ones are remembered.
_MOST_STRAYS = 16


class Displays(Core):
    """Displays, and the dicts and sequences that they are made of."""

    @staticmethod
    def over(new: Diagram, old: Diagram) -> Diagram:
        """``new`` where it is there, else ``old``."""
        if ABSENT.term not in new.terms:
            return new
        return ite(where(new, lambda term: leaf(term) is not ABSENT), new, old)

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
        held = {term: self._contents(term, expr) for term in value.terms if term != Const(None)}
        first, *others = held.values() or (Object("dict"),)
        if not others:
            return first

        def merged(get: Callable[[Object], Diagram]) -> Diagram:
            return map_leaves(value, lambda term: get(held.get(term, first)))

        keys = dict.fromkeys(key for thing in (first, *others) for key in thing.fields)
        return Object("dict", None, {k: merged(lambda thing, k=k: thing.get(k)) for k in keys}, merged(lambda thing: thing.rest))

    def _contents(self, term: Term, expr: ir.Expr) -> Object:
        """The contents of one mapping."""
        if isinstance(term, Ref) and term.kind == "dict":
            return self.object(term)
        if isinstance(term, Unknown):
            return Object("dict", rest=leaf(term))
        found = self.element_dict(term) if isinstance(term, Element) else None
        if found is not None:
            return self.as_dict(found, expr)
        return Object("dict", rest=self.unknown(f"{self.text(expr.span)} is not a dict that is known here", expr.span))

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
