"""``try``: any statement may raise, and what is finally done is done on every way out."""

from __future__ import annotations

from fia_lint.algebra.diagram import Diagram, negate
from fia_lint.evaluate.interpreter import Loop
from fia_lint.evaluate.loops import Loops
from fia_lint.evaluate.state import State, join
from fia_lint.extract import ir
from fia_lint.spans import Span

#: How many states in which something may have been raised are told apart.
_MOST_SNAPSHOTS = 24


class Exceptions(Loops):
    """``try`` in all its parts."""

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


def _same_knowledge(a: State, b: State) -> bool:
    return a.frames is b.frames and a.heap is b.heap and a.overlay is b.overlay and a.path is b.path
