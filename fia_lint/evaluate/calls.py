"""Calls: who is called, what is bound to which parameter, and what comes back."""

from __future__ import annotations

from dataclasses import replace

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, Work, compatible, exists, leaf, negate, walk, where
from fia_lint.algebra.terms import Const, Kind, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate import modules, taskgroups
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo
from fia_lint.evaluate.interpreter import Frame, TooMuchWork
from fia_lint.evaluate.methods import Methods
from fia_lint.evaluate.scopes import dotted, walk_all
from fia_lint.evaluate.state import State, join
from fia_lint.evaluate.values import (
    ABSENT,
    MIXED,
    NONE,
    PARAMETER,
    PROBE,
    RECURSION,
    Bound,
    BoundMethod,
    Builtin,
    ClassValue,
    External,
    FunctionValue,
    MethodOf,
    Object,
    OperatorValue,
    PartialValue,
    Ref,
    SuperValue,
    either,
    text_constant,
)
from fia_lint.evaluate.windows import THE_WINDOW, WINDOW
from fia_lint.extract import ir
from fia_lint.spans import Span

#: How far a call that leads to no call site is followed: statements, and steps of the algebra.
_SIDE_STEPS, _SIDE_WORK = 300, 6_000

#: From functions that are more calls than this away from every call site, other calls are not followed.
_FAR = 3


class Calls(Methods):
    """Calls of functions of the tree are followed; the rest gives opaque results and may change what it gets."""

    def eval_Call(self, expr: ir.Call) -> Diagram:
        self._task_group(expr)
        if isinstance(expr.func, ir.Name) and expr.func.id == "super" and not expr.args:
            return self._super()
        func = self.callee(expr.func)
        args = []
        for index, argument in enumerate(expr.args):
            take = self.consumed if argument.star or all(isinstance(t, Builtin) for t in func.terms) else self.eval
            args.append(Bound(take(argument.value), argument.name, argument.star, index))
        if self.state.dead:
            return self.unknown("never returns", expr.span)
        return self.call(func, args, expr.span, expr)

    def callee(self, expr: ir.Expr) -> Diagram:
        """What is called. A method of an unknown object stays tied to it: ``m.to(…)`` is a view of ``m``."""
        if not isinstance(expr, ir.Attribute):
            return self.raw(expr)
        owner = self.eval(expr.value)

        def of(term: Term) -> Diagram:
            if isinstance(term, Linear) and term.symbol is not None and expr.attr not in self.machine.operators:
                laid = self.state.overlay.get((term.symbol.key, expr.attr))
                cls = self.types.get(term.symbol) or self.machine.types.get(term.symbol)
                if laid is None and (cls is None or cls.find(expr.attr) is None):
                    return leaf(MethodOf(leaf(term), expr.attr))
            value = self.attribute_of(term, expr.attr, expr.span)
            return self.fresh_value(expr.span) if value is THE_WINDOW else value

        if len(owner.terms) > 1 and Const(None) in owner.terms:
            self.state.assume(where(owner, lambda term: term != Const(None)))
            return self.each_case(owner, lambda t: of(t) if t != Const(None) else self.nothing_there(expr.span))
        return self.each_case(owner, of)

    def call(self, func: Diagram, args: list[Bound], span: Span, expr: ir.Call | None = None) -> Diagram:
        """Call a value with evaluated arguments."""
        if len(func.terms) == 1:
            return self.call_term(func.terms[0], args, span, expr)
        before, self.choice = self.choice, self.machine.next()
        try:
            return self.each_case(func, lambda term: self.call_term(term, args, span, expr))
        finally:
            self.choice = before

    def _task_group(self, expr: ir.Call) -> None:
        func = expr.func
        taskgroups.note(self.frame, func.attr if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else "")

    def _super(self) -> Diagram:
        frame: Frame | None = self.frame
        function = frame.function if frame else None
        while function is not None and function.parent is not None:
            function = function.parent
        if function is None or function.owner is None or not function.params or self.frame.cls is None:
            return leaf(External("super()"))
        receiver = self.lookup(function.params[0].name, self.frame_span())
        return leaf(SuperValue(receiver, self.frame.cls, function.owner))

    def call_term(self, term: Term, args: list[Bound], span: Span, expr: ir.Call | None) -> Diagram:
        if isinstance(term, OperatorValue):
            return self.operator_call(term, args, span, expr)
        if isinstance(term, FunctionValue):
            return self.call_function(term.function, args, None, span, expr, term)
        if isinstance(term, BoundMethod):
            return self.call_function(term.function, args, term.receiver, span, expr)
        if isinstance(term, ClassValue):
            return self.instantiate(term.cls, args, span)
        if isinstance(term, PartialValue):
            return self.call(term.func, [*self._kept_by(term, args), *args], span, expr)
        if isinstance(term, Builtin):
            return self.builtin(term.name, args, span, expr)
        if isinstance(term, MethodOf):
            return self.method_call(term, args, span, expr)
        if isinstance(term, External):
            if expr is None or not isinstance(expr.func, ir.Attribute):
                taskgroups.note(self.frame, term.dotted.rpartition(".")[2])
            return self.external(term, args, span, expr)
        if isinstance(term, Ref) and term.kind == "instance":
            thing = self.object(term)
            method = thing.cls.find("__call__") if thing.cls else None
            if method is not None:
                return self.call_function(method, args, leaf(term), span, expr)
        if isinstance(term, Linear) and term.symbol is not None:
            cls = self.types.get(term.symbol) or self.machine.types.get(term.symbol)
            method = cls.find("__call__") if cls is not None and not cls.overrides("__call__") else None
            if method is not None:
                return self.call_function(method, args, leaf(term), span, expr)
        if isinstance(term, Unknown):
            self.escape_all(args)
            return self.fresh_value(span)
        return self.opaque_call(args, span, expr)

    def _kept_by(self, term: PartialValue, args: list[Bound]) -> list[Bound]:
        """The arguments that a partial object adds in front: a keyword of the call, ``**`` included, replaces one of its own."""
        given = {a.name for a in args if a.name}
        rest = self._keywords([a for a in args if a.star == "**"])[1]
        kept = [a for a in term.args if a.name is None or a.name not in given]
        return kept if rest is ABSENT else [replace(a, value=self.over(rest, a.value)) if a.name else a for a in kept]

    def method_call(self, term: MethodOf, args: list[Bound], span: Span, expr: ir.Call | None) -> Diagram:
        """A method of something: of a container, of the only class that has such a method, or of an unknown object."""
        receiver = term.receiver.term if term.receiver.is_leaf else None
        if isinstance(receiver, Linear) and receiver.symbol is not None:
            known = self.containers.get(receiver.symbol)
            if known is not None:
                found = self._container_method(*known, term.name, args, span)
                if found is not None:
                    return found
            unique = self.by_unique_name(receiver.symbol, args, expr)
            if unique is not None:
                return self.call_function(unique[0], args, unique[1], span, expr)
            return self.opaque_call(args, span, expr, receiver.symbol)
        if isinstance(receiver, External):
            unique = self.by_unique_name(None, args, expr)
            if unique is not None:
                return self.call_function(unique[0], args, unique[1], span, expr)
        return self.method(term, args, span, expr)

    def by_unique_name(
        self, subject: Subject | None, args: list[Bound], expr: ir.Call | None
    ) -> tuple[FunctionInfo, Diagram | None] | None:
        """The only function of that name in the tree that reaches a call site and takes such arguments."""
        if (
            expr is None
            or not isinstance(expr.func, ir.Attribute)
            or expr.func.attr not in self.machine.reaching
            or expr.func.attr in self.machine.common
        ):
            return None
        named = [f for f in self.machine.by_name.get(expr.func.attr, []) if _takes(f, args) and f.owner is not None]
        if len(named) != 1 or len(self.machine.by_name[expr.func.attr]) != 1:
            return None
        if named[0].module.group != self.frame.module.group:
            return None
        if named[0].binding == "static" or subject is None:
            return named[0], None
        return named[0], leaf(symbol(subject))

    # ------------------------------------------------------------------------------------------ following

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
        stack = self.stack()
        if sum(1 for frame in stack if frame.function is function) > 0:
            self.forget_effects(function, args, receiver)
            self.recursive.add(function)
            self.not_followed(function, args, receiver, span, expr, value, RECURSION)
            return self.unknown(RECURSION, span)
        # The first two frames are that of the module and that of the entry.
        if len(stack) > self.machine.settings.max_depth + 1 + (8 if function.name in self.machine.reaching else 0):
            self.bound_hit.add(function)
            self.forget_effects(function, args, receiver)
            reason = f"calls are followed {self.machine.settings.max_depth} deep (max-depth)"
            self.not_followed(function, args, receiver, span, expr, value, reason)
            return self.unknown(reason, span)
        if function.owner is not None and function.parent is None:
            for decorator in getattr(function.node, "decorators", []):
                if not modules.passes_through(self.machine, decorator, function):
                    self.forget_effects(function, args, receiver)
                    reason = f"{function.name} is changed by a decorator"
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
        self.escape_closure(function, value)
        self.forget_effects(function, args, receiver)
        if self.reaches(function):
            frame, after, region = self.frame, self.state.copy(), (self.frame.region, self.frame.closes)
            self.enter(function, args, receiver, span, value)
            self.frame, self.state = frame, after
            frame.region, frame.closes = region
        made = self.fresh_value(span)
        self.generators[made.term] = function
        return made

    def escape_closure(self, function: FunctionInfo, value: FunctionValue | None) -> None:
        """Code that runs at another time may change what it sees of the functions around it."""
        for name in sorted(function.free_names):
            kept = self.frame
            home = self.closure_frame(function, value, name)
            held = self.state.get(home, name) if home is not None else None
            if held is not None:
                if name in _rebound_outside(function):
                    self.state.set(home, name, self.unknown("set by a function that runs at another time", self.frame_span()))
                elif not any(isinstance(t, Ref) and self.object(t).source == ("self",) for t in held.terms):
                    self.escape(held, "seen by a function that runs at another time")
            self.frame = kept

    def closure_frame(self, function: FunctionInfo, value: FunctionValue | None, name: str) -> int | None:
        """The frame of the enclosing activation that binds a free name of a function."""
        parent, frame = function.parent, value.frame if value is not None else None
        while parent is not None and frame is not None:
            if name in parent.local_names:
                return frame
            parent, frame = parent.parent, self.parents.get(frame)
        return None

    def aside(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, span: Span, value: FunctionValue | None
    ) -> Diagram:
        """Follow a function that leads to no call site, as far as a bound on the work allows."""
        if self.far_from_sites():
            self.forget_effects(function, args, receiver)
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
            self.forget_effects(function, args, receiver)
            return self.unknown(f"following {function.name} takes more steps than the bound allows", span)
        finally:
            self.limit = None

    def _view(self, function: FunctionInfo, result: Diagram, args: list[Bound], span: Span) -> Diagram:
        """What a function makes of one tensor, as far as it is opaque, is a view of that tensor."""
        given = args[0].value.terms if len(args) == 1 and not args[0].star else ()
        subject = given[0].symbol if len(given) == 1 and isinstance(given[0], Linear) else None
        made = result.term.symbol if result.is_leaf and isinstance(result.term, Linear) else None
        lost = made is not None and made.key[0] == "opaque" and made.key[1] != MIXED and made.source is None
        params = {param.name for param in function.params[1 if function.binding in ("method", "class") else 0 :]}
        if subject is not None and lost and any(isinstance(i, ir.Name) and i.id in params for i in function.items):
            return self._result_of(subject, span)
        return result

    def _result_of(self, subject: Subject, span: Span) -> Diagram:
        """What a function makes of a tensor: as much there as the tensor is, but not the tensor itself."""
        made = self.fresh(span, source=subject)
        self.machine.results.add(made)
        return leaf(symbol(made))

    def far_from_sites(self) -> bool:
        """Whether the current function only leads to call sites through several others: then details do not matter."""
        function = self.frame.function
        return function is not None and self.machine.distance.get(function, 0) > _FAR

    def forget_effects(self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None) -> None:
        """What a function that is not followed may have changed is not known any more."""
        self.escape_all(args)
        self._forget_attributes(function, receiver)
        self._forget_globals(function)

    def _forget_globals(self, function: FunctionInfo) -> None:
        """The names under ``global`` that it, or what it may call, assigns."""
        for path, name in sorted(self._globals_set_by(function)):
            reason = f"assigned in {function.name}, which is not followed"
            self.state.lay((("global", path), name), self.unknown(reason, self.frame_span()))

    def _globals_set_by(self, function: FunctionInfo) -> frozenset[tuple[str, str]]:
        """Names under ``global``, by module, that a function assigns, or one that it calls by name."""
        known = self.machine.globals_set
        if function not in known:
            found: set[tuple[str, str]] = set()
            pending, seen = [function], {function}
            for each in pending:
                found.update((each.module.path, name) for name in _rebound_outside(each) if name in each.module.rebound_names)
                more = [f for call in each.calls for f in self._named(call.func, each) if f not in seen]
                pending += more
                seen.update(more)
            known[function] = frozenset(found)
        return known[function]

    def _named(self, callee: ir.Expr, function: FunctionInfo) -> list[FunctionInfo]:
        """The functions that a callee is called after: of the module, imported, or a method of the own class."""
        if isinstance(callee, ir.Attribute) and isinstance(callee.value, ir.Name) and function.owner is not None:
            if function.params and callee.value.id == function.params[0].name:
                method = function.owner.find(callee.attr)
                return [method] if method is not None else []
        if dotted(callee) is None:
            return []
        value = modules.static_value(self.machine, callee, function.module)
        return [t.function for t in value.terms if isinstance(t, FunctionValue)] if value is not None else []

    def _forget_attributes(self, function: FunctionInfo, receiver: Diagram | None) -> None:
        """The attributes of self that a method may have assigned."""
        if receiver is None or not receiver.is_leaf or not isinstance(receiver.term, Ref) or function.owner is None:
            return
        thing = self.object(receiver.term)
        for cls in function.owner.mro():
            for attr in sorted(cls.attribute_writes):
                thing = thing.with_field(
                    attr, self.unknown(f"assigned in {function.name}, which is not followed", self.frame_span())
                )
        self.state.store(receiver.term.address, thing)

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

    def self_object(self, cls: ClassInfo) -> Diagram:
        """An instance of which only the class is known."""
        return self.allocate(Object("instance", cls=cls, source=("self",)))

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

    def parameter(self, function: FunctionInfo, param: ir.Parameter) -> Diagram:
        """A parameter of which nothing is known but its name."""
        if param.kind == "**":
            return self.allocate(Object("dict", rest=self.unknown(PARAMETER, param.span)))
        if param.kind == "*":
            return self.allocate(Object("tuple", None, rest=self.unknown(PARAMETER, param.span)))
        kind = "init" if self.entry.startswith("init ") else "param"
        if kind == "init" and param.name in self.machine.windows:
            return leaf(symbol(WINDOW))
        subject = Subject(
            (kind, function.module.path, function.qualname, tuple(function.span), param.name),
            param.name,
            Kind.LAYER if kind == "init" else Kind.LOCAL,
        )
        return leaf(symbol(subject))

    def receiver_class(self, function: FunctionInfo, receiver: Diagram | None) -> ClassInfo | None:
        """The concrete class on which a method runs."""
        if receiver is not None and receiver.is_leaf:
            term = receiver.term
            if isinstance(term, Ref) and term.kind == "instance":
                return self.object(term).cls or function.owner
            if isinstance(term, ClassValue):
                return term.cls
            if isinstance(term, Linear) and term.symbol is not None:
                return self.types.get(term.symbol) or self.machine.types.get(term.symbol) or function.owner
        return function.owner

    # ------------------------------------------------------------------------------------------ arguments

    def bind_arguments(
        self, function: FunctionInfo, args: list[Bound], receiver: Diagram | None, value: FunctionValue | None, frame: Frame
    ) -> dict[str, Diagram]:
        """Parameter names to values: positional, keyword, starred, defaults. What cannot be told is unknown."""
        params = function.params
        names = [p.name for p in params if p.kind in ("positional", "normal")]
        bound: dict[str, Diagram] = {}
        if receiver is not None and function.binding in ("method", "class", "property") and names:
            first = names.pop(0)
            bound[first] = self._as_class(receiver, function) if function.binding == "class" else receiver
        positional, lost = self._positional(args)
        for name, held in zip(names, positional):
            bound[name] = held
        extra = positional[len(names) :]
        if lost is not None:
            for name in names[len(positional) :]:
                bound.setdefault(name, lost)
        keywords, rest = self._keywords(args)
        known = {p.name for p in params if p.kind in ("normal", "keyword")}
        for name in list(keywords):
            if name in known:
                bound[name] = keywords.pop(name)
        self._bind_defaults(function, bound, rest, value)
        for param in params:
            if param.kind == "*":
                bound[param.name] = self.allocate(Object("tuple", None if lost is not None else tuple(extra)))
            elif param.kind == "**":
                fields = {_key(name): held for name, held in keywords.items()}
                bound[param.name] = self.allocate(Object("dict", None, fields, rest))
        return bound

    def _as_class(self, receiver: Diagram, function: FunctionInfo) -> Diagram:
        cls = self.receiver_class(function, receiver)
        return leaf(ClassValue(cls)) if cls is not None else receiver

    def _bind_defaults(
        self, function: FunctionInfo, bound: dict[str, Diagram], rest: Diagram, value: FunctionValue | None
    ) -> None:
        for param in function.params:
            if param.kind in ("*", "**"):
                continue
            held = bound.get(param.name, ABSENT)
            if held is ABSENT and rest is not ABSENT and param.kind != "positional":
                held = rest
            if ABSENT.term in held.terms:
                default = self._default(function, param, value)
                held = default if held is ABSENT else self.over(held, default)
            bound[param.name] = held

    def _default(self, function: FunctionInfo, param: ir.Parameter, value: FunctionValue | None) -> Diagram:
        if param.default is None:
            return ABSENT
        if value is not None:
            for name, held in value.defaults:
                if name == param.name:
                    return held
        return self.in_module(function, param.default)

    def _positional(self, args: list[Bound]) -> tuple[list[Diagram], Diagram | None]:
        """The positional values, and an unknown for those after a starred argument of unknown length."""
        found: list[Diagram] = []
        for argument in args:
            if argument.star == "*":
                items = self.spread(argument.value)
                if items is None:
                    for term in argument.value.terms:
                        if isinstance(term, Ref) and self.object(term).rest is not ABSENT:
                            return found, self.object(term).rest
                    return found, leaf(
                        Unknown("a starred argument of unknown length", self.frame.module.path, self.frame_span().line)
                    )
                found.extend(items)
            elif argument.star == "" and argument.name is None:
                found.append(argument.value)
        return found, None

    def _keywords(self, args: list[Bound]) -> tuple[dict[str, Diagram], Diagram]:
        """The keyword values by name, and what any other keyword holds."""
        found: dict[str, Diagram] = {}
        rest: Diagram = ABSENT
        for argument in args:
            if argument.star == "**":
                thing = self.as_dict(argument.value, ir.Name(self.frame_span(), "**"))
                for key, held in thing.fields.items():
                    name = _name(key)
                    if name is not None:
                        found[name] = self.over(held, found.get(name, ABSENT))
                if thing.rest is not ABSENT:
                    rest = self.over(thing.rest, rest)
            elif argument.name is not None:
                found[argument.name] = argument.value
        return found, rest

    # ------------------------------------------------------------------------------------------ classes

    def instantiate(self, cls: ClassInfo, args: list[Bound], span: Span) -> Diagram:
        """A new object of a class of the tree."""
        modules.link_class(self.machine, cls)
        if cls.is_enum:
            return self.fresh_value(span)
        init = cls.find("__init__")
        if init is None and cls.fields_kind:
            return self._record(cls, args, span)
        made = self.allocate(Object("instance", cls=cls, source=("made", tuple(span))))
        if init is not None and len(self.stack()) <= self.machine.settings.max_depth:
            self.call_function(init, args, made, span)
        elif init is None:
            self.escape_all(args)
        return made

    def _record(self, cls: ClassInfo, args: list[Bound], span: Span) -> Diagram:
        positional, lost = self._positional(args)
        keywords, rest = self._keywords(args)
        fields: dict[object, Diagram] = {}
        only_init: list[Bound] = []
        for name, default, annotation in cls.declared_fields():
            options = {a.name: a.value for a in default.args} if isinstance(default, ir.Call) else {}
            if _is(options.get("init"), False):
                fields[name] = self._field_default(cls, default)
                if fields[name] is ABSENT:
                    del fields[name]
                continue
            if positional and not _is(options.get("kw_only"), True) and not cls.keywords_only:
                fields[name] = positional.pop(0)
            elif name in keywords:
                fields[name] = keywords[name]
            elif lost is not None or rest is not ABSENT:
                fields[name] = lost if lost is not None else rest
            else:
                fields[name] = self._field_default(cls, default)
            if fields[name] is ABSENT:
                fields[name] = self.unknown(f"the field {name} is not given", span)
            fields[name] = self.windowed(name, fields[name])
            if annotation is not None and "InitVar" in cls.module.text(annotation.span):
                only_init.append(Bound(fields.pop(name)))
        items = tuple(fields.values()) if cls.fields_kind == "namedtuple" else None
        made = self.allocate(Object("instance", items, fields, cls=cls, source=("made", tuple(span))))
        post = cls.find("__post_init__")
        if post is not None and cls.fields_kind == "dataclass":
            self.call_function(post, only_init, made, span)
        if made.is_leaf and isinstance(made.term, Ref):
            self.made.append((cls, self.object(made.term).fields))
        return made

    def _field_default(self, cls: ClassInfo, default: ir.Expr | None) -> Diagram:
        if default is None:
            return ABSENT
        if isinstance(default, ir.Call) and (dotted(default.func) or "").rpartition(".")[2] in ("field", "attrib", "ib"):
            for argument in default.args:
                if argument.name == "default":
                    return self.in_class(cls, argument.value)
                if argument.name == "default_factory":
                    return self.call(self.in_class(cls, argument.value), [], default.span)
            return ABSENT
        return self.in_class(cls, default)

    # ------------------------------------------------------------------------------------------ the rest

    def opaque_call(self, args: list[Bound], span: Span, expr: ir.Call | None, source: Subject | None = None) -> Diagram:
        """A call that is not followed: what it gets may change, what it gives is opaque."""
        self.escape_all(args)
        if source is None and args and not args[0].star:
            first = args[0].value
            if len(first.terms) == 1 and isinstance(first.terms[0], Linear) and first.terms[0].symbol is not None:
                return self._result_of(first.terms[0].symbol, span)
        return self.fresh_value(span, source=source)

    def escape_all(self, args: list[Bound]) -> None:
        """Arguments go to code that is not followed. ``**d`` hands over a copy: ``d`` itself stays as it is."""
        for argument in args:
            if argument.star:
                continue
            self.escape(argument.value)
            for term in argument.value.terms:
                if isinstance(term, (FunctionValue, BoundMethod)):
                    self.frame.closures.append(leaf(term))
                if isinstance(term, FunctionValue):
                    self.escape_closure(term.function, term)

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

    def in_module(self, function: FunctionInfo, expr: ir.Expr) -> Diagram:
        """A default value, evaluated where the function is defined."""
        kept, state = self.frame, self.state
        self.frame = Frame(self.machine.next(), function.module, None, self.state.path, parent=kept)
        value = self.eval(expr)
        self.frame = kept
        return value if self.state is state else value

    def in_class(self, cls: ClassInfo, expr: ir.Expr) -> Diagram:
        """An expression of a class body."""
        names = modules._once(self.machine.bodies, ("class", id(cls)), lambda: self.machine.run_class(cls))
        kept = self.frame
        self.frame = Frame(self.machine.next(), cls.module, None, self.state.path, parent=kept)
        for name, value in (names or {}).items():
            self.state.set(self.frame.id, name, value)
        value = self.eval(expr)
        self.frame = kept
        return value


def _takes(function: FunctionInfo, args: list[Bound]) -> bool:
    """Whether a function can be called with such arguments (receiver not counted)."""
    params = function.params[1:] if function.binding in ("method", "class") else function.params
    names = {p.name for p in params if p.kind in ("normal", "keyword")}
    kinds = {p.kind for p in params}
    places = sum(1 for p in params if p.kind in ("normal", "positional"))
    if "**" not in kinds and any(a.name and a.name not in names for a in args):
        return False
    if "*" not in kinds and sum(1 for a in args if a.name is None and not a.star) > places:
        return False
    if any(a.star for a in args):
        return True
    given = {a.name for a in args if a.name} | {p.name for p in params[: sum(1 for a in args if a.name is None)]}
    return all(p.default is not None or p.kind in ("*", "**") or p.name in given for p in params)


def _is(expr: ir.Expr | None, value: bool) -> bool:
    return isinstance(expr, ir.Constant) and expr.value is value


def _rebound_outside(function: FunctionInfo) -> set[str]:
    """Names that a function, or one inside it, declares ``nonlocal`` or ``global``."""
    body = function.node.body if isinstance(function.node, ir.FunctionDef) else [function.node.body]
    return {name for item in walk_all(body) if isinstance(item, ir.Scope) for name in item.names}


def _nodes(diagram: Diagram) -> int:
    return sum(1 for _ in walk(diagram))


def _key(name: str) -> object:
    return text_constant(name).value


def _name(key: object) -> str | None:
    text = getattr(key, "text", None)
    return text[1:-1] if isinstance(text, str) and text[:1] in ("'", '"') else None
