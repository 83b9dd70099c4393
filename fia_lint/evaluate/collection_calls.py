"""``dict``, ``list``, ``zip`` and the like: what they make."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, leaf
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Linear
from fia_lint.evaluate.builtin_calls import Args, Builtins
from fia_lint.evaluate.values import Bound, Element, MethodOf, Object, Ref
from fia_lint.extract import ir
from fia_lint.spans import Span


class Collections(Builtins):
    """Collections that built-in functions make."""

    def _new_dict(self, args: Args, span: Span) -> Diagram:
        thing = Object("dict")
        for argument in args:
            if argument.star == "*":
                return self.allocate(Object("dict", rest=self.unknown("a dict built from starred arguments", span)))
            if argument.name is None:
                thing = self.merged(thing, self._mapping(argument, span))
            else:
                thing = thing.with_field(Named(repr(argument.name)), argument.value)
        return self.allocate(thing)

    def _mapping(self, argument: Bound, span: Span) -> Object:
        """What ``dict(x)`` or ``dict(**x)`` takes over: a mapping, or pairs of known keys."""
        pairs = self.spread(argument.value) if not argument.star else None
        if pairs is not None and all(isinstance(t, Ref) and t.kind in ("tuple", "list") for t in argument.value.terms):
            thing = Object("dict")
            for pair in pairs:
                both = self.spread(pair)
                if both is None or len(both) != 2:
                    return Object("dict", rest=self.unknown("a dict built from pairs that are not known", span))
                thing = self.put(thing, both[0], both[1])
            return thing
        return self.as_dict(argument.value, ir.Name(span, ""))

    def _sequence(self, name: str, values: list[Diagram], span: Span) -> Diagram:
        kind = {"frozenset": "set"}.get(name, name)
        if not values:
            return self.allocate(Object(kind, ()))
        if values[0].is_leaf and isinstance(values[0].term, (Element, Linear)):
            return values[0]
        items = self.iteration(values[0], ir.Name(span, ""))
        return self.allocate(Object(kind, items))

    def _iterator(self, name: str, args: Args, span: Span) -> Diagram:
        """``zip``, ``enumerate`` and their like: a list of known length where the arguments are known, else a marker."""
        values = [a.value for a in args if not a.star and a.name is None]
        if name == "range":
            return self._range(values, span)
        if name in ("filter", "map") or any(a.star for a in args):
            for argument in args:
                self.escape(argument.value)
            return self.allocate(Object("list", None))
        shapes = [self.iteration(value, ir.Name(span, "")) for value in values]
        if name == "zip" and values:
            if any(shape is not None for shape in shapes) and all(
                s is not None or self._endless(v) for s, v in zip(shapes, values)
            ):
                length = min(len(s) for s in shapes if s is not None)
                rows = [
                    [s[i] if s is not None else self.element_of(v, ir.Name(span, "")) for s, v in zip(shapes, values)]
                    for i in range(length)
                ]
                return self.allocate(Object("list", tuple(self.allocate(Object("tuple", tuple(row))) for row in rows)))
            return leaf(MethodOf(self.allocate(Object("tuple", tuple(values))), "zip"))
        if name == "enumerate" and values:
            start = next((a.value for a in args if a.name == "start"), values[1] if len(values) > 1 else leaf(Const(0)))
            first = start.term.value if start.is_leaf and isinstance(start.term, Const) else None
            if shapes[0] is not None and isinstance(first, int):
                pairs = (self.allocate(Object("tuple", (leaf(Const(first + i)), item))) for i, item in enumerate(shapes[0]))
                return self.allocate(Object("list", tuple(pairs)))
            return leaf(MethodOf(values[0], "enumerate"))
        if name in ("reversed", "sorted", "iter") and values:
            if shapes[0] is not None and name != "sorted":
                return self.allocate(Object("list", shapes[0][::-1] if name == "reversed" else shapes[0]))
            if name == "sorted":
                self.escape_items(values[0])
            return (
                values[0]
                if self.container_of(values[0].term if values[0].is_leaf else None)
                else self.allocate(Object("list", None))
            )
        return self.allocate(Object("list", None))

    def _endless(self, value: Diagram) -> bool:
        return False

    def _range(self, values: list[Diagram], span: Span) -> Diagram:
        numbers = [v.term.value for v in values if v.is_leaf and isinstance(v.term, Const) and isinstance(v.term.value, int)]
        if len(numbers) == len(values) and 1 <= len(values) <= 3 and 0 not in numbers[2:] and len(range(*numbers)) <= 64:
            return self.allocate(Object("list", tuple(leaf(Const(i)) for i in range(*numbers))))
        return self.allocate(Object("list", None))
