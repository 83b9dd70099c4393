"""Repairing an analysed target: candidates are tried on the tree in memory, and kept only if the new analysis agrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import islice, product

from fia_lint.fix.edits import CannotEdit, Edit, applied
from fia_lint.fix.objections import objection
from fia_lint.fix.state import Call, Found, Goal, State
from fia_lint.fix.ways import candidates, rank
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding
from fia_lint.run import Result

#: Analyses of the tree with some files replaced: their new content in, the result out.
Analyse = Callable[[dict[str, bytes]], Result]

#: How many candidates of each argument of a call are combined.
EACH = 2

#: How many analyses a repair may take.
MOST_ANALYSES = 24

#: The rules that compare arguments, whatever the mode makes of them.
_ARGUMENTS = ("FIA101", "FIA102")


@dataclass
class Repaired:
    """What came of a repair: the new content of ``files``, how many findings it ``fixed``, the result with these files, and
    the findings that are left, each with the reason. ``idle``: how many of those that are fixed were about an argument that
    the mode ignores, so that the mask is what it was."""

    files: dict[str, bytes]
    fixed: int
    result: Result
    left: list[tuple[Finding, str]]
    idle: int = 0


@dataclass(eq=False)
class Task:
    """An argument of a call that is being repaired: what is found about it, and the candidates that are left to be tried."""

    key: tuple[Call, str]
    goals: list[Goal]
    options: list[Candidate]


#: Candidates that are tried together, each for its task.
Choice = list[tuple[Task, Candidate]]


def repaired(result: Result, analyse: Analyse, wanted: Collection[Finding] | None = None) -> Repaired:
    """Repair the findings of a result (or those that are ``wanted``), as far as that is no guess."""
    return _Repair(result, analyse, wanted).run()


class _Repair:
    def __init__(self, result: Result, analyse: Analyse, wanted: Collection[Finding] | None) -> None:
        self.analyse = analyse
        self.world = World(result)
        self.files: dict[str, bytes] = {}
        self.reasons: dict[Goal, str] = {}
        #: What was objected to the candidates of a task that were tried.
        self.objections: dict[tuple[Call, str], list[str]] = {}
        #: What came of changes of the present world that were objected to.
        self.seen: dict[frozenset[Edit], State] = {}
        self.fixed = self.idle = 0
        self.analyses = 0
        self.wanted = None if wanted is None else {self.world.state.what(finding) for finding in wanted}

    def run(self) -> Repaired:
        while tasks := self._tasks():
            self._try(_apart(tasks))
        findings = self._open()
        left = [(finding, self.reasons.get(self.world.state.goal(finding), "")) for finding in findings]
        return Repaired(self.files, self.fixed, self.world.result, left, self.idle)

    def _open(self) -> list[Finding]:
        found = self.world.result.findings
        return [f for f in found if self.wanted is None or self.world.state.what(f) in self.wanted]

    def _reported(self) -> Counter[Found]:
        """What is open, and how often."""
        return Counter(self.world.state.what(finding) for finding in self._open())

    def _tasks(self) -> list[Task]:
        """What there is to be done for the findings of the first rank that have something left to be tried."""
        tasks: dict[tuple[Call, str], Task] = {}
        state = self.world.state
        ranked = [(rank(f, self.world), f) for f in self._open() if state.goal(f) not in self.reasons]
        turn = None
        for when, finding in sorted(ranked, key=lambda pair: pair[0]):
            if turn is not None and when > turn:
                break
            key = state.what(finding)[1:]
            try:
                options = self._options(finding, key)
            except NoWay as no:
                self.reasons[state.goal(finding)] = str(no)
            else:
                task = tasks.setdefault(key, Task(key, [], []))
                task.goals.append(state.goal(finding))
                task.options = list(dict.fromkeys([*task.options, *options]))
                turn = when
        return list(tasks.values())

    def _options(self, finding: Finding, key: tuple[Call, str]) -> list[Candidate]:
        """The candidates of a finding that were not tried yet. Raises ``NoWay``."""
        every = candidates(finding, self.world)
        inside = [edits for edits in every if self._outside(edits) is None]
        tried = self.objections.setdefault(key, [])
        if not inside[len(tried) :]:
            raise NoWay(self._outside(every[0]) or tried[0])
        return inside[len(tried) :]

    def _outside(self, edits: Candidate) -> str | None:
        """What is to be said against edits of files that are no part of the target."""
        place = next((f"{edit.path}:{edit.span.line}" for edit in edits if edit.path not in self.world.result.shown), None)
        return place and f"what is wrong stands in {place}, which is no part of the target"

    def _try(self, tasks: list[Task]) -> bool:
        """Try first candidates together; where they do not go together, those of one call, and single ones with the next.

        Returns whether something was changed: then places are not what they were, and the rest waits for the next round.
        """
        why = self._attempt([(task, task.options[0]) for task in tasks])
        if why is None:
            return True
        calls = list(dict.fromkeys(task.key[0] for task in tasks))
        if len(calls) > 1:
            half = calls[: len(calls) // 2]
            first, second = [t for t in tasks if t.key[0] in half], [t for t in tasks if t.key[0] not in half]
            return self._try(first) or self._try(second)
        if len(tasks) == 1:
            return self._alone(tasks[0], why)
        return self._combined(tasks) or any(self._alone(task) for task in tasks)

    def _combined(self, tasks: list[Task]) -> bool:
        """Try other candidates for the arguments of one call together: one alone may not do."""
        combinations = islice(product(*(task.options[:EACH] for task in tasks)), 1, None)
        return any(self._attempt(list(zip(tasks, chosen, strict=True))) is None for chosen in combinations)

    def _alone(self, task: Task, why: str = "") -> bool:
        """Try the candidates of one task; ``why`` the first one does not do, if that is known."""
        for option in task.options:
            no = why or self._attempt([(task, option)])
            if no is None:
                return True
            self.objections.setdefault(task.key, []).append(no)
            why = ""
        return False

    def _attempt(self, choice: Choice) -> str | None:
        """Make some candidates true and look at the result: why it cannot stay, or None if it does."""
        goals = [goal for task, _ in choice for goal in task.goals]
        edits = {edit for _, candidate in choice for edit in candidate}
        try:
            if len({_place(edit) for edit in edits}) < len(edits):
                return "two changes of one place do not go together"
            known = self.seen.get(frozenset(edits))
            no = known and objection(self.world.state, known, goals)
            if no:
                return no.why
            after = self._after(self.world, edits)
            self.seen[frozenset(edits)] = after.world.state
            no = objection(self.world.state, after.world.state, goals)
            if no and no.new and len({task.key[0] for task, _ in choice}) == 1:
                # What was hidden by the mistake, or had it too, comes to light: repaired along with it, or not at all.
                more = self._along(after, no.new)
                if more is not None and objection(self.world.state, more.world.state, goals) is None:
                    after, no = more, None
        except CannotEdit as error:
            return str(error)
        if no is None:
            states, before = (self.world.state, after.world.state), self._reported()
            self.world = after.world
            # Only what was reported: what a comment silences may have gone along with it.
            gone = before - self._reported()
            self.fixed += sum(gone.values())
            self.idle += sum(n for (code, call, _), n in gone.items() if code in _ARGUMENTS and _same_mask(call, *states))
            self.files |= after.files
            self.seen.clear()
        return no and no.why

    def _along(self, after: _After, new: frozenset[Found]) -> _After | None:
        """A state with what is new in it repaired by the likeliest candidates; None if there are none."""
        world = after.world
        edits: list[Edit] = []
        for finding in world.result.findings:
            if world.state.what(finding) in new:
                try:
                    edits += candidates(finding, world)[0]
                except NoWay:
                    return None
        if not edits or self._outside(tuple(edits)):
            return None
        return self._after(world, edits, after.files)

    def _after(self, world: World, edits: Iterable[Edit], files: dict[str, bytes] | None = None) -> _After:
        """The world after some edits. Raises ``CannotEdit``."""
        if self.analyses >= MOST_ANALYSES:
            raise CannotEdit("too many candidates were tried already")
        changed = {**(files or {}), **_edited(world, set(edits))}
        self.analyses += 1
        return _After(changed, World(self.analyse({**self.files, **changed})))


@dataclass(frozen=True)
class _After:
    """A world that is not accepted yet, and the files in which it differs."""

    files: dict[str, bytes]
    world: World


def _same_mask(call: Call, before: State, after: State) -> bool:
    """Whether the masks of a call are known, and what they were."""
    masks = before.masks(call)
    return masks is not None and masks == after.masks(call)


def _edited(world: World, edits: Iterable[Edit]) -> dict[str, bytes]:
    """The files that some edits change. Raises ``CannotEdit``."""
    by_path: dict[str, list[Edit]] = {}
    for edit in sorted(edits, key=lambda edit: (edit.path, edit.span, repr(edit))):
        by_path.setdefault(edit.path, []).append(edit)
    return {path: applied(world.result.source.data(path), some) for path, some in by_path.items()}


def _place(edit: Edit) -> tuple[object, ...]:
    """What an edit changes: two edits with one place exclude each other."""
    return edit.path, edit.span, getattr(edit, "name", "")


def _apart(tasks: list[Task]) -> list[Task]:
    """Tasks whose first candidates can be tried together: none changes what another one changes in another way."""
    taken: dict[tuple[object, ...], Edit] = {}
    chosen = []
    for task in tasks:
        places = {_place(edit): edit for edit in task.options[0]}
        if all(taken.get(place, edit) == edit for place, edit in places.items()):
            taken |= places
            chosen.append(task)
    return chosen
