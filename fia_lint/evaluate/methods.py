"""Built-in functions, and methods of dicts, lists, containers and unknown objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fia_lint.algebra.diagram import Diagram, ite, leaf, map_leaves, where
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Term
from fia_lint.evaluate.builtin_calls import Args, known_text
from fia_lint.evaluate.collection_calls import Collections
from fia_lint.evaluate.values import (
    ABSENT,
    NONE,
    Builtin,
    Element,
    External,
    FunctionValue,
    MethodOf,
    Object,
    PartialValue,
    Ref,
    key_of,
)
from fia_lint.extract import ir
from fia_lint.operators import UNBOUNDED
from fia_lint.spans import Span

if TYPE_CHECKING:
    pass


class Methods(Collections):
    """What the standard library does to the values that matter here."""

    def method(self, bound: MethodOf, args: Args, span: Span, expr: ir.Call | None) -> Diagram:
        receiver = bound.receiver.term if bound.receiver.is_leaf else None
        if isinstance(receiver, Ref):
            thing = self.object(receiver)
            handler = getattr(self, f"{thing.kind}_{bound.name}", None)
            if handler is not None and all(not a.star for a in args if thing.kind != "dict"):
                return handler(receiver, thing, args, span)
            if thing.kind == "dict":
                self.forget(receiver, f"changed by .{bound.name}()")
            if thing.kind in ("list", "set") and bound.name not in ("index", "count", "copy"):
                self.forget(receiver, f"changed by .{bound.name}()")
            if thing.kind == "instance":
                self.escape(bound.receiver)
        if isinstance(receiver, Element):
            found = self.element_method(receiver, bound.name, args, span)
            if found is not None:
                return found
        return self.opaque_call(args, span, expr)

    def external(self, term: External, args: Args, span: Span, expr: ir.Call | None) -> Diagram:
        """Functions from outside the tree that matter: maxima, partial, copies, namespaces."""
        last = term.dotted.rpartition(".")[2]
        if last == "partial" and args and not args[0].star:
            return leaf(PartialValue(args[0].value, tuple(args[1:])))
        if last == "partialmethod" and args and not args[0].star:
            return leaf(PartialValue(args[0].value, tuple(args[1:]), method=True))
        if last == "staticmethod" and len(args) == 1:
            # A partial object, unlike a function, does not become a method.
            return map_leaves(args[0].value, lambda t: leaf(PartialValue(leaf(t), ()) if isinstance(t, FunctionValue) else t))
        if last == "iinfo":
            return leaf(External(f"iinfo:{self._int_kind(args)}"))
        if last == "SimpleNamespace":
            made = self._new_dict([a for a in args if a.name or a.star == "**"], span)
            thing = self.object(made.term)
            fields = {k.text[1:-1]: v for k, v in thing.fields.items() if isinstance(k, Named)}
            return self.allocate(Object("instance", None, fields, thing.rest))
        if last in ("copy", "deepcopy") and len(args) == 1:
            return self.each_case(args[0].value, lambda t: self._copied(t, last == "deepcopy", span))
        if last == "replace" and args and args[0].value.is_leaf and isinstance(args[0].value.term, Ref):
            return self.instance__replace(args[0].value.term, self.object(args[0].value.term), args[1:], span)
        if last in ("asdict", "vars") and len(args) == 1 and args[0].value.is_leaf and isinstance(args[0].value.term, Ref):
            thing = self.object(args[0].value.term)
            return self.allocate(Object("dict", None, {Named(repr(k)): v for k, v in thing.fields.items()}))
        if last in ("cast",) and len(args) == 2:
            return args[1].value
        if last == "chain" and args:
            parts = [self.iteration(a.value, ir.Name(span, "")) for a in args]
            if all(p is not None for p in parts):
                return self.allocate(Object("list", tuple(i for p in parts for i in p)))  # type: ignore[union-attr]
        return self.opaque_call(args, span, expr)

    def _int_kind(self, args: Args) -> str:
        term = args[0].value.term if args and args[0].value.is_leaf else None
        if isinstance(term, Builtin):
            return "int64" if term.name == "int" else "?"
        if args and (text := known_text(args[0].value)) is not None:
            return text
        return str(term).rpartition(".")[2] if isinstance(term, External) else "?"

    def _copied(self, term: Term, deep: bool, span: Span) -> Diagram:
        if not isinstance(term, Ref):
            return leaf(term)
        thing = self.object(term)
        if deep:
            again = {k: self._copy_value(v, span) for k, v in thing.fields.items()}
            items = None if thing.items is None else tuple(self._copy_value(v, span) for v in thing.items)
            return self.allocate(Object(thing.kind, items, again, thing.rest, thing.cls, thing.source))
        return self.allocate(Object(thing.kind, thing.items, dict(thing.fields), thing.rest, thing.cls, thing.source))

    def _copy_value(self, value: Diagram, span: Span) -> Diagram:
        return map_leaves(value, lambda t: self._copied(t, True, span))

    # dict

    def _entry(self, thing: Object, args: Args, span: Span, missing: Callable[[], Diagram]) -> Diagram:
        def of(term: Term) -> Diagram:
            key = key_of(term)
            if key is NotImplemented:
                return self.unknown("a dict is read with a key that is not known", span)
            held = thing.get(key)
            return held if ABSENT.term not in held.terms else missing() if held is ABSENT else self.over(held, missing())

        return self.each_case(args[0].value, of)

    def dict_get(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        default = args[1].value if len(args) > 1 else NONE
        return self._entry(thing, args, span, lambda: default)

    def dict_setdefault(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        default = args[1].value if len(args) > 1 else NONE
        value = self._entry(thing, args, span, lambda: default)
        self.state.store(ref.address, self.put(thing, args[0].value, value))
        return value

    def dict_pop(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        default = args[1].value if len(args) > 1 else self.unknown("popped from a dict that lacks it", span)
        value = self._entry(thing, args, span, lambda: default)
        self.state.store(ref.address, self.put(thing, args[0].value, ABSENT))
        return value

    def dict_update(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        for argument in args:
            if argument.name is not None:
                thing = thing.with_field(Named(repr(argument.name)), argument.value)
            else:
                thing = self.merged(thing, self._mapping(argument, span))
        self.state.store(ref.address, thing)
        return NONE

    def dict_copy(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self.allocate(Object("dict", None, dict(thing.fields), thing.rest))

    def dict_clear(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        self.state.store(ref.address, Object("dict"))
        return NONE

    def _listed(self, thing: Object, make: Callable[[object], Diagram]) -> Diagram:
        if thing.rest is not ABSENT:
            return self.allocate(Object("list", None))
        items = []
        for key, held in thing.fields.items():
            if held is ABSENT:
                continue
            there = where(held, lambda t: leaf(t) is not ABSENT)
            items.append(ite(there, make(key), ABSENT))
        return self.allocate(Object("list", tuple(items)))

    def dict_keys(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self._listed(thing, self.key_value)

    def dict_values(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self._listed(thing, thing.get)

    def dict_items(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self._listed(thing, lambda key: self.allocate(Object("tuple", (self.key_value(key), thing.get(key)))))

    # list, tuple

    def list_append(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        known = thing.items is not None and not any(ABSENT.term in i.terms for i in thing.items)
        self.state.store(ref.address, Object("list", (*thing.items, args[0].value) if known else None))  # type: ignore[misc]
        return NONE

    def list_extend(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        more = self.spread(args[0].value)
        known = thing.items is not None and more is not None and not any(ABSENT.term in i.terms for i in thing.items)
        self.state.store(ref.address, Object("list", (*thing.items, *more) if known else None))  # type: ignore[misc]
        return NONE

    def list_insert(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        at = args[0].value.term.value if args[0].value.is_leaf and isinstance(args[0].value.term, Const) else None
        if thing.items is None or not isinstance(at, int):
            return self.forget(ref, "changed by .insert()")
        items = list(thing.items)
        items.insert(at, args[1].value)
        self.state.store(ref.address, Object("list", tuple(items)))
        return NONE

    def list_pop(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        at = (
            -1
            if not args
            else args[0].value.term.value
            if args[0].value.is_leaf and isinstance(args[0].value.term, Const)
            else None
        )
        if thing.items is None or not isinstance(at, int) or not -len(thing.items) <= at < len(thing.items):
            self.forget(ref, "changed by .pop()")
            return self.unknown("popped from a list that is not known", span)
        items = list(thing.items)
        value = items.pop(at)
        self.state.store(ref.address, Object("list", tuple(items)))
        return value

    def list_copy(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self.allocate(Object("list", thing.items))

    def instance__replace(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        if thing.kind != "instance" or any(a.star for a in args):
            return self.unknown("replaced fields that are not known", span)
        fields = {**thing.fields, **{a.name: a.value for a in args if a.name}}
        items = tuple(fields.values()) if thing.items is not None else None
        made = self.allocate(Object("instance", items, fields, thing.rest, thing.cls, thing.source))
        post = thing.cls.find("__post_init__") if thing.cls is not None else None
        if post is not None:
            if len(post.params) > 1:
                return self.unknown("replace() of an object that is made from more than its fields", span)
            self.call_function(post, [], made, span)
        return made

    def attribute_of(self, term: Term, attr: str, span: Span) -> Diagram:
        if isinstance(term, External):
            known = _known_external(term.dotted, attr)
            if known is not None:
                return known
        if isinstance(term, Ref) and attr in ("_replace", "_asdict"):
            thing = self.object(term)
            if thing.cls is not None and thing.cls.fields_kind == "namedtuple":
                return leaf(MethodOf(leaf(term), attr))
        return super().attribute_of(term, attr, span)

    def instance__asdict(self, ref: Ref, thing: Object, args: Args, span: Span) -> Diagram:
        return self.allocate(Object("dict", None, {Named(repr(k)): v for k, v in thing.fields.items()}))


_MAXIMA = {
    "int8": 127,
    "int16": 2**15 - 1,
    "int32": UNBOUNDED,
    "int64": 2**63 - 1,
    "int": 2**31 - 1,
    "short": 2**15 - 1,
    "long": 2**63 - 1,
    "uint8": 255,
}


def _known_external(owner: str, attr: str) -> Diagram | None:
    """Constants of the standard library and of array libraries."""
    if owner.startswith("iinfo:"):
        kind = owner.partition(":")[2]
        if attr == "max" and kind in _MAXIMA:
            return leaf(Const(_MAXIMA[kind]))
        if attr == "min" and kind in _MAXIMA and kind != "uint8":
            return leaf(Const(-_MAXIMA[kind] - 1))
    if owner == "sys" and attr == "maxsize":
        return leaf(Const(2**63 - 1))
    return None
