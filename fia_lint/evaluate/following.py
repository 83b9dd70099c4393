"""Calls into functions of the tree: how far they are followed, and what comes back."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, Work, compatible, exists, leaf, negate, walk
from fia_lint.algebra.terms import Kind, Linear, Subject, symbol
from fia_lint.evaluate import modules, taskgroups
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.interpreter import Frame, TooMuchWork
from fia_lint.evaluate.making import Making
from fia_lint.evaluate.state import State, join
from fia_lint.evaluate.values import (
    ABSENT,
    NONE,
    PROBE,
    RECURSION,
    Bound,
    BoundMethod,
    FunctionValue,
    OperatorValue,
    PartialValue,
    either,
    known_in,
    root,
)
from fia_lint.extract import ir
from fia_lint.spans import Span

#: How far a call that leads to no call site is followed: statements, and steps of the algebra.
_SIDE_STEPS, _SIDE_WORK = 300, 6_000
#: A function that does nothing but call another one adds nothing to the depth, unless so many are running.
_MOST_FRAMES = 40
#: From functions that are more calls than this away from every call site, other calls are not followed.
_FAR = 3


class Following(Making):
    """Functions of the tree run where they are called."""

    def call_function(
        self,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        span: Span,
        expr: ir.Call | None = None,
        value: FunctionValue | None = None,
    ) -> Diagram:
        """Follow a call into a function of the tree."""
        reason = self._why_not(function)
        if reason:
            self.forget_effects(function, args, receiver, value)
            self.not_followed(function, args, receiver, span, expr, value, reason)
            return self.unknown(reason, span)
        if getattr(function.node, "is_generator", False):
            return self.generator(function, args, receiver, span, value)
        if expr is not None and self.recording and self.collector is None and function not in self.machine.reaching_functions:
            if any(self.carries_operator(a.value) for a in args):
                return self.carrier_call(function, args, receiver, span, expr, value)
        if expr is not None and self.recording and self.collector is None:
            wrapper = self.wrapper_of(function)
            if wrapper is not None:
                return self.wrapper_call(wrapper, function, args, receiver, span, expr, value)
        if function in self.machine.reaching_functions or self.limit is not None:
            return self.enter(function, args, receiver, span, value)
        return self.aside(function, args, receiver, span, value)

    def _why_not(self, function: FunctionInfo) -> str:
        """Why a call of a function is not followed here; empty if it is."""
        stack = self.stack()
        if any(frame.function is function for frame in stack):
            self.recursive.add(function)
            return RECURSION
        # The first two frames are that of the module and that of the entry.
        deep = sum(frame.function is None or not frame.function.is_thin for frame in stack) + max(0, len(stack) - _MOST_FRAMES)
        if deep > self.machine.settings.max_depth + 1 + (8 if function.name in self.machine.reaching else 0):
            self.bound_hit.add(function)
            return f"calls are followed {self.machine.settings.max_depth} deep (max-depth)"
        decorators = getattr(function.node, "decorators", []) if function.owner is not None and function.parent is None else []
        if not all(modules.passes_through(self.machine, decorator, function) for decorator in decorators):
            return f"{function.name} is changed by a decorator"
        return ""

    def not_followed(
        self,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        span: Span,
        expr: ir.Call | None,
        value: FunctionValue | None,
        reason: str,
    ) -> None:
        """A function that is not followed any further may lead to call sites: see ``Recorder``."""

    def carries_operator(self, value: Diagram) -> bool:
        """Whether an argument is the operator itself, or a partial object of it."""
        return any(
            isinstance(t, OperatorValue) or (isinstance(t, PartialValue) and self.carries_operator(t.func)) for t in value.terms
        )

    def generator(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, span: Span, value: FunctionValue | None
    ) -> Diagram:
        """A generator: its body runs later, or never. Call sites in it are reached then; what it may change is not known."""
        self.forget_effects(function, args, receiver, value)
        if self.reaches(function):
            frame, after, region = self.frame, self.state.copy(), (self.frame.region, self.frame.closes)
            self.enter(function, args, receiver, span, value)
            self.frame, self.state = frame, after
            frame.region, frame.closes = region
        made = self.fresh_value(span)
        self.generators[made.term] = function
        return made

    def aside(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, span: Span, value: FunctionValue | None
    ) -> Diagram:
        """Follow a function that leads to no call site, as far as a bound on the work allows."""
        if self.far_from_sites():
            self.forget_effects(function, args, receiver, value)
            return self.fresh_value(span)
        frame, before, closures = self.frame, self.state.copy(), len(self.frame.closures)
        loops, tries, turns, opened = len(frame.loops), len(frame.tries), len(frame.turns), len(self.calls_open)
        self.limit = (self.steps + _SIDE_STEPS, Work.done + _SIDE_WORK)
        try:
            return self._view(function, self.enter(function, args, receiver, span, value), args, span)
        except TooMuchWork:
            self.frame, self.state = frame, before
            del frame.closures[closures:], frame.loops[loops:], frame.tries[tries:], frame.turns[turns:]
            del self.calls_open[opened:]
            self.forget_effects(function, args, receiver, value)
            return self.unknown(f"following {function.name} takes more steps than the bound allows", span)
        finally:
            self.limit = None

    def _view(self, function: FunctionInfo, result: Diagram, args: list[Bound], span: Span) -> Diagram:
        """What a function makes of one tensor, as far as it is opaque, is a view of that tensor: unless it may be something else
        that is known, or the function does not read what it gets."""
        given = args[0].value.terms if len(args) == 1 and not args[0].star else ()
        subject = given[0].symbol if len(given) == 1 and isinstance(given[0], Linear) else None
        made = result.term.symbol if result.is_leaf and isinstance(result.term, Linear) else None
        if subject is None or made is None or made.key[0] != "opaque" or made.source is not None:
            return result
        params = {param.name for param in function.passed}
        reads = any(isinstance(item, ir.Name) and item.id in params for item in function.items)
        other = set(known_in(made)) - {root(subject).key}
        return self._result_of(subject, span) if reads and not other else result

    def _result_of(self, subject: Subject, span: Span) -> Diagram:
        """What a function makes of a tensor: as much there as the tensor is, but not the tensor itself."""
        made = self.fresh(span, source=subject)
        self.machine.results.add(made)
        return leaf(symbol(made))

    def far_from_sites(self) -> bool:
        """Whether the current function only leads to call sites through several others: then details do not matter."""
        function = self.frame.function
        return function is not None and self.machine.distance.get(function, 0) > _FAR

    def stack(self) -> list[Frame]:
        found = []
        frame: Frame | None = self.frame
        while frame is not None:
            found.append(frame)
            frame = frame.parent
        return found

    def enter(
        self,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        span: Span,
        value: FunctionValue | None = None,
        raw: frozenset[str] = frozenset(),
    ) -> Diagram:
        """Run a function's body with bound arguments; parameters in ``raw`` stay what they are: parameters."""
        self.called.add(function)
        self.ran.add((self.frame.module.path, span))
        if self.calls_open:
            self.calls_open.append(self.place(span))
        caller, before = self.frame, self.state
        frame = Frame(self.machine.next(), function.module, function, before.path, parent=caller)
        frame.line = span.line
        frame.around = taskgroups.around(self.machine, function) if function.decorators else ""
        frame.parent_id = value.frame if value is not None else None
        self.parents[frame.id] = frame.parent_id
        frame.cls = self.receiver_class(function, receiver) or (caller.cls if function.parent is not None else None)
        local = before.copy()
        local.path, local.exact = TRUE, True
        self.state = local
        bound = self.bind_arguments(function, args, receiver, value, frame)
        self.frame = frame
        for param in function.params:
            held = bound.get(param.name, ABSENT)
            if param.name in raw or held is ABSENT:
                held = self.parameter(function, param)
            elif (
                function in self.machine.recursive
                and self.entry != PROBE
                and not (receiver is not None and param is function.params[0])
            ):
                held = self.unknown(RECURSION, span)
            else:
                held = self.windowed(param.name, held)
            if param.annotation is not None:
                self.note_type(held, param.annotation)
            self.state.set(frame.id, param.name, held)
            frame.bound[param.name] = held
        if isinstance(function.node, ir.Lambda):
            result = self.eval(function.node.body)
            frame.returns.append((self.state, result))
            self.state = self.state.copy()
            self.state.path = FALSE
        else:
            self.block(function.node.body)
        result = self.leave_frame(frame, caller, before, span)
        if self.calls_open:
            self.calls_open.pop()
        return result

    def leave_frame(self, frame: Frame, caller: Frame, before: State, span: Span) -> Diagram:
        """Join all ways out of a function into one state and one value, and go back to the caller."""
        ways = list(frame.returns)
        if not self.state.dead:
            ways.append((self.state, NONE))
        self.invoke_closures(frame, ways)
        if not ways:
            self.frame, self.state = caller, before.copy()
            return self.unknown("the function that is called never returns", span)
        state, value = ways[-1]
        for other, held in reversed(ways[:-1]):
            state, value = self._meet_values(other, held, state, value)
        if frame.function in self.recursive:
            self.recursive.discard(frame.function)
            value = self.unknown(RECURSION, span)
        returned = state.path
        self.frame = caller
        taskgroups.hand_back(frame, caller)
        after = state.copy()
        after.path, after.exact = before.path, before.exact
        if not value.terms or not any(isinstance(t, FunctionValue) and t.frame == frame.id for t in value.terms):
            if not frame.closures:
                after.drop_frame(frame.id)
        self.state = after
        proved = exists(returned, lambda subject: subject.kind is not Kind.WINDOW and subject.key[0] != "param")
        if state.exact and _nodes(proved) <= 40 and compatible(before.path, proved):
            after.assume(proved)
        return value

    def _meet_values(self, a: State, x: Diagram, b: State, y: Diagram) -> tuple[State, Diagram]:
        if a.dead or b.dead:
            return (b, y) if a.dead else (a, x)
        if a.exact and not compatible(a.path, b.path):
            condition = a.path
        elif b.exact and not compatible(a.path, b.path):
            condition = negate(b.path)
        else:
            condition = self.coin(self.frame_span(), "which way was taken")
        return join(condition, a, b), either(condition, x, y)

    def invoke_closures(self, frame: Frame, ways: list[tuple[State, Diagram]]) -> None:
        """Functions defined here that reach a call site and that nothing called: whoever calls them later, they run."""
        if not self.recording or not ways:
            return
        for closure in frame.closures:
            term = closure.term
            function = term.function
            if isinstance(term, BoundMethod) or function in self.invoked or not self.reaches(function):
                continue
            if function.parent is not frame.function:
                continue
            self.invoked.add(function)
            state = ways[0][0]
            for other, held in ways[1:]:
                state, _ = self._meet_values(other, held, state, held)
            kept, self.state = self.state, state.copy()
            here, self.frame = self.frame, frame
            self.enter(
                function,
                [],
                None,
                function.span,
                term if isinstance(term, FunctionValue) else None,
                frozenset(p.name for p in function.params),
            )
            self.state, self.frame = kept, here

    def reaches(self, function: FunctionInfo) -> bool:
        return function in self.machine.reaching_functions


def _nodes(diagram: Diagram) -> int:
    return sum(1 for _ in walk(diagram))
