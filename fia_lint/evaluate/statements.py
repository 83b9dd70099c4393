"""Statements: how each changes the state, and where control goes."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, Work, compatible, conj, leaf, negate, where
from fia_lint.algebra.region import Named
from fia_lint.algebra.terms import Const, Linear, Term, Unknown
from fia_lint.evaluate import taskgroups
from fia_lint.evaluate.expressions import Expressions
from fia_lint.evaluate.interpreter import Loop, TooMuchWork, Turn
from fia_lint.evaluate.scopes import dotted
from fia_lint.evaluate.state import State, join
from fia_lint.evaluate.values import ABSENT, NONE, Bound, Deferred, Element, Object, Ref, key_of
from fia_lint.extract import ir
from fia_lint.extract.walk import target_names
from fia_lint.spans import Span

_MOST_STEPS = 60_000
_MOST_UNROLLED = 32
_MOST_SNAPSHOTS = 24


class Statements(Expressions):
    """One method per kind of statement, found by the name of its class."""

    def block(self, body: list[ir.Stmt]) -> None:
        """Run statements until one of them leaves the block."""
        for stmt in body:
            if self.state.dead:
                return
            self.steps += 1
            if self.steps > _MOST_STEPS:
                self.state.path = FALSE
                return
            if self.limit is not None and (self.steps > self.limit[0] or Work.done > self.limit[1]):
                raise TooMuchWork
            getattr(self, "run_" + type(stmt).__name__)(stmt)
            for snapshots in self.frame.tries:
                if not self.state.dead:
                    snapshots.append(self.state.copy())

    def leave(self, into: list) -> None:
        """The current path goes elsewhere; nothing follows here."""
        into.append(self.state)
        self.state = self.state.copy()
        self.state.path = FALSE

    def frame_span(self) -> Span:
        function = self.frame.function
        return function.span if function else Span(1, 1, 1, 1)

    # ------------------------------------------------------------------------------------------ simple ones

    def run_ExprStmt(self, stmt: ir.ExprStmt) -> None:
        self.eval(stmt.value)

    def run_Assign(self, stmt: ir.Assign) -> None:
        if stmt.value is None:
            return
        value = self.eval(stmt.value)
        if stmt.annotation is not None:
            self.note_type(value, stmt.annotation)
        for target in stmt.targets:
            self.assign(target, value)

    def run_AugAssign(self, stmt: ir.AugAssign) -> None:
        old = self.eval(stmt.target)
        value = self.eval(stmt.value)
        if any(isinstance(term, Ref) and term.kind in ("list", "dict", "set") for term in old.terms):
            self.each_case(old, lambda term: self._augment(term, stmt.op, value, stmt))
            return
        if old.is_leaf and self.extend_container(old.term, stmt.op, value, stmt.span):
            return
        fake = ir.Binary(stmt.span, stmt.op, stmt.target, stmt.value)
        self.assign(stmt.target, self.arithmetic(stmt.op, old, value, fake))

    def _augment(self, term: Term, op: str, value: Diagram, stmt: ir.AugAssign) -> Diagram:
        """``d |= other`` and ``l += other`` change the object itself."""
        if isinstance(term, Ref):
            thing = self.object(term)
            if op == "|" and thing.kind == "dict":
                self.state.store(term.address, self.merged(thing, self.as_dict(value, stmt.value)))
            elif op == "+" and thing.kind == "list":
                more = self.spread(value)
                known = thing.items is not None and more is not None
                self.state.store(term.address, Object("list", (*thing.items, *more) if known else None))  # type: ignore[misc]
            else:
                self.forget(term, "changed in place")
        return NONE

    def run_Import(self, stmt: ir.Import) -> None:
        for name, alias in stmt.names:
            value = self.import_module(name, 0)
            if alias is None and "." in name:
                alias = name.partition(".")[0]
                value = self.import_module(alias, 0)
            self.bind_name(alias or name, value)

    def run_ImportFrom(self, stmt: ir.ImportFrom) -> None:
        for name, alias in stmt.names:
            if name == "*":
                for each, value in self.star_names(stmt).items():
                    self.bind_name(each, value)
            else:
                deferred = Deferred(self.frame.module.path, stmt.module, stmt.level, name)
                self.bind_name(alias or name, leaf(deferred), windowed=False)

    def run_FunctionDef(self, stmt: ir.FunctionDef) -> None:
        value = self.make_function(stmt)
        self.bind_name(stmt.name, self.decorated(value, stmt))

    def run_ClassDef(self, stmt: ir.ClassDef) -> None:
        self.bind_name(stmt.name, self.make_class(stmt))

    def run_Scope(self, stmt: ir.Scope) -> None:
        if stmt.kind == "global":
            self.frame.globals = self.frame.globals | set(stmt.names)

    def run_Delete(self, stmt: ir.Delete) -> None:
        for target in stmt.targets:
            if isinstance(target, ir.Subscript):
                index = self.eval(target.index)
                self.each_case(self.eval(target.value), lambda term, i=index: self._remove(term, i))
            elif isinstance(target, ir.Name):
                self.state.unset(self.frame.id, target.id)
            elif isinstance(target, ir.Attribute):
                self.assign(target, self.unknown("deleted", stmt.span))

    def _remove(self, term: Term, index: Diagram) -> Diagram:
        if isinstance(term, Ref):
            thing = self.object(term)
            key = key_of(index.term) if index.is_leaf else NotImplemented
            if thing.kind == "dict" and key is not NotImplemented:
                self.state.store(term.address, thing.with_field(key, ABSENT))
            else:
                self.forget(term, "an item was deleted")
        return NONE

    def run_Return(self, stmt: ir.Return) -> None:
        value = NONE if stmt.value is None else self.eval(stmt.value)
        if self.state.dead:
            return
        self.frame.returns.append((self.state, value))
        self.state = self.state.copy()
        self.state.path = FALSE

    def run_Raise(self, stmt: ir.Raise) -> None:
        if stmt.value is not None:
            self.eval(stmt.value)
        for snapshots in self.frame.tries:
            snapshots.append(self.state.copy())
        self.leave(self.frame.raises)

    def run_Assert(self, stmt: ir.Assert) -> None:
        holds = self.condition(stmt.test)
        if not self.frame.allows(conj(self.state.path, holds)):
            self.leave(self.frame.raises)
        else:
            self.state.assume(holds)

    def run_Jump(self, stmt: ir.Jump) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else Loop()
        self.leave(loop.breaks if stmt.kind == "break" else loop.continues)

    # ------------------------------------------------------------------------------------------ branches

    def run_If(self, stmt: ir.If) -> None:
        while True:
            holds = self.condition(stmt.test)
            if len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], ir.If) and holds is FALSE:
                stmt = stmt.orelse[0]
                continue
            break
        self.choose(holds, lambda: self._nothing(stmt.body), lambda: self._nothing(stmt.orelse))

    def _nothing(self, body: list[ir.Stmt]) -> Diagram:
        self.block(body)
        return NONE

    def run_With(self, stmt: ir.With) -> None:
        swallows = False
        left: list[tuple[Diagram, Term]] = []
        region, inside = self.frame.region, ""
        for item in stmt.items:
            value = self.eval(item.value)
            name = dotted(item.value.func if isinstance(item.value, ir.Call) else item.value) or ""
            swallows = swallows or name.rpartition(".")[2] == "suppress"
            entered = value if any(isinstance(t, Ref) for t in value.terms) else self.fresh_value(item.value.span)
            for term in value.terms:
                thing = self.object(term) if isinstance(term, Ref) else None
                if thing is not None and thing.cls is not None and thing.cls.find("__enter__") and value.is_leaf:
                    entered = self.call_function(thing.cls.find("__enter__"), [], value, item.value.span)
                    left.append((value, term))
                elif term in self.generators:
                    inside = taskgroups.opened_by(self.generators[term]) or inside
            if item.target is not None:
                self.assign(item.target, entered)
        self.frame.region = inside or self.frame.region
        if swallows:
            handler = ir.Handler(stmt.span, None, None, [])
            self.run_Try(ir.Try(stmt.span, stmt.body, [handler], [], []))
        else:
            self.block(stmt.body)
        if inside:
            self.frame.region = region
        for value, term in reversed(left):
            leave = self.object(term).cls.find("__exit__")
            if leave is not None and not self.state.dead:
                nothing = [Bound(NONE)] * 3
                self.call_function(leave, nothing, value, stmt.span)

    def run_Match(self, stmt: ir.Match) -> None:
        subject = self.eval(stmt.subject)
        self._match(subject, stmt.cases, 0)

    def _match(self, subject: Diagram, cases: list[ir.MatchCase], index: int) -> Diagram:
        if index == len(cases):
            return NONE
        case = cases[index]
        holds = self.matches(case.pattern, subject)

        def chosen() -> Diagram:
            self.bind_pattern(case.pattern, subject)
            if case.guard is None:
                return self._nothing(case.body)
            guard = self.condition(case.guard)
            return self.choose(guard, lambda: self._nothing(case.body), lambda: self._match(subject, cases, index + 1))

        return self.choose(holds, chosen, lambda: self._match(subject, cases, index + 1))

    # ------------------------------------------------------------------------------------------ loops

    def run_For(self, stmt: ir.For) -> None:
        iterable = self.consumed(stmt.iterable)
        items = self.iteration(iterable, stmt.iterable)
        if items is not None and len(items) <= _MOST_UNROLLED:
            self._unroll(stmt, iterable, items)
        else:
            self._repeat(
                stmt.body, stmt.orelse, stmt, lambda: self.assign(stmt.target, self.element_of(iterable, stmt.iterable)), None
            )

    def held_by(self, value: Diagram) -> list[tuple[Diagram, ...] | None]:
        """The items of the lists that a value may be, as they are now."""
        return [self.object(term).items for term in value.terms if isinstance(term, Ref) and term.kind == "list"]

    def _unroll(self, stmt: ir.For, iterable: Diagram, items: tuple[Diagram, ...]) -> None:
        loop = Loop()
        before = self.state.copy()
        exits = len(self.frame.returns), len(self.frame.raises), len(self.records)
        gone_through = self.held_by(iterable)
        self.frame.loops.append(loop)
        for number, item in enumerate(items, 1):
            if self.state.dead:
                break
            if self.held_by(iterable) != gone_through:
                self.frame.loops.pop()
                del self.frame.returns[exits[0] :], self.frame.raises[exits[1] :], self.records[exits[2] :]
                self.state = before
                lost = self.unknown("an item of a list that changes while a loop goes over it", stmt.span)
                self._repeat(stmt.body, stmt.orelse, stmt, lambda: self.assign(stmt.target, lost), None)
                return
            there = where(item, lambda term: leaf(term) is not ABSENT)
            skipped = None
            if there is not TRUE:
                self.state, skipped = self.branch(there)
            self.assign(stmt.target, item)
            held = {name: value for name in target_names(stmt.target) if (value := self.state.get(self.frame.id, name))}
            self.frame.turns.append(Turn(stmt.span.line, number, held))
            self.block(stmt.body)
            self.frame.turns.pop()
            self._merge(loop.continues)
            loop.continues.clear()
            if skipped is not None:
                self.state = join(there, self.state, skipped)
        self.frame.loops.pop()
        self.block(stmt.orelse)
        self._merge(loop.breaks)

    def _merge(self, others: list[State]) -> None:
        """Join states that come from elsewhere into the current one; each is told apart by its own path."""
        for other in others:
            self.state = self.meet(other, self.state)

    def meet(self, a: State, b: State) -> State:
        """The state after two exclusive paths met."""
        if a.dead or b.dead:
            return b if a.dead else a
        if a.exact and not compatible(a.path, b.path):
            return join(a.path, a, b)
        if b.exact and not compatible(a.path, b.path):
            return join(b.path, b, a)
        return join(self.coin(self.frame_span(), "which way was taken"), a, b)

    def run_While(self, stmt: ir.While) -> None:
        self._repeat(stmt.body, stmt.orelse, stmt, lambda: None, stmt.test)

    def _repeat(self, body: list[ir.Stmt], orelse: list[ir.Stmt], stmt: ir.Stmt, begin, check: ir.Expr | None) -> None:
        """A loop whose number of rounds is not known: what a round changes is not known when the next begins."""
        before = self.state
        recording, self.recording = self.recording, False
        for _ in range(6):
            start = self.state.copy()
            end = self._round(body, begin, check, stmt)[0]
            self.state = start
            if not self._forget_changes(start, end, stmt.span):
                break
        self.recording = recording
        head = self.state.copy()
        end, loop, done = self._round(body, begin, check, stmt)
        ran = self.coin(stmt.span, f"the loop at line {stmt.span.line} runs")
        if check is None:
            # Either no round ran, and nothing changed, or what is true after a round is.
            self.state = join(ran, end, before) if not end.dead else self._only(before, negate(ran))
        else:
            self.state = done if done is not None else head
        if not self.state.dead:
            self.block(orelse)
        for other in loop.breaks:
            self.state = (
                other
                if self.state.dead
                else join(self.coin(stmt.span, f"the loop at line {stmt.span.line} is left early"), other, self.state)
            )

    def _only(self, state: State, condition: Diagram) -> State:
        state = state.copy()
        state.assume(condition)
        return state

    def _round(self, body: list[ir.Stmt], begin, check: ir.Expr | None, stmt: ir.Stmt) -> tuple[State, Loop, State | None]:
        """One round from the current state: its end, its exits, and the state in which the test failed."""
        loop = Loop()
        returns, raises = len(self.frame.returns), len(self.frame.raises)
        self.frame.loops.append(loop)
        done = None
        if check is not None:
            holds = self.condition(check)
            self.state, done = self.branch(holds)
        else:
            self.state.assume(self.coin(stmt.span, f"the loop at line {stmt.span.line} goes on"))
        begin()
        self.block(body)
        self._merge(loop.continues)
        self.frame.loops.pop()
        if not self.recording:
            del self.frame.returns[returns:]
            del self.frame.raises[raises:]
        return self.state, loop, done

    def _forget_changes(self, start: State, end: State, span: Span) -> bool:
        """Make unknown in ``start`` what differs in ``end``. Tells whether anything new did."""
        if end.dead:
            return False
        lost = self.unknown("changes from round to round of a loop", span)
        changed = False
        names = start.frames.get(self.frame.id, {})
        for name, value in end.frames.get(self.frame.id, {}).items():
            if name in names and names[name] is not value and names[name] is not lost:
                start.set(self.frame.id, name, lost)
                changed = True
        for frame, outer in end.frames.items():
            if frame != self.frame.id and frame in start.frames:
                for name, value in outer.items():
                    if start.frames[frame].get(name) not in (value, lost, None):
                        start.set(frame, name, lost)
                        changed = True
        for address, thing in end.heap.items():
            old = start.heap.get(address) or self.machine.heap.get(address)
            if old is None or old is thing or address not in start.heap and address not in self.machine.heap:
                continue
            new = self._loop_object(old, thing, lost)
            if new is not None:
                start.store(address, new)
                changed = True
        for key, value in end.overlay.items():
            if start.overlay.get(key, ABSENT) is not value and start.overlay.get(key) is not lost:
                start.lay(key, lost)
                changed = True
        return changed

    @staticmethod
    def _loop_object(old: Object, new: Object, lost: Diagram) -> Object | None:
        if old.items != new.items:
            return Object(old.kind, None, old.fields, old.rest, old.cls, old.source) if old.items is not None else None
        fields = dict(old.fields)
        rest = old.rest
        changed = False
        for key in [*old.fields, *(k for k in new.fields if k not in old.fields)]:
            if old.get(key) is not new.get(key) and old.get(key) is not lost:
                fields[key] = lost
                changed = True
        if old.rest is not new.rest and old.rest is not lost:
            rest, changed = lost, True
        return Object(old.kind, None, fields, rest, old.cls, old.source) if changed else None

    # ------------------------------------------------------------------------------------------ exceptions

    def run_Try(self, stmt: ir.Try) -> None:
        exits = self._exits() if stmt.final else None
        before = self.state.copy()
        snapshots: list[State] = [before]
        frame = self.frame
        frame.tries.append(snapshots)
        raised_before = len(frame.raises)
        self.block(stmt.body)
        frame.tries.remove(snapshots)
        if stmt.handlers:
            del frame.raises[raised_before:]
        completed = self.state
        failed = self._any_of(snapshots, stmt.span)
        self.state = completed
        self.block(stmt.orelse)
        completed = self.state
        for handler in stmt.handlers:
            taken = self.coin(handler.span, f"an exception is caught at line {handler.span.line}")
            self.state = self._only(failed, taken)
            failed = self._only(failed, negate(taken))
            if handler.type is not None:
                self.eval(handler.type)
            if handler.name:
                self.bind_name(handler.name, self.fresh_value(handler.span, handler.name))
            self.block(handler.body)
            completed = self._after_handler(taken, self.state, completed)
        self.state = completed
        if exits is not None:
            self._finally(stmt, exits)

    def _after_handler(self, taken: Diagram, handled: State, completed: State) -> State:
        if handled.dead:
            return completed
        if completed.dead:
            return handled
        completed = self._only(completed, negate(taken))
        return join(taken, handled, completed)

    def _any_of(self, snapshots: list[State], span: Span) -> State:
        """The state in which a handler starts: any of those that the body went through."""
        result = snapshots[0]
        kept = snapshots[1:]
        if len(kept) > _MOST_SNAPSHOTS:
            result = result.copy()
            for state in kept:
                self._forget_changes(result, state, span)
            return result
        for state in kept:
            if not _same_knowledge(state, result):
                result = join(self.coin(span, "how far the try block came"), state, result)
        return result

    def _exits(self) -> tuple[int, int, int, int]:
        frame = self.frame
        loop = frame.loops[-1] if frame.loops else Loop()
        return len(frame.returns), len(frame.raises), len(loop.breaks), len(loop.continues)

    def _finally(self, stmt: ir.Try, exits: tuple[int, int, int, int]) -> None:
        """Every way out of the statement runs the final block; one that leaves by itself replaces the way out."""
        frame = self.frame
        loop = frame.loops[-1] if frame.loops else Loop()
        pending = []
        for items, start in zip((frame.returns, frame.raises, loop.breaks, loop.continues), exits):
            pending.append((items, items[start:]))
            del items[start:]
        self.block(stmt.final)
        completed = self.state
        for items, ways in pending:
            for way in ways:
                self.state = way[0] if isinstance(way, tuple) else way
                self.block(stmt.final)
                if not self.state.dead:
                    items.append((self.state, way[1]) if isinstance(way, tuple) else self.state)
        self.state = completed

    # ------------------------------------------------------------------------------------------ assignment

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
                self.state.lay((("global", frame.module.path), name), value)
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


def _same_knowledge(a: State, b: State) -> bool:
    return a.frames is b.frames and a.heap is b.heap and a.overlay is b.overlay and a.path is b.path
