"""The order of evaluations: module bodies and constructors on demand, entries first, then code that reads captured values."""

from __future__ import annotations

from dataclasses import replace

from fia_lint.algebra.diagram import FALSE, TRUE, Budget, Diagram, Work, conj, leaf, start_afresh, test
from fia_lint.algebra.region import identical
from fia_lint.algebra.terms import Const, Kind, Linear, Subject
from fia_lint.evaluate import replay, statements
from fia_lint.evaluate.callees import outermost
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Maker, Module
from fia_lint.evaluate.interpreter import Frame, TooMuchWork
from fia_lint.evaluate.machine import Machine
from fia_lint.evaluate.project import FactsSource, Project
from fia_lint.evaluate.reach import Reach
from fia_lint.evaluate.recording import Recorder, written_arguments
from fia_lint.evaluate.scopes import walk_all, walk_scope
from fia_lint.evaluate.sites import ClassFacts, Evaluation, Record, Site, SiteKey
from fia_lint.evaluate.values import ClassValue, unknown
from fia_lint.extract import ir
from fia_lint.operators import MASK_ARGUMENTS
from fia_lint.settings import Settings

#: How much of a constructor is followed: statements, and steps of the algebra.
_INIT_STEPS, _INIT_WORK = 1500, 30_000


def evaluate(source: FactsSource, settings: Settings) -> Evaluation:
    """Every call site of the tree, with a symbolic value per mask argument, in path and line order."""
    start_afresh()
    Budget.terms, Budget.nodes = settings.max_terms, settings.max_nodes
    machine = Machine(Project(source), settings)
    return Driver(machine).run()


class Driver:
    """Runs evaluations and gathers their records."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        machine.run_module = self.module_names
        machine.run_class = self.class_names
        machine.run_init = self.constructed
        machine.run_maker = self.made_by
        self.sites: dict[SiteKey, Site] = {}
        #: Evaluations of workspace queries: the one that is kept of those that say the same.
        self.evaluations: dict[int, int] = {}
        self.captures: list[tuple[int, Site, Record]] = []

    def run(self) -> Evaluation:
        reach = Reach(self.machine)
        reach.run()
        entries = reach.entries()
        runs = [self.enter(function, cls) for function, cls in entries if function not in reach.guessed]
        runs += [run for module in reach.modules for run in self.module_entry(module, reach)]
        met = self._called(runs)
        guessed = [(function, cls) for function, cls in entries if function in reach.guessed]
        runs += [self.enter(f, cls) for f, cls in guessed if (f, self._key(f, cls)) not in met]
        runs = self._without_called(runs, reach)
        runs += self._too_deep()
        self.machine.slots.clear()
        self.captures = [
            (run.recorder.context, site, record)
            for run in runs
            for site, record in run.recorder.records
            if site.role == "capture"
        ]
        runs = [again for run in runs for again in self._with_captured(run)]
        for run in runs:
            for site, record in run.recorder.records:
                self.add(site, record)
        cut = [run for run in runs if run.recorder.cut]
        for run in cut:
            self._give_up(run)
        self._unreached(reach, cut[0].recorder if cut else None)
        return self._evaluation()

    # ------------------------------------------------------------------------------------------ single runs

    def recorder(self, cls: str, entry: str, module: Module, feeding: tuple[str, int] | None = None) -> Recorder:
        recorder = Recorder(self.machine, cls, entry, feeding)
        recorder.frame = Frame(self.machine.next(), module, None)
        return recorder

    def enter(self, function: FunctionInfo, cls: ClassInfo | None, feeding: tuple[str, int] | None = None, exchanged=None) -> Run:
        """Evaluate a function as an entry: its parameters are what they are."""
        key = feeding[0] if feeding else self._key(function, cls)
        recorder = self.recorder(key, function.qualname, function.module, feeding)
        recorder.exchanged = exchanged or {}
        receiver: Diagram | None = None
        if cls is not None and function.binding in ("method", "property"):
            receiver = recorder.self_object(cls)
        elif cls is not None and function.binding == "class":
            receiver = leaf(ClassValue(cls))
        names = [p.name for p in function.params]
        raw = frozenset(names[1:] if receiver is not None else names)
        recorder.enter(function, [], receiver, function.span, None, raw)
        self._publish(recorder)
        return Run(recorder, function, cls)

    @staticmethod
    def _key(function: FunctionInfo, cls: ClassInfo | None) -> str:
        """What a run is for: a concrete class, or a module."""
        return cls.key if cls is not None else function.module.path

    def _publish(self, recorder: Recorder) -> None:
        """What was put into a container is, when it is read later, what it was in the end."""
        for address in recorder.shared:
            final = recorder.state.heap.get(address)
            if final is not None:
                self.machine.heap[address] = final

    def module_entry(self, module: Module, reach: Reach) -> list[Run]:
        """Evaluate a module's own statements, if they can reach a call site."""
        body = [s for s in module.facts.body if not isinstance(s, (ir.Import, ir.ImportFrom))]
        wanted = reach.names | reach.carriers
        for item in walk_scope(body):
            name = item.func if isinstance(item, ir.Call) else None
            last = name.attr if isinstance(name, ir.Attribute) else name.id if isinstance(name, ir.Name) else ""
            if last in wanted or (last in ("out", "default", "partial", "getattr")):
                recorder = self.recorder(module.path, "", module)
                recorder.module_frames[module.path] = recorder.frame.id
                recorder.block(module.facts.body)
                recorder.invoke_closures(recorder.frame, [(recorder.state, leaf(None))] if not recorder.state.dead else [])
                self._publish(recorder)
                return [Run(recorder, None, None)]
        return []

    def _silent(self, recorder: Recorder) -> Recorder:
        recorder.recording = False
        return recorder

    def module_names(self, module: Module) -> dict[str, Diagram]:
        """The names that a module's body leaves behind."""
        recorder = self._silent(self.recorder(module.path, "module", module))
        recorder.module_frames[module.path] = recorder.frame.id
        recorder.block(module.facts.body)
        return self._kept(recorder, recorder.state.frames.get(recorder.frame.id, {}))

    def class_names(self, cls: ClassInfo) -> dict[str, Diagram]:
        """The names that a class body leaves behind."""
        recorder = self._silent(self.recorder(cls.module.path, "class", cls.module))
        recorder.frame.is_class = True
        recorder.block([stmt for stmt in cls.node.body if not isinstance(stmt, ir.ClassDef)])
        return self._kept(recorder, recorder.state.frames.get(recorder.frame.id, {}))

    def constructed(self, cls: ClassInfo) -> dict[str, Diagram]:
        """The attributes that the constructor of a concrete class assigns."""
        init = cls.find("__init__") or cls.find("__post_init__")
        if init is None:
            return {}
        recorder = self._silent(self.recorder(cls.key, f"init {cls.qualname}", init.module))
        receiver = recorder.self_object(cls)
        raw = frozenset(p.name for p in init.params[1:])
        recorder.limit = (_INIT_STEPS, Work.done + _INIT_WORK)
        try:
            recorder.enter(init, [], receiver, init.span, None, raw)
        except TooMuchWork:
            return {}
        fields = recorder.object(receiver.term).fields
        return self._kept(recorder, {str(k): v for k, v in fields.items()})

    def made_by(self, maker: Maker, family: list[ClassInfo]) -> list[dict[str, Diagram] | None]:
        """The objects of some classes that a function makes.

        ``[None]`` if it cannot be followed to the end, makes none, or has calls that make some and were not met: in a function
        that somebody else may call, say.
        """
        outer = outermost(maker.function)
        recorders = [self._run_alone(outer, cls) for cls in Reach.classes_of(outer)]
        ran = {place for recorder in recorders if recorder is not None for place in recorder.ran}
        if None in recorders or any((outer.module.path, call.span) not in ran for call in maker.calls):
            return [None]
        made: list[dict[str, Diagram] | None] = [
            {str(name): value for name, value in fields.items()}
            for recorder in recorders
            for cls, fields in recorder.made
            if cls in family
        ]
        return made or [None]

    def _run_alone(self, outer: FunctionInfo, cls: ClassInfo | None) -> Recorder | None:
        """Run a function in one concrete class for what it makes; None where that takes more steps than the bound allows."""
        recorder = self._silent(self.recorder(cls.key if cls else outer.module.path, f"made in {outer.qualname}", outer.module))
        recorder.limit = (_INIT_STEPS, Work.done + _INIT_WORK)
        receiver = recorder.self_object(cls) if cls is not None and outer.binding in ("method", "property") else None
        if cls is not None and outer.binding == "class":
            receiver = leaf(ClassValue(cls))
        names = [p.name for p in outer.params]
        try:
            recorder.enter(outer, [], receiver, outer.span, None, frozenset(names[1:] if receiver is not None else names))
        except TooMuchWork:
            return None
        return recorder

    def _kept(self, recorder: Recorder, names: dict[str, Diagram]) -> dict[str, Diagram]:
        """Values that outlive a run: the objects they refer to move to the shared heap."""
        self.machine.heap.update(recorder.state.heap)
        own = recorder.frame.id
        self.machine.frames.update({k: v for k, v in recorder.state.frames.items() if k != own})
        self.machine.parents.update(recorder.parents)
        self.machine.types.update(recorder.types)
        return dict.fromkeys(names, unknown(_given_up(recorder))) if recorder.cut else dict(names)

    # ------------------------------------------------------------------------------------------ between runs

    def _too_deep(self) -> list[Run]:
        """Evaluate what lies too deep as entries, which may find more of the kind."""
        runs: list[Run] = []
        done = 0
        while done < len(self.machine.too_deep):
            function, cls = list(self.machine.too_deep)[done]
            done += 1
            runs.append(self.enter(function, cls))
        return runs

    def _without_called(self, runs: list[Run], reach: Reach) -> list[Run]:
        """Leave out entries that turned out to have callers, unless they have other uses."""
        called = self._called(runs)
        return [
            run
            for run in runs
            if run.function is None or run.function in reach.other_uses or (run.function, run.recorder.cls) not in called
        ]

    @staticmethod
    def _called(runs: list[Run]) -> set[tuple[FunctionInfo, str]]:
        """The functions that were called in runs, each with what the run was for."""
        return {(f, run.recorder.cls) for run in runs for f in run.recorder.called if f is not run.function}

    def _with_captured(self, run: Run) -> list[Run]:
        """Evaluate code that reads captured values again, once per class that stores some."""
        if run.function is None or not any(self.machine.stored.get(key) for key in run.recorder.read_containers):
            return [run]
        again = self.enter(run.function, run.cls)
        needed = sorted(again.recorder.classes_needed)
        if not needed:
            replay.check(self, again)
            return [again]
        again.recorder.records = [(s, r) for s, r in again.recorder.records if s.role != "update"]
        fed = [self.enter(run.function, run.cls, feeding) for feeding in needed]
        for each in fed:
            replay.check(self, each)
        return [again, *fed]

    def add(self, site: Site, record: Record) -> None:
        known = self.sites.setdefault(site.key, site)
        if known.via and not site.via:
            return
        known.own = known.own | site.own
        if record.queries:
            kept = (query._replace(evaluation=self.evaluations.get(query.evaluation, 0)) for query in record.queries)
            record = replace(record, queries=tuple(kept))
        same = next((other for other in known.records if _same(record, other)), None)
        if same is None:
            known.records.append(record)
        if record.evaluation:
            self.evaluations[record.evaluation] = (same or record).evaluation

    @staticmethod
    def _select(site: Site) -> None:
        """Tell ways of reaching a site apart by what they pass for a parameter: a constant here, something else there.

        A parameter that tells no more of them apart than others before it is left out.
        """
        told: list[tuple[Diagram | None, ...]] = [() for _ in site.records]
        for name in sorted({name for record in site.records for name in record.bound}):
            held = [record.bound.get(name) for record in site.records]
            symbols = {
                v.term.symbol for v in held if v is not None and v.is_leaf and isinstance(v.term, Linear) and v.term.symbol
            }
            constants = {v for v in held if v is not None and v.is_leaf and isinstance(v.term, Const)}
            if not constants or len(constants) + len(symbols) < 2 or len(symbols) > 1:
                continue
            finer = [(*before, value if value in constants else None) for before, value in zip(told, held)]
            if len(set(finer)) == len(set(told)):
                continue
            told = finer
            subject = symbols.pop() if symbols else Subject(("param", site.key.path, site.symbol, name), name, Kind.LOCAL)
            for record, value in zip(site.records, held):
                if value in constants:
                    chosen = test(subject, identical(value.term.value))
                    record.selector = chosen if record.selector is None else conj(record.selector, chosen)

    def _give_up(self, run: Run) -> None:
        """Calls of an evaluation that was given up may get anything later on."""
        for site, record in {site.key: (site, record) for site, record in run.recorder.records}.values():
            self.add(site, self._anything(site, record.cls, run.recorder))

    def _anything(self, site: Site, cls: str, cut: Recorder) -> Record:
        """What a site gets where an evaluation was given up before it met the site, if it ever does."""
        unwritten = {argument: written.default for argument, written in site.arguments.items()}
        defaults = self.machine.operators[site.operator].defaults
        values = {a: leaf(Const(defaults[a])) if unwritten[a] else unknown(_given_up(cut)) for a in MASK_ARGUMENTS}
        written = {argument: FALSE if unwritten[argument] else TRUE for argument in MASK_ARGUMENTS}
        return Record(cls, cut.entry, cut.context, TRUE, values, written, operator=site.operator)

    def _unreached(self, reach: Reach, cut: Recorder | None) -> None:
        """Calls that no evaluation met: listed without cases, unless an evaluation was ``cut`` before it could meet them."""
        for module in self.machine.project.modules:
            calls = None
            for found in module.facts.found:
                key = SiteKey(module.path, found.span)
                if key in self.sites or found.operator not in self.machine.operators:
                    continue
                if calls is None:
                    calls = {i.span: i for i in walk_all(module.facts.body) if isinstance(i, ir.Call)}
                call = calls.get(found.span)
                function = next((f for f in module.functions if f.qualname == found.function), None)
                targets = (
                    reach.resolve(call.func, function, module)
                    if call is not None and isinstance(call.func, (ir.Name, ir.Attribute))
                    else []
                )
                if not targets or any(target in reach.functions for target in targets):
                    self.sites[key] = site = self._dead_site(module, found, key, call)
                    if cut is not None:
                        self.add(site, self._anything(site, site.owner, cut))

    def _dead_site(self, module: Module, found: ir.FoundCall, key: SiteKey, call: ir.Call | None) -> Site:
        row = self.machine.operators[found.operator]
        function = next((f for f in module.functions if f.qualname == found.function), None)
        owner = function.owner.key if function is not None and function.owner is not None else module.path
        return Site(
            key=key,
            symbol=found.function,
            owner=owner,
            operator=found.operator,
            overload=found.overload,
            role="workspace" if row.workspace else "capture" if found.overload == "out" else "eager",
            group=module.group,
            in_tests=module.in_tests,
            arguments=written_arguments(row, module.text, call),
        )

    def _evaluation(self) -> Evaluation:
        sites = [self.sites[key] for key in sorted(self.sites)]
        for site in sites:
            self._select(site)
        classes = {
            cls.key: ClassFacts(
                cls.key,
                tuple(c.key for c in cls.mro()[1:]),
                tuple(sorted(s.key for s in cls.subclasses)),
                frozenset(name for c in cls.mro() for name in (*c.attribute_writes, *c.body_assigns)),
            )
            for module in self.machine.project.modules
            for cls in module.classes
        }
        return Evaluation(sites, classes)


class Run:
    """A finished evaluation of an entry."""

    def __init__(self, recorder: Recorder, function: FunctionInfo | None, cls: ClassInfo | None) -> None:
        self.recorder = recorder
        self.function = function
        self.cls = cls


def _given_up(cut: Recorder) -> str:
    return f"evaluating {cut.entry or 'the module'} takes more than {statements.MOST_STEPS} steps"


def _same(a: Record, b: Record) -> bool:
    """Whether two records say the same, so that one is enough."""
    return (
        a.cls == b.cls
        and a.operator == b.operator
        and a.path is b.path
        and all(a.values[name] is b.values[name] for name in a.values)
        and a.queries == b.queries
        and bool(a.mismatches) == bool(b.mismatches)
    )
