"""Built-in functions, and methods of dicts, lists, containers and unknown objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

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
    FunctionValue,
    MethodOf,
    ModuleValue,
    Object,
    OperatorValue,
    PartialValue,
    Ref,
    key_of,
)
from fia_lint.evaluate.windows import THE_WINDOW, WINDOW
from fia_lint.extract import ir
from fia_lint.operators import UNBOUNDED
from fia_lint.spans import Span

if TYPE_CHECKING:
    pass

Args = list[Bound]

#: What stands for a window that is not there.
_SENTINELS = frozenset({Const(None), Const(-1), Const(0)})


class Methods(Containers):
    """What the standard library does to the values that matter here."""

    # ------------------------------------------------------------------------------------------ built-ins

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
        if len(values) > 1 and not values[1].is_leaf and all(_text(leaf(term)) is not None for term in values[1].terms):
            return self.each_case(values[1], lambda term: self.call_getattr([values[0], leaf(term), *values[2:]], span))
        name = _text(values[1]) if len(values) > 1 else None
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

    def call_hasattr(self, values: list[Diagram], span: Span) -> Diagram:
        name = _text(values[1]) if len(values) > 1 else None
        if name is None:
            return self.coin(span, self.text(span))
        return self.each_case(values[0], lambda term: self._has(term, name, span))

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

    def call_setattr(self, values: list[Diagram], span: Span) -> Diagram:
        name = _text(values[1]) if len(values) == 3 else None
        if name is not None:
            target = ir.Attribute(span, ir.Name(span, ""), name)
            self.each_case(values[0], lambda term: self.store_attribute(term, target, values[2]))
        else:
            self.escape(values[0])
        return NONE

    # ------------------------------------------------------------------------------------------ collections

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

    # ------------------------------------------------------------------------------------------ methods

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
        if args and (text := _text(args[0].value)) is not None:
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


def _text(value: Diagram) -> str | None:
    term = value.term if value.is_leaf else None
    if isinstance(term, Const) and isinstance(term.value, Named) and term.value.text[:1] in ("'", '"'):
        return term.value.text[1:-1]
    return None
