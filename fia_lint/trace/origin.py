"""From a call site to the origin of each of its mask arguments."""

from __future__ import annotations

from dataclasses import dataclass

from fia_lint.algebra.terms import Unknown
from fia_lint.evaluate.project import FactsSource
from fia_lint.evaluate.sites import Evaluation, Place, Site
from fia_lint.extract import ir
from fia_lint.extract.deep import deep
from fia_lint.operators import CATALOGUE, EntryPoint
from fia_lint.trace.code import Code, last_name
from fia_lint.trace.expressions import Expressions
from fia_lint.trace.resolve import Frame, Resolver
from fia_lint.trace.steps import WHOLE, Key, Step

_ROWS: dict[str, EntryPoint] = {row.name: row for row in CATALOGUE}


@dataclass(frozen=True)
class Origin:
    """Where an argument's value came from: ``steps`` from the sources to the call; ``unknown`` says where knowledge ended."""

    steps: tuple[Step, ...]
    unknown: tuple[Unknown, ...] = ()


class Tracer:
    """Traces sites of one evaluation. ``paths`` are the files that the evaluation read."""

    def __init__(self, source: FactsSource, paths: list[str], evaluation: Evaluation) -> None:
        self.code = Code(source, paths, evaluation.classes)

    def origin(self, site: Site, argument: str) -> Origin:
        """How a mask argument of a site got its value. Deep code is followed on a stack of its own."""
        steps = deep(lambda: self._steps(site, argument))
        found = {t for record in site.records for t in record.values[argument].terms if isinstance(t, Unknown)}
        return Origin(tuple(steps), tuple(sorted(found, key=lambda term: term.order)))

    def reached(self, site: Site) -> tuple[Step, ...]:
        """The tests that stand around a call in its function."""
        start = self.code.call_at(site.key.path, site.key.span)
        if start is None:
            return ()
        call, function, module = start
        frame, trace = Frame(module, function), Expressions(self._resolver(site))
        trace.guarded(self.code.flow(frame.scope).guards_of(call), (), frame, exits=True)
        return tuple(trace.steps.values())

    def _resolver(self, site: Site) -> Resolver:
        return Resolver(self.code, frozenset(record.cls for record in site.records))

    def _steps(self, site: Site, argument: str) -> list[Step]:
        trace = Expressions(self._resolver(site), tensor=argument == "atten_mask")
        start = self._frame(site)
        row = _ROWS.get(site.operator)
        if start is None or row is None:
            return []
        call, frame = start
        name = row.spelling.get(argument, argument)
        self._written(trace, call, frame, name, row)
        steps = list(trace.steps.values())
        if not steps:
            place = Place(frame.module.path, call.span, frame.symbol)
            steps = [Step("unwritten", place, name, str(row.defaults.get(argument)))] if site.arguments[argument].default else []
        return steps

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
        for argument in self._arguments(trace, call, frame):
            given, inside = argument
            if given.name == name:
                trace.value(given.value, inside)
                trace.emit("written", inside, given.value.span, name, trace.text(given.value, inside.module))
            elif given.star == "**":
                before = len(trace.steps)
                trace.value(given.value, inside, (Key(name),))
                if len(trace.steps) > before:
                    trace.emit("spread", inside, given.value.span, name, trace.text(given.value, inside.module))
        values = [given.value for given in call.args if not given.name and not given.star]
        for position, value in zip(row.positional, values, strict=False):
            if position == name:
                trace.value(value, frame)
                trace.emit("written", frame, value.span, name, trace.text(value, frame.module))

    def _arguments(self, trace: Expressions, call: ir.Call, frame: Frame) -> list[tuple[ir.Argument, Frame]]:
        """The arguments of a call, those of a partial that it calls first unless the call has them itself."""
        own = [(argument, frame) for argument in call.args]
        names = {argument.name for argument in call.args if argument.name}
        if not isinstance(call.func, ir.Name):
            return own
        bound = []
        for made, inside in trace.resolver.definitions(call.func.id, call.func, frame):
            if isinstance(made.value, ir.Call) and last_name(made.value.func) == "partial" and not made.want:
                bound += [(a, inside) for a in made.value.args if a.star == "**" or a.name and a.name not in names]
        return [*bound, *own]


__all__ = ["Origin", "Tracer", "WHOLE"]
