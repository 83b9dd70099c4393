"""Calls of the operator and of its wrappers: from a call to a record of a site."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fia_lint.algebra.diagram import FALSE, Diagram, compatible, conj, disj, leaf, map_leaves, negate, rename, simplify, where
from fia_lint.algebra.terms import Const, Extremum, Linear, Subject, Term, Unknown, symbol
from fia_lint.evaluate.calls import Calls
from fia_lint.evaluate.definitions import FunctionInfo
from fia_lint.evaluate.expressions import itself
from fia_lint.evaluate.interpreter import Frame
from fia_lint.evaluate.machine import Reading, Wrapper
from fia_lint.evaluate.sites import Place, Query, Record, Site, SiteKey, Written
from fia_lint.evaluate.values import ABSENT, PARAMETER, PROBE, RECURSION, Bound, ClassValue, FunctionValue, OperatorValue
from fia_lint.evaluate.windows import WINDOW, is_raw
from fia_lint.extract import ir
from fia_lint.operators import MASK_ARGUMENTS, EntryPoint
from fia_lint.spans import Span

#: Why a bound or mode is unknown that is a string, after what it is.
NO_NUMBER = "is not a number of tokens"

#: Why a mask is unknown that is a number or a string.
NO_TENSOR = "a constant where a tensor belongs"


@dataclass
class Collected:
    """A call of the operator as met while a wrapper is followed."""

    site: Site
    record: Record
    place: Place
    chain: tuple[Place, ...]


class Recorder(Calls):
    """The last layer of the interpreter."""

    def operator_call(self, term: OperatorValue, args: list[Bound], span: Span, expr: ir.Call | None) -> Diagram:
        """A call site: evaluate the mask arguments and remember them."""
        row = self.machine.operators[term.name]
        values, written, viewed = self.mask_arguments(row, args)
        site = self._site(row, term.overload, args, span, expr)
        queries = self._queries(row, term.overload, args)
        result = self.fresh_value(span)
        evaluation = 0
        if row.workspace:
            subject = Subject(
                ("query", self.frame.module.path, tuple(span), self.machine.next()), self.text(span), result.term.symbol.kind
            )
            evaluation = self.machine.next()
            self.query_sites[subject] = site.key, evaluation
            self.frame.queries.append(Query(site.key, self.full_path, evaluation))
            result = leaf(symbol(subject))
        if self.recording and not self.state.dead and self.full_path is not FALSE:
            record = Record(
                self.cls, self.entry, self.context, self.full_path, values, written,
                tuple(self.window_tests), queries, captures=self._captures(site.role), bound=self._bound(site.role),
                operator=row.name, evaluation=evaluation, way=self._way(), choice=self.choice,
            )  # fmt: skip
            if self.collector is not None:
                self.collector.append(Collected(site, record, self.place(span), self.open_chain()))
            else:
                self.record(site, record)
        return result

    def record(self, site: Site, record: Record) -> None:
        """Keep a record, with parameters of wrappers unknown and window parameters called the window."""
        if self.feeding is not None and site.role != "update":
            return
        names = {s: WINDOW for s in self._subjects(record) if is_raw(s) and s.text in self.machine.windows}
        values = {a: map_leaves(rename(v, names), self._unless_parameter) for a, v in record.values.items()}
        path = rename(record.path, names)
        written = {a: rename(c, names) for a, c in record.written.items()}
        queries = tuple(query._replace(holds=rename(query.holds, names)) for query in record.queries)
        raw = {a: rename(record.raw.get(a, v), names) for a, v in record.values.items()}
        record = replace(
            record, path=path, raw=raw, values={a: simplify(v, path) for a, v in values.items()}, written=written, queries=queries
        )
        if path is not FALSE:
            self.records.append((site, record))

    @staticmethod
    def _subjects(record: Record) -> set[Subject]:
        found = set(record.path.support)
        for value in (*record.values.values(), *record.written.values(), *(query.holds for query in record.queries)):
            found |= value.support
        return found

    @staticmethod
    def _unless_parameter(term: Term) -> Diagram:
        if any(is_raw(subject) for subject in term.subjects):
            return leaf(Unknown(PARAMETER))
        return leaf(term)

    # ------------------------------------------------------------------------------------------ arguments

    def mask_arguments(self, row: EntryPoint, args: list[Bound]) -> tuple[dict[str, Diagram], dict[str, Diagram], Diagram]:
        """The value of each mask argument, the condition under which it is written, and what the mask is a view of."""
        keywords, rest = self._keywords(args)
        positional, _ = self._positional(args)
        for name, held in zip(row.positional, positional):
            keywords.setdefault(name, held)
        values, written, viewed = {}, {}, leaf(Const(None))
        for argument in MASK_ARGUMENTS:
            held = keywords.get(row.spelling.get(argument, argument), ABSENT)
            if rest is not ABSENT:
                held = rest if held is ABSENT else self.over(held, rest)
            written[argument] = where(held, lambda term: leaf(term) is not ABSENT)
            default = leaf(Const(row.defaults[argument]))
            held = default if held is ABSENT else self.over(held, default)
            if argument == "atten_mask":
                viewed = map_leaves(held, self._tensor)
                values[argument] = map_leaves(held, lambda term, tested=held.support: self._mask(term, tested))
            else:
                values[argument] = map_leaves(held, self._number)
        return values, written, viewed

    def _number(self, term: Term) -> Diagram:
        term = itself(term).term
        if isinstance(term, Const):
            if isinstance(term.value, bool):
                return leaf(Const(int(term.value)))
            if term.value is None or isinstance(term.value, int):
                return leaf(term)
            return leaf(Unknown(f"{term} {NO_NUMBER}"))
        if isinstance(term, (Linear, Extremum, Unknown)):
            return leaf(term)
        return leaf(Unknown(f"{term} is not a number"))

    def _mask(self, term: Term, tested: frozenset[Subject]) -> Diagram:
        """As ``_tensor``. But what a function makes of a parameter is not the parameter itself, unless that is tested."""
        term = itself(term).term
        subject = term.symbol if isinstance(term, Linear) else None
        if subject is not None and is_raw(root := self.root(subject)) and root not in tested and self._is_result(subject):
            return leaf(symbol(Subject(subject.key, subject.text, subject.kind)))
        return self._tensor(term)

    def _tensor(self, term: Term) -> Diagram:
        """A mask as what it is a view of."""
        term = itself(term).term
        if term == Const(None) or isinstance(term, Unknown):
            return leaf(term)
        if isinstance(term, Linear) and term.symbol is not None:
            return leaf(symbol(self.root(term.symbol)))
        return leaf(Unknown(NO_TENSOR)) if isinstance(term, Const) else self.fresh_given(term)

    def _is_result(self, subject: Subject | None) -> bool:
        while subject is not None and subject not in self.machine.results:
            subject = subject.source
        return subject is not None

    def fresh_given(self, term: Term) -> Diagram:
        return leaf(symbol(Subject(("given", str(term), term.order), str(term), self.fresh(self.frame_span()).kind)))

    def _queries(self, row: EntryPoint, overload: str, args: list[Bound]) -> tuple[Query, ...]:
        """The workspace queries whose result this call gets, by dataflow; else those of the same function."""
        if row.workspace or overload != "out":
            return ()
        value = next((a.value for a in args if a.name == "workspace"), None)
        if value is None:
            keywords, _ = self._keywords(args)
            value = keywords.get("workspace")
        found: list[Query] = []
        if value is not None:
            for term in value.terms:
                subject = term.symbol if isinstance(term, Linear) else None
                subject = self.root(subject) if subject is not None else None
                query = self.query_sites.get(subject) if subject is not None else None
                if query is not None:
                    found.append(Query(query[0], where(value, lambda other, wanted=term: other == wanted), query[1]))
        if value is not None and not any(isinstance(t, Linear) and any(is_raw(s) for s in t.subjects) for t in value.terms):
            # A result that went through a cache cannot be followed; where the workspace is nothing that is known, it is that.
            followed = [query.key for query in found]
            elsewhere = disj(*(query.holds for query in found))
            latest = {query.key: query for query in self.frame.queries if query.key not in followed}
            rest = [query._replace(holds=conj(query.holds, negate(elsewhere))) for query in latest.values()]
            found += [query for query in rest if compatible(query.holds, self.full_path)]
        return tuple(found)

    # ------------------------------------------------------------------------------------------ the site

    def _site(self, row: EntryPoint, overload: str, args: list[Bound], span: Span, expr: ir.Call | None) -> Site:
        frame = self.frame
        function = frame.function
        owner = function.owner.key if function is not None and function.owner is not None else frame.module.path
        group = {"module": frame.module.path, "class": owner}.get(self.machine.settings.group_by, frame.module.group)
        in_tests = frame.module.in_tests
        return Site(
            key=SiteKey(frame.module.path, span),
            symbol=frame.symbol,
            owner=owner,
            operator=row.name,
            overload=overload,
            role=self.role(row, overload),
            group=group,
            in_tests=in_tests,
            arguments=written_arguments(row, frame.module.text, expr),
        )

    def role(self, row: EntryPoint, overload: str) -> str:
        """The role of a call in the current frame."""
        if row.workspace:
            return "workspace"
        if self.frame.region or self.frame.around:
            return self.frame.region or self.frame.around
        if overload == "out":
            frame = self.frame.parent
            while frame is not None:
                if (frame.region or frame.around) and frame.module is self.frame.module:
                    return frame.region or frame.around
                frame = frame.parent
        return "eager"

    def _captures(self, role: str) -> tuple[Place, ...]:
        if role != "update":
            return ()
        return tuple(dict.fromkeys(s.place for reading in self._read() for s in reading.candidates))

    def _read(self) -> list[Reading]:
        """The unpackings of stored tuples that can have been met before this point."""
        return [r for r in self.readings if r.candidates and r.reaches(self.state.path)]

    def _bound(self, role: str) -> dict[str, Diagram]:
        """The parameters that tell ways of reaching a site apart: its function's, or those of the capture that feeds it."""
        if role == "update" and (read := self._read()):
            return read[-1].candidates[0].bound
        bound = self.frame.bound
        for turn in self.frame.turns:
            bound = {**bound, **turn.bound}
        return bound

    def _way(self) -> tuple[str, ...]:
        """The lines of the calls and the turns of the loops that lead here, from the entry on."""
        words: list[str] = []
        # The first two frames are that of the module and that of the entry.
        for depth, frame in enumerate(reversed(self.stack())):
            words += [f"called in line {frame.line}"] if depth > 1 else []
            words += [f"turn {turn.number} of the loop in line {turn.line}" for turn in frame.turns]
        return tuple(words)

    def open_chain(self) -> tuple[Place, ...]:
        """The calls from the outermost wrapper's call (exclusive) down to the current frame."""
        return tuple(self.calls_open[2:])

    # ------------------------------------------------------------------------------------------ wrappers

    def wrapper_of(self, function: FunctionInfo) -> Wrapper | None:
        """What of a function's parameters reaches mask arguments, or None if nothing does."""
        if function not in self.machine.reaching_functions:
            return None
        if id(function) not in self.machine.wrappers:
            self.machine.wrappers[id(function)] = None
            self.machine.wrappers[id(function)] = self._analyse(function)
        return self.machine.wrappers[id(function)]

    def _analyse(self, function: FunctionInfo) -> Wrapper | None:
        probe = type(self)(self.machine, self.cls, PROBE)
        probe.collector = []
        probe.storing = False
        probe.frame = Frame(self.machine.next(), function.module, None)
        receiver = None
        if function.binding in ("method", "property") and function.owner is not None:
            receiver = probe.self_object(function.owner)
        elif function.binding == "class" and function.owner is not None:
            receiver = leaf(ClassValue(function.owner))
        names = [p.name for p in function.params]
        raw = frozenset(names[1:] if receiver is not None else names)
        probe.enter(function, [], receiver, function.span, None, raw)
        reaches: dict[SiteKey, dict[str, set[str]]] = {}
        for found in probe.collector:
            for argument, value in found.record.values.items():
                params = self._own_params(function, value)
                if params:
                    reaches.setdefault(found.site.key, {}).setdefault(argument, set()).update(params)
        if not reaches:
            return None
        merged: dict[str, set[str]] = {}
        for per_site in reaches.values():
            for argument, params in per_site.items():
                merged.setdefault(argument, set()).update(params)
        inside = {found.site.key: found for found in probe.collector if found.site.key in reaches}
        return Wrapper(tuple((a, frozenset(p)) for a, p in sorted(merged.items())), frozenset(reaches), tuple(inside.values()))

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
        """What reaches the sites of a function that is not followed any further is not known, but that it does is."""
        wrapper = self.wrapper_of(function) if self.reaches(function) and self.recording else None
        if self.collector is None and self.reaches(function) and reason != RECURSION:
            # The calls inside are looked at by an evaluation of their own.
            self.machine.too_deep.setdefault((function, self.receiver_class(function, receiver)))
        if wrapper is None:
            return
        if self.collector is not None:
            self.collector += self._beyond(wrapper, function, args, receiver, value, self.unknown(reason, span))
        elif expr is not None:
            inner = self._beyond(wrapper, function, args, receiver, value, self.unknown(reason, span))
            self._record_via(wrapper, inner, span, expr, self.frame.region)

    def _beyond(
        self,
        wrapper: Wrapper,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        value: FunctionValue | None,
        lost: Diagram,
    ) -> list[Collected]:
        """The calls inside a wrapper, with what its parameters reach unknown; for a probe, with the parameters that are given."""
        bound = self.bind_arguments(function, args, receiver, value, self.frame)
        collected = []
        for found in wrapper.inside:
            values = dict(found.record.values)
            for argument, params in wrapper.reaches:
                given = [bound[p] for p in sorted(params) if p in bound]
                raw = next((v for v in given if any(is_raw(s) for s in v.subjects)), lost)
                values[argument] = raw if self.entry == PROBE else lost
            record = replace(
                found.record, cls=self.cls, entry=self.entry, context=self.context, path=self.full_path, values=values, queries=()
            )
            collected.append(Collected(found.site, record, found.place, (*self.open_chain(), *found.chain)))
        return collected

    @staticmethod
    def _own_params(function: FunctionInfo, value: Diagram) -> set[str]:
        home = (function.module.path, function.qualname, tuple(function.span))
        found = {s.text for s in value.subjects if is_raw(s) and s.key[1:4] == home}
        for term in value.terms:
            if isinstance(term, Unknown) and term.reason == PARAMETER and term.path == function.module.path:
                found.update(p.name for p in function.params if p.kind in ("*", "**") and p.span.line == term.line)
        return found

    def wrapper_call(
        self,
        wrapper: Wrapper,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        span: Span,
        expr: ir.Call,
        value: FunctionValue | None,
    ) -> Diagram:
        """Follow a wrapper twice: with its arguments, for the site of this call; with its parameters, for the calls inside."""
        before = self.state.copy()
        here, place = self.frame, self.place(span)
        own_role = self.frame.region
        self.collector, self.calls_open = [], [place]
        result = self.enter(function, args, receiver, span, value)
        collected, self.collector, self.calls_open = self.collector, None, []
        after = self.state
        inner = [c for c in collected if c.site.key in wrapper.sites]
        inner = [c for c in inner if c.site.role != "workspace"] or inner
        if inner:
            self._record_via(wrapper, inner, span, expr, own_role)
        storing, self.storing = self.storing, False
        self.state = before
        self.enter(function, args, receiver, span, value, wrapper.params)
        self.storing = storing
        self.frame, self.state = here, after
        return result

    def carrier_call(
        self,
        function: FunctionInfo,
        args: list[Bound],
        receiver: Diagram | None,
        span: Span,
        expr: ir.Call,
        value: FunctionValue | None,
    ) -> Diagram:
        """Follow a function that the operator itself is handed to: what it calls with it is a site of this call."""
        own_role = self.frame.region
        self.collector, self.calls_open = [], [self.place(span)]
        result = self.enter(function, args, receiver, span, value)
        collected, self.collector, self.calls_open = self.collector, None, []
        inner = [c for c in collected if c.site.role != "workspace"] or collected
        if inner:
            self._record_via(Wrapper((), frozenset()), inner, span, expr, own_role)
        return result

    def _record_via(self, wrapper: Wrapper, inner: list[Collected], span: Span, expr: ir.Call, own_role: str) -> None:
        first = inner[0]
        row = self.machine.operators[first.site.operator]
        site = self._site(row, first.site.overload, [], span, expr)
        site.role = own_role or first.site.role
        site.arguments = self._via_arguments(wrapper, row, expr, inner)
        site.via = (*first.chain, first.place)
        site.own = wrapper.arguments or site.own
        for found in inner:
            self.record(site, found.record)

    def _via_arguments(self, wrapper: Wrapper, row: EntryPoint, expr: ir.Call, inner: list[Collected]) -> dict[str, Written]:
        written = written_arguments(row, self.frame.module.text, expr)
        for argument, params in wrapper.reaches:
            for given in expr.args:
                if given.name in params and written[argument].span is None:
                    written[argument] = Written(self.frame.module.text(given.value.span), given.value.span, False)
        for argument in MASK_ARGUMENTS:
            if written[argument].span is None:
                default = all(c.record.written[argument] is FALSE for c in inner)
                written[argument] = Written(None, None, default)
        return written


def written_arguments(row: EntryPoint, text, expr: ir.Call | None) -> dict[str, Written]:
    """How the mask arguments are written in a call expression."""
    found = {}
    given = {a.name: a for a in expr.args if a.name} if expr is not None else {}
    spread = expr is None or any(a.star for a in expr.args)
    for argument in MASK_ARGUMENTS:
        held = given.get(row.spelling.get(argument, argument))
        if held is not None:
            found[argument] = Written(text(held.value.span), held.value.span, False)
        else:
            found[argument] = Written(None, None, not spread)
    return found
