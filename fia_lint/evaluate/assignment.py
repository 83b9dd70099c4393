"""What assignments bind, and what they store into."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, leaf
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Linear, Term, Unknown
from fia_lint.evaluate.expressions import Expressions
from fia_lint.evaluate.state import rebound_key
from fia_lint.evaluate.values import NONE, Element, Object, Ref, key_of
from fia_lint.extract import ir


class Assignment(Expressions):
    """Targets of every kind."""

    def bind_name(self, name: str, value: Diagram, windowed: bool = True) -> None:
        """Assign to a name in the scope that it belongs to."""
        frame = self.frame
        if windowed and not (frame.function is not None and frame.function.is_replay and _is_from_outside(value)):
            value = self.windowed(name, value)
        if name in frame.globals:
            running = self.module_frames.get(frame.module.path)
            if running is not None:
                self.state.set(running, name, value)
            else:
                self.state.lay(rebound_key(frame.module.path, name), value)
            return
        if frame.function is not None and name not in frame.function.local_names:
            outer = self.frame_of(name)
            if outer is not None:
                self.state.set(outer, name, value)
                return
        self.state.set(frame.id, name, value)

    def assign(self, target: ir.Expr, value: Diagram, windowed: bool = True) -> None:
        """``target = value`` for every kind of target."""
        if isinstance(target, ir.Name):
            self.bind_name(target.id, value, windowed)
        elif isinstance(target, ir.Attribute):
            owner = self.eval(target.value)
            self.each_case(owner, lambda term: self.store_attribute(term, target, value))
        elif isinstance(target, ir.Subscript):
            self._store_item(target, value)
        elif isinstance(target, ir.Starred):
            self.assign(target.value, value, windowed)
        elif isinstance(target, ir.Sequence):
            self._unpack(target, value, windowed)

    def _store_item(self, target: ir.Subscript, value: Diagram) -> None:
        owner_of_names = namespace_owner(target.value)
        if owner_of_names is not None:
            self._store_named(owner_of_names, self.eval(target.index), value, target)
            return
        owner = self.raw(target.value)
        if isinstance(target.index, ir.Slice):
            self.eval(target.index)
            self.each_case(owner, lambda term: self.forget(term, "a slice was assigned"))
            return
        index = self.eval(target.index)

        def of(term: Term) -> Diagram:
            if isinstance(term, Ref):
                thing = self.object(term)
                self.state.store(term.address, self._stored(thing, index, value))
            elif isinstance(term, Linear) and term.symbol is not None:
                known = self.containers.get(term.symbol)
                if known is not None:
                    self.keep(known[0], known[1] + 1, value, target.span)
                elif index.is_leaf:
                    self.state.lay((term.symbol.key, f"[{index.term}]"), value)
            elif isinstance(term, Element):
                self.touch(term)
                self.keep(term.name, term.level + 1, value, target.span)
            return NONE

        self.each_case(owner, of)

    def _store_named(self, owner: ir.Expr, index: Diagram, value: Diagram, target: ir.Subscript) -> None:
        """``x.__dict__[name] = value`` and ``vars(x)[name] = value``: an attribute is set."""
        name = index.term.value if index.is_leaf and isinstance(index.term, Const) else None
        things = self.eval(owner)
        if isinstance(name, Named) and name.text[:1] in ("'", '"'):
            attribute = ir.Attribute(target.span, owner, name.text[1:-1])
            self.each_case(things, lambda term: self.store_attribute(term, attribute, value))
        else:
            self.each_case(things, self.forget_fields)

    def forget_fields(self, term: Term) -> Diagram:
        """Any attribute of an object may have been set, under a name that is not known."""
        if isinstance(term, Ref) and term.kind == "instance":
            thing = self.object(term)
            lost = self.unknown("an attribute is set under a name that is not known", self.frame_span())
            names = (
                {a for c in thing.cls.mro() for a in (*c.attribute_writes, *c.body_assigns)} if thing.cls is not None else set()
            )
            fields = {name: lost for name in sorted({*map(str, thing.fields), *names})}
            self.state.store(
                term.address, Object("instance", None, fields, lost if thing.cls is None else thing.rest, thing.cls, thing.source)
            )
        return NONE

    def _stored(self, thing: Object, index: Diagram, value: Diagram) -> Object:
        if thing.kind == "dict":
            return self.put(thing, index, value)
        key = key_of(index.term) if index.is_leaf else NotImplemented
        if (
            thing.kind == "list"
            and thing.items is not None
            and isinstance(key, int)
            and -len(thing.items) <= key < len(thing.items)
        ):
            items = list(thing.items)
            items[key] = value
            return Object("list", tuple(items))
        return Object(thing.kind, None, thing.fields, thing.rest, thing.cls, thing.source)

    def _unpack(self, target: ir.Sequence, value: Diagram, windowed: bool) -> None:
        parts = target.items
        star = next((i for i, part in enumerate(parts) if isinstance(part, ir.Starred)), None)
        items, stored = self.unpacked(value, len(parts), star is not None, target)
        if items is None:
            for index, part in enumerate(parts):
                self.assign(part, self._part_of(value, part, index), windowed)
            return
        if star is not None:
            after = len(parts) - star - 1
            middle = items[star : len(items) - after]
            rest = self.allocate(Object("list", tuple(middle)))
            items = (*items[:star], rest, *items[len(items) - after :])
        for part, item in zip(parts, items):
            self.assign(part, item, windowed and not stored)

    def _part_of(self, value: Diagram, part: ir.Expr, index: int) -> Diagram:
        for term in value.terms:
            if isinstance(term, Unknown):
                return leaf(term)
            if isinstance(term, Ref):
                return self.unknown("unpacked from something of unknown length", part.span)
        return self.fresh_value(part.span, f"{self.text(part.span)}")


def _is_from_outside(value: Diagram) -> bool:
    """Whether nothing is known of a value: in code that replays captured values, its name says nothing of it."""
    return all(
        isinstance(t, (Unknown, Element))
        or (isinstance(t, Linear) and t.symbol is not None and t.symbol.key[0] in ("opaque", "item", "element"))
        for t in value.terms
    )


def namespace_owner(expr: ir.Expr) -> ir.Expr | None:
    """``x`` of ``x.__dict__`` or ``vars(x)``."""
    if isinstance(expr, ir.Attribute) and expr.attr == "__dict__":
        return expr.value
    if isinstance(expr, ir.Call) and isinstance(expr.func, ir.Name) and expr.func.id == "vars" and len(expr.args) == 1:
        return expr.args[0].value
    return None
