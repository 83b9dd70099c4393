"""From a call site to the origin of each of its mask arguments."""

from __future__ import annotations

from dataclasses import dataclass

from fia_lint.algebra.diagram import FALSE, conj, negate
from fia_lint.algebra.terms import Unknown
from fia_lint.evaluate.project import FactsSource
from fia_lint.evaluate.sites import Evaluation, Record, Site
from fia_lint.extract import ir
from fia_lint.extract.deep import deep
from fia_lint.operators import CATALOGUE, EntryPoint
from fia_lint.trace.code import Code, last_name
from fia_lint.trace.expressions import Expressions
from fia_lint.trace.follow import lacks
from fia_lint.trace.resolve import Frame, Resolver
from fia_lint.trace.steps import WHOLE, Key, Step

#: How many partials around each other are looked through.
MAX_PARTIALS = 8

_ROWS: dict[str, EntryPoint] = {row.name: row for row in CATALOGUE}


@dataclass(frozen=True)
class Origin:
    """Where an argument's value came from: ``steps`` from the sources to the call; ``unknown`` says where knowledge ended."""

    steps: tuple[Step, ...]
    unknown: tuple[Unknown, ...] = ()


def _left_out(record: Record, argument: str) -> bool:
    """Whether a call can be reached in some way without the argument."""
    return conj(record.path, negate(record.written[argument])) is not FALSE


def _is_written(record: Record, argument: str) -> bool:
    """Whether a call can be reached in some way with the argument."""
    return conj(record.path, record.written[argument]) is not FALSE


class Tracer:
    """Traces sites of one evaluation. ``paths`` are the files that the evaluation read."""

    def __init__(self, source: FactsSource, paths: list[str], evaluation: Evaluation) -> None:
        self.code = Code(source, paths, evaluation.classes)
        self._resolvers: dict[frozenset[str], Resolver] = {}

    def origin(self, site: Site, argument: str) -> Origin:
        """How a mask argument of a site got its value. Deep code is followed on a stack of its own."""
        steps = deep(lambda: self._steps(site, argument))
        found = {t for record in site.records for t in record.values[argument].terms if isinstance(t, Unknown)}
        return Origin(tuple(steps), tuple(sorted(found, key=lambda term: term.order)))

    def reached(self, site: Site) -> tuple[Step, ...]:
        """The tests that stand around a call in its function."""
        return deep(lambda: self._reached(site))

    def _reached(self, site: Site) -> tuple[Step, ...]:
        start = self.code.call_at(site.key.path, site.key.span)
        if start is None:
            return ()
        call, function, module = start
        frame, trace = Frame(module, function), Expressions(self._resolver(site))
        trace.guarded(self.code.flow(frame.scope).guards_of(call), (), frame, exits=True)
        return tuple(trace.steps.values())

    def _resolver(self, site: Site) -> Resolver:
        concrete = frozenset(record.cls for record in site.records)
        return self._resolvers.setdefault(concrete, Resolver(self.code, concrete))

    def _steps(self, site: Site, argument: str) -> list[Step]:
        trace = Expressions(self._resolver(site), tensor=argument == "atten_mask")
        start = self._frame(site)
        row = _ROWS.get(site.operator)
        if start is None or row is None:
            return []
        call, frame = start
        name = row.spelling.get(argument, argument)
        never = not any(_is_written(record, argument) for record in site.records)
        if not site.records:
            never = site.arguments[argument].default
        if not never:
            self._written(trace, call, frame, name, row)
        if never or any(_left_out(record, argument) for record in site.records):
            trace.emit("unwritten", frame, call.func.span, name, str(row.defaults.get(argument)))
        return list(trace.steps.values())

    def _frame(self, site: Site) -> tuple[ir.Call, Frame] | None:
        """The operator's call, in a frame that knows the calls of wrappers which lead to it."""
        found: tuple[ir.Call, Frame] | None = None
        for place in (site.place, *site.via):
            here = self.code.call_at(place.path, place.span)
            if here is None:
                return found
            call, function, module = here
            found = (call, Frame(module, function, *(found or (None, None))))
        return found

    def _written(self, trace: Expressions, call: ir.Call, frame: Frame, name: str, row: EntryPoint) -> None:
        """The argument as the call has it: by name, by position, out of a dict, or bound before by a partial."""
        arguments = self._arguments(trace, call, frame)
        named = any(given.name == name for given, _ in arguments)
        for given, inside in arguments:
            if given.name == name:
                trace.value(given.value, inside)
                trace.emit("written", inside, given.value.span, name, trace.text(given.value, inside.module))
            elif given.star == "**" and not named:  # a name that is given twice would raise
                before = len(trace.steps)
                trace.value(given.value, inside, (Key(name),))
                if len(trace.steps) > before or not lacks(given.value, (Key(name),)):
                    trace.emit("spread", inside, given.value.span, name, trace.text(given.value, inside.module))
        values = [given.value for given in call.args if not given.name and not given.star]
        for position, value in zip(row.positional, values, strict=False):
            if position == name:
                trace.value(value, frame)
                trace.emit("written", frame, value.span, name, trace.text(value, frame.module))

    def _arguments(self, trace: Expressions, call: ir.Call, frame: Frame) -> list[tuple[ir.Argument, Frame]]:
        """The arguments of a call, those of a partial that it calls first unless the call has them itself."""
        names = {argument.name for argument in call.args if argument.name}
        return [*self._bound(trace, call.func, frame, names), *((argument, frame) for argument in call.args)]

    def _bound(
        self, trace: Expressions, func: ir.Expr, frame: Frame, names: set[str], depth: int = 0
    ) -> list[tuple[ir.Argument, Frame]]:
        """The arguments that partials bind before a call: those of the innermost first, without what is overridden."""
        if not isinstance(func, ir.Name) or depth > MAX_PARTIALS:
            return []
        found = []
        for made, inside in trace.resolver.definitions(func.id, func, frame):
            value = made.value
            if isinstance(value, ir.Call) and last_name(value.func) == "partial" and value.args and not made.want:
                own = [a for a in value.args[1:] if a.star == "**" or a.name and a.name not in names]
                taken = names | {a.name for a in own if a.name}
                found += self._bound(trace, value.args[0].value, inside, taken, depth + 1)
                found += [(argument, inside) for argument in own]
        return found


__all__ = ["Origin", "Tracer", "WHOLE"]
