"""Iteration and unpacking, and containers that outlive the function: what one method stores, another reads."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, compatible, conj, disj, ite, leaf, map_leaves, test, where
from fia_lint.algebra.region import Named, identical
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown
from fia_lint.evaluate.definitions import ClassInfo
from fia_lint.evaluate.machine import Reading, Stored
from fia_lint.evaluate.objects import Objects
from fia_lint.evaluate.patterns import Patterns
from fia_lint.evaluate.stores import MUTATORS
from fia_lint.evaluate.values import ABSENT, NONE, Bound, Element, MethodOf, Object, Ref, key_of
from fia_lint.extract import ir
from fia_lint.spans import Span

#: What lists, dicts, sets and deques can do.
CONTAINER_METHODS = MUTATORS | {"get", "values", "items", "copy", "keys", "__getitem__"}


class Containers(Patterns, Objects):
    """Loops over known and unknown things; stored values and their readers."""

    # ------------------------------------------------------------------------------------------ iteration

    def iteration(self, iterable: Diagram, expr: ir.Expr) -> tuple[Diagram, ...] | None:
        """The items that a loop over ``iterable`` goes through, if they are known (an item may be ABSENT under a condition)."""
        if len(iterable.terms) == 1 and isinstance(iterable.terms[0], Ref):
            thing = self.object(iterable.terms[0])
            if thing.kind == "dict":
                if thing.rest is not ABSENT:
                    return None
                there = [(k, where(v, lambda t: leaf(t) is not ABSENT)) for k, v in thing.fields.items()]
                return tuple(ite(c, self.key_value(k), ABSENT) for k, c in there if c is not FALSE)
            return thing.items
        return self.spread(iterable)

    def container_of(self, term: Term | None) -> tuple[str, int] | None:
        """The name and level of a container that outlives the function, if ``term`` is (part of) one."""
        if isinstance(term, Element):
            return term.name, term.level
        if isinstance(term, Linear) and term.symbol is not None:
            return self.containers.get(term.symbol)
        return None

    def element_of(self, iterable: Diagram, expr: ir.Expr) -> Diagram:
        """What a loop variable holds in a loop over something whose items are not known one by one."""
        self.escape_items(iterable)

        def of(term: Term) -> Diagram:
            if isinstance(term, MethodOf) and term.name == "items":
                return term.receiver
            if isinstance(term, MethodOf) and term.name in ("zip", "enumerate"):
                if term.name == "enumerate":
                    return self.allocate(
                        Object("tuple", (self.fresh_value(expr.span, "index"), self.element_of(term.receiver, expr)))
                    )
                parts = self.object(term.receiver.term).items or ()
                return self.allocate(Object("tuple", tuple(self.element_of(part, expr) for part in parts)))
            found = self.container_of(term)
            if found is not None:
                return leaf(Element(found[0], found[1] + 1, self.machine.next()))
            if isinstance(term, Unknown):
                return leaf(term)
            if isinstance(term, Ref):
                items = self.object(term).items
                if items:
                    return self.unknown("an item of a long list", expr.span)
                return self.unknown("an item of something not known", expr.span)
            source = self.root(term.symbol) if isinstance(term, Linear) and term.symbol is not None else None
            return self.fresh_value(expr.span, f"an item of {self.text(expr.span)}", source)

        return map_leaves(iterable, of)

    def unpacked(self, value: Diagram, count: int, starred: bool, target: ir.Sequence) -> tuple[tuple[Diagram, ...] | None, bool]:
        """The items of a value that is unpacked into ``count`` targets, and whether they come from a stored tuple."""
        if all(isinstance(t, Element) for t in value.terms) and len({(t.name, t.level) for t in value.terms}) == 1:
            value = leaf(value.terms[0])
        if starred and value.is_leaf and isinstance(value.term, Element):
            record = self._record_read(value.term, lambda thing: thing.items is not None and len(thing.items) >= count - 1)
            items = self._tuple_items(record) if record is not None else None
            return (items, True) if items is not None and len(items) >= count - 1 else (None, False)
        if any(isinstance(t, Element) for t in value.terms) and not starred:
            parts = [self._element_tuple(t, count, target) if isinstance(t, Element) else None for t in value.terms]
            if len(parts) == 1:
                return (parts[0], True) if parts[0] is not None else (self._no_such_tuple(count, target), True)
        fits = [self._fits(term, count, starred) for term in value.terms]
        if any(fits) and not all(fits):
            # A tuple of another length would have raised.
            good = {t for t, ok in zip(value.terms, fits) if ok}
            if all(isinstance(t, Ref) and self.object(t).items is not None or t == Const(None) for t in value.terms):
                keep = where(value, lambda term: term in good)
                if compatible(self.state.path, keep):
                    self.state.assume(keep)
                    value = self._only_terms(value, good)
        items = self._tuple_items(value)
        if items is None or (len(items) < count - 1 if starred else len(items) != count):
            return None, False
        return items, False

    def _only_terms(self, value: Diagram, good: set) -> Diagram:
        first = sorted(good, key=lambda t: t.order)[0]
        return map_leaves(value, lambda term: leaf(term) if term in good else leaf(first))

    def _fits(self, term: Term, count: int, starred: bool) -> bool:
        if not isinstance(term, Ref):
            return False
        items = self.object(term).items
        return items is not None and (len(items) >= count - 1 if starred else len(items) == count)

    def _tuple_items(self, value: Diagram) -> tuple[Diagram, ...] | None:
        if len(value.terms) == 1 and isinstance(value.terms[0], Ref):
            thing = self.object(value.terms[0])
            if thing.kind == "dict":
                return self.spread(value)
            return thing.items if thing.items is None or not any(ABSENT.term in i.terms for i in thing.items) else None
        return self.spread(value)

    # ------------------------------------------------------------------------------------------ storing

    def keep(self, name: str, level: int, value: Diagram, span: Span) -> None:
        """Remember that ``value`` was put into a container that outlives the function."""
        if self.recording and any(not isinstance(t, Ref) or self.object(t).cls is None for t in value.terms):
            self.machine.mixed.add((name, level))
        if not self.recording or not self.storing or not any(isinstance(t, Ref) for t in value.terms):
            return
        for term in value.terms:
            if isinstance(term, Ref) and self.object(term).kind in ("list", "set") and self.object(term).items:
                # A list that is stored whole: its items are one level further in.
                for item in self.object(term).items or ():
                    self.keep(name, level + 1, item, span)
            elif isinstance(term, Ref) and self.object(term).kind == "dict":
                thing = self.object(term)
                for item in (*thing.fields.values(), *thing.strays):
                    self.keep(name, level + 1, item, span)
        function = self.frame.function
        owner = function.owner if function is not None else None
        self._share(value)
        stored = Stored(
            name,
            level,
            value,
            self.full_path,
            self.place(span),
            function,
            owner,
            self.frame.module,
            self.cls,
            self.context,
            self.frame.id,
            self.frame.bound,
        )
        self.machine.stored.setdefault((name, level), []).append(stored)

    def _share(self, value: Diagram) -> None:
        """Copy an object, and what it holds, to the heap that all evaluations see."""
        for term in value.terms:
            if isinstance(term, Ref) and term.address in self.state.heap:
                thing = self.state.heap[term.address]
                if self.machine.heap.get(term.address) is thing:
                    continue
                self.machine.heap[term.address] = thing
                self.shared.add(term.address)
                for item in (*(thing.items or ()), *thing.fields.values(), *thing.strays):
                    self._share(item)

    def element_method(self, element: Element, name: str, args: list[Bound], span: Span) -> Diagram | None:
        """Methods of a container or of a part of it."""
        if name in ("update", "pop", "popitem", "setdefault", "clear"):
            self.touch(element)
        return self._container_method(element.name, element.level, name, args, span)

    def _container_method(self, container: str, level: int, name: str, args: list[Bound], span: Span) -> Diagram | None:
        if name in ("append", "appendleft", "add") and len(args) == 1:
            self.keep(container, level + 1, args[0].value, span)
            return NONE
        if name == "insert" and len(args) == 2:
            self.keep(container, level + 1, args[1].value, span)
            return NONE
        if name in ("extend", "extendleft") and len(args) == 1:
            for item in self.spread(args[0].value) or ():
                self.keep(container, level + 1, item, span)
            return NONE
        if name == "update" and len(args) == 1 and not args[0].star:
            self._keep_items(container, level, args[0].value, span)
            return NONE
        if name == "__getitem__" and len(args) == 1:
            return leaf(Element(container, level + 1, self.machine.next()))
        if name == "popitem":
            return self.allocate(
                Object("tuple", (self.fresh_value(span, "key"), leaf(Element(container, level + 1, self.machine.next()))))
            )
        if name in ("setdefault", "get", "pop", "popleft"):
            if name == "setdefault" and len(args) > 1:
                self.keep(container, level + 1, args[1].value, span)
            return leaf(Element(container, level + 1, self.machine.next()))
        if name in ("values", "copy"):
            return leaf(Element(container, level, self.machine.next()))
        if name == "items":
            pair = self.allocate(
                Object("tuple", (self.fresh_value(span, "key"), leaf(Element(container, level + 1, self.machine.next()))))
            )
            return leaf(MethodOf(pair, "items"))
        return None

    def _keep_items(self, container: str, level: int, value: Diagram, span: Span) -> None:
        """What a list or a dict holds goes into a container."""
        for term in value.terms:
            if isinstance(term, Ref):
                thing = self.object(term)
                held = (*thing.fields.values(), *thing.strays) if thing.kind == "dict" else thing.items or ()
                for item in held:
                    if ABSENT.term not in item.terms:
                        self.keep(container, level + 1, item, span)

    def extend_container(self, term: Term, op: str, value: Diagram, span: Span) -> bool:
        """``container += [record]`` and ``container |= {key: record}``; False if it is no container."""
        found = self.container_of(term)
        if found is None or op not in ("+", "|") or not all(isinstance(t, Ref) for t in value.terms):
            return False
        self._keep_items(*found, value, span)
        return True

    # ------------------------------------------------------------------------------------------ reading

    def _candidates(self, element: Element, fits) -> list[Stored]:
        """The stored values that fit, from the nearest place that stores any: class, bases, subclasses, module, tree."""
        self.read_containers.add((element.name, element.level))
        group = self.frame.module.group
        every = [s for s in self.machine.stored.get((element.name, element.level), []) if s.module.group == group and fits(s)]
        function = self.frame.function
        owner = function.owner if function is not None else None
        for near in self._places(owner):
            found = [s for s in every if near(s)]
            if found:
                self.classes_needed.update((s.cls, s.activation) for s in found)
                if self.feeding is None:
                    return found
                fed = [s for s in found if s.cls == self.feeding[0]]
                known = self.machine.stored[(element.name, element.level)]
                if any(s.activation == self.feeding[1] for s in known):
                    fed = [s for s in fed if s.activation == self.feeding[1]]
                if not fed:
                    # Other classes store what is read here: this code does not run for the class in question.
                    self.state.path = FALSE
                    return found
                return fed
        return []

    def _places(self, owner: ClassInfo | None):
        if owner is not None:
            yield lambda s: s.owner is owner
            bases = owner.mro()[1:]
            yield lambda s: s.owner in bases
            yield lambda s: s.owner is not None and owner in s.owner.mro()[1:]
        yield lambda s: s.module is self.frame.module
        yield lambda s: True

    def _tuple_length(self, stored: Stored) -> set[int]:
        found = set()
        for term in stored.value.terms:
            if isinstance(term, Ref) and term.kind == "tuple":
                items = self.machine.heap[term.address].items
                if items is not None:
                    found.add(len(items))
        return found

    def _element_tuple(self, element: Element, count: int, target: ir.Sequence) -> tuple[Diagram, ...] | None:
        candidates = self._candidates(element, lambda s: count in self._tuple_length(s))
        if not candidates:
            every = self.machine.stored.get((element.name, element.level), [])
            lengths = {n for s in every if s.module.group == self.frame.module.group for n in self._tuple_length(s)}
            self.readings.append(Reading(self.place(target.span), count, self.state.path, stored=tuple(sorted(lengths))))
            return None
        self.readings.append(Reading(self.place(target.span), count, self.state.path, tuple(candidates)))
        chosen = self._union(candidates, lambda term: isinstance(term, Ref) and self._has_length(term, count))
        return tuple(self._slot_read(chosen, target, index) for index in range(count))

    def _slot_read(self, chosen: Diagram, target: ir.Sequence, index: int) -> Diagram:
        """What a name of an unpacking reads: its slot, or what is tried in its place (rule FIA105)."""
        tried = self.exchanged.get((tuple(target.span), index), index)
        return tried if isinstance(tried, Diagram) else self._slot_value(chosen, tried)

    def _slot_value(self, chosen: Diagram, index: int) -> Diagram:
        """What slot ``index`` of one of several stored tuples holds."""
        known = self.machine.slots
        found = known.get((chosen, index))
        if found is None:
            found = known[chosen, index] = map_leaves(chosen, lambda term: self._slot_of(term, index))
        return found

    def _slot_of(self, term: Term, index: int) -> Diagram:
        if not isinstance(term, Ref):
            return leaf(term)
        items = self.machine.heap[term.address].items
        assert items is not None
        return items[index]

    def _has_length(self, term: Ref, count: int) -> bool:
        items = self.machine.heap[term.address].items
        return term.kind == "tuple" and items is not None and len(items) == count

    def _no_such_tuple(self, count: int, target: ir.Sequence) -> tuple[Diagram, ...]:
        """Nothing of that length is stored: every name is unknown."""
        return tuple(self.unknown(f"no tuple of {count} values is stored", part.span) for part in target.items)

    def _union(self, candidates: list[Stored], fits) -> Diagram:
        """One of several stored values, each under the condition under which it was stored; strengthens the path."""
        places: dict[object, list[Stored]] = {}
        for stored in candidates:
            places.setdefault(stored.place, []).append(stored)
        parts: list[tuple[Diagram, Diagram]] = []
        for group in places.values():
            value, condition = self._fitting(group[0], fits)
            for stored in group[1:]:
                other, holds = self._fitting(stored, fits)
                value = ite(holds, other, value) if other is not value else value
                condition = disj(condition, holds)
            parts.append((value, condition))
        if len(parts) == 1:
            self.state.assume(parts[0][1])
            return parts[0][0]
        names = [Named(f"{place.path}:{place.span.line}") for place in places]
        text = "the record replayed"
        subject = Subject(("record", self.machine.next(), tuple(n.text for n in names)), text, Kind.OPAQUE)
        value, condition = parts[-1]
        for name, (other, holds) in zip(names[:-1], parts[:-1]):
            chosen = test(subject, identical(name))
            value, condition = ite(chosen, other, value), ite(chosen, holds, condition)
        self.state.assume(condition)
        return value

    def _fitting(self, stored: Stored, fits) -> tuple[Diagram, Diagram]:
        """A stored value where it fits, and the condition of that."""
        good = [t for t in stored.value.terms if fits(t)]
        condition = stored.path
        if len(good) != len(stored.value.terms):
            condition = conj(condition, where(stored.value, lambda term: term in good))
            return map_leaves(stored.value, lambda term: leaf(term) if term in good else leaf(good[0])), condition
        return stored.value, condition

    def touch(self, element: Element) -> None:
        """Something is done to an element: if it is a stored dict or record, that is not any more what was stored."""
        stored = self.machine.stored.get((element.name, element.level), [])
        terms = [term for each in stored for term in each.value.terms if isinstance(term, Ref)]
        if any(self.machine.heap[term.address].kind in ("dict", "instance") for term in terms):
            lost = self.unknown(f"an element of {element.name} is changed after it was stored", self.frame_span())
            self.state.lay((("element", element.name, element.level), "changed"), lost)

    def _touched(self, element: Element) -> Diagram | None:
        return self.state.overlay.get((("element", element.name, element.level), "changed"))

    def element_value(self, element: Element, fits) -> Diagram | None:
        """An element as one of the stored objects that fit, or None if there are none."""
        touched = self._touched(element)
        if touched is not None:
            return touched
        candidates = self._candidates(
            element, lambda s: any(isinstance(t, Ref) and fits(self.machine.heap[t.address]) for t in s.value.terms)
        )
        if not candidates:
            return None
        return self._union(candidates, lambda term: isinstance(term, Ref) and fits(self.machine.heap[term.address]))

    def element_dict(self, element: Element) -> Diagram | None:
        """A stored dict, spread by ``**``."""
        return self.element_value(element, lambda thing: thing.kind == "dict")

    def element_field(self, element: Element, attr: str, span: Span) -> Diagram:
        """``element.attr``: a field of a stored record, or a method of the container."""
        if attr in CONTAINER_METHODS:
            return leaf(MethodOf(leaf(element), attr))
        known = self.elements.get((element, "record"))
        value = (
            known
            if known is not None and self._touched(element) is None
            else self.element_value(element, lambda thing: thing.kind == "instance" and attr in thing.fields)
        )
        if value is None:
            return self.unknown(f"nothing stored in {element.name} has a field {attr}", span)
        self.elements[(element, "record")] = value
        return self.attribute(value, attr, span)

    def element_is(self, element: Element, cls: ClassInfo, span: Span) -> Diagram:
        """The condition that a stored record is of a class."""
        value = self.elements.get((element, "record"))
        if value is None:
            value = self.element_value(element, lambda thing: thing.kind == "instance")
            if value is None:
                return self.coin(span, self.text(span))
            self.elements[(element, "record")] = value

        def of(term: Term) -> Diagram:
            thing = self.object(term) if isinstance(term, Ref) else None
            return TRUE if thing is not None and thing.cls is not None and cls in thing.cls.mro() else FALSE

        found = map_leaves(value, of)
        if (element.name, element.level) in self.machine.mixed:
            # What is no record at all is no instance either.
            return conj(self.coin(span, self.text(span)), found)
        return found

    def element_slice(self, term: Term, expr: ir.Subscript) -> Diagram:
        """``element[a:b]``: some slots of a stored tuple, or some of what a part of the container holds."""
        if not isinstance(term, Element):
            return self.sliced(leaf(term), expr)
        record = self._record_read(term, lambda thing: thing.kind == "tuple" and thing.items is not None)
        if record is not None:
            return self.sliced(record, expr)
        if self.machine.stored.get((term.name, term.level)):
            return self.unknown(f"the contents of {self.text(expr.span)} are not known", expr.span)
        return leaf(term)

    def _record_read(self, element: Element, fits) -> Diagram | None:
        """The stored tuple that an element is, the same at every reading."""
        known = self.elements.get((element, "item"))
        if known is None:
            known = self.element_value(element, fits)
            if known is not None:
                self.elements[(element, "item")] = known
        return known

    def element_item(self, element: Element, index: Diagram, expr: ir.Expr) -> Diagram:
        """``element[index]``: a slot of a stored tuple, a key of a stored dict, or one level further into the container."""
        key = key_of(index.term) if index.is_leaf else NotImplemented
        if key is not NotImplemented and not isinstance(key, tuple):
            known = self.elements.get((element, "item"))
            if known is None or self._touched(element) is not None:
                known = self.element_value(element, lambda thing: _holds(thing, key))
            if known is not None:
                self.elements[(element, "item")] = known
                return self.each_case(known, lambda term: self.item(term, index, expr))
        return leaf(Element(element.name, element.level + 1, self.machine.next()))


def _holds(thing: Object, key: object) -> bool:
    if thing.kind in ("tuple", "list") and isinstance(key, int):
        return thing.items is not None and -len(thing.items) <= key < len(thing.items)
    return thing.kind == "dict" and key in thing.fields
