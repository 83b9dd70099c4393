"""Loops: unrolled where their turns are known, else run until nothing new is learnt."""

from __future__ import annotations

from fia_lint.algebra.diagram import TRUE, Diagram, compatible, leaf, negate, where
from fia_lint.evaluate.assignment import Assignment
from fia_lint.evaluate.interpreter import Loop, Turn
from fia_lint.evaluate.scopes import bindings, walk_scope
from fia_lint.evaluate.state import State, join
from fia_lint.evaluate.values import ABSENT, Object, Ref
from fia_lint.extract import ir
from fia_lint.extract.walk import target_names
from fia_lint.spans import Span

#: A loop over more known turns than this is not unrolled.
_MOST_UNROLLED = 32
#: After so many rounds that changed something new, everything that is bound in a loop counts as changing.
_PATIENCE = 2
#: How many rounds are tried in all. Each makes something unknown that was known, an item of a dict at least: more than these
#: would take a chain of so many items.
_MOST_TURNS = 500


class Loops(Assignment):
    """``for`` and ``while``."""

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
        before = self.state.copy()
        recording, self.recording = self.recording, False
        try:
            for turn in range(_MOST_TURNS):
                start = self.state.copy()
                end = self._round(body, begin, check, stmt)[0]
                self.state = start
                if not self._forget_changes(start, end, stmt.span):
                    break
                if turn == _PATIENCE:
                    self._forget_bound(start, body, stmt.span)
        finally:  # a round may take more steps than a bound allows
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

    def _forget_bound(self, start: State, body: list[ir.Stmt], span: Span) -> None:
        """Make every name unknown that the body binds: one may take its value from another, and that from a third."""
        bound: set[str] = set()
        bindings(walk_scope(body), bound, set())
        for name in start.frames.get(self.frame.id, {}).keys() & bound:
            start.set(self.frame.id, name, self.unknown("changes from round to round of a loop", span))

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
