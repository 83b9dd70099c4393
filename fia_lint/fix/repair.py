"""Repairing an analysed target: candidates are tried on the tree in memory, and kept only if the new analysis agrees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from fia_lint.fix.edits import CannotEdit, Edit, applied
from fia_lint.fix.state import Found, Goal, objection
from fia_lint.fix.ways import candidates, rank
from fia_lint.fix.world import Candidate, NoWay, World
from fia_lint.judge.findings import Finding
from fia_lint.run import Result

#: Analyses of the tree with some files replaced: their new content in, the result out.
Analyse = Callable[[dict[str, bytes]], Result]

#: How many analyses a repair may take.
MOST_ANALYSES = 60


@dataclass
class Repaired:
    """What came of a repair: the new content of ``files``, how many findings it ``fixed``, the result with these files, and
    the findings that are left, each with the reason."""

    files: dict[str, bytes]
    fixed: int
    result: Result
    left: list[tuple[Finding, str]]


@dataclass(eq=False)
class Task:
    """A finding that is being repaired, with the candidates that are left to be tried."""

    finding: Finding
    goal: Goal
    options: list[Candidate]


def repaired(result: Result, analyse: Analyse, wanted: Collection[Finding] | None = None) -> Repaired:
    """Repair the findings of a result (or those that are ``wanted``), as far as that is no guess."""
    return _Repair(result, analyse, wanted).run()


class _Repair:
    def __init__(self, result: Result, analyse: Analyse, wanted: Collection[Finding] | None) -> None:
        self.analyse = analyse
        self.world = World(result)
        self.files: dict[str, bytes] = {}
        self.reasons: dict[Goal, str] = {}
        #: What was objected to the candidates of a finding that were tried.
        self.objections: dict[Goal, list[str]] = {}
        self.fixed = 0
        self.analyses = 0
        self.wanted = None if wanted is None else {self.world.state.what(finding) for finding in wanted}

    def run(self) -> Repaired:
        while tasks := self._tasks():
            self._try(self._apart(tasks))
        findings = self._open()
        left = [(finding, self.reasons.get(self.world.state.goal(finding), "")) for finding in findings]
        return Repaired(self.files, self.fixed, self.world.result, left)

    def _open(self) -> list[Finding]:
        found = self.world.result.findings
        return [f for f in found if self.wanted is None or self.world.state.what(f) in self.wanted]

    def _tasks(self) -> list[Task]:
        """The findings of the first rank that have something left to be tried."""
        tasks: list[Task] = []
        open_ = [(rank(f, self.world), f) for f in self._open() if self.world.state.goal(f) not in self.reasons]
        turn = None
        for when, finding in sorted(open_, key=lambda pair: pair[0]):
            if turn is not None and when > turn:
                break
            try:
                task = self._task(finding)
            except NoWay as no:
                self.reasons[self.world.state.goal(finding)] = str(no)
            else:
                tasks.append(task)
                turn = when
        return tasks

    def _task(self, finding: Finding) -> Task:
        """A finding with the candidates that were not tried yet. Raises ``NoWay``."""
        goal = self.world.state.goal(finding)
        tried = self.objections.get(goal, [])
        every = candidates(finding, self.world)
        inside = [edits for edits in every if all(edit.path in self.world.result.shown for edit in edits)]
        if not inside:
            raise NoWay(f"what is wrong stands in {every[0][0].path}, which is no part of the target")
        if not inside[len(tried) :]:
            raise NoWay(tried[0])
        return Task(finding, goal, inside[len(tried) :])

    def _apart(self, tasks: list[Task]) -> list[Task]:
        """Tasks whose first candidates can be tried together: none changes what another one changes in another way."""
        taken: dict[tuple[object, ...], Edit] = {}
        chosen = []
        for task in tasks:
            keys = {_place(edit): edit for edit in task.options[0]}
            if all(taken.get(place, edit) == edit for place, edit in keys.items()):
                taken |= keys
                chosen.append(task)
        return chosen

    def _try(self, tasks: list[Task]) -> bool:
        """Try first candidates together; where they do not go together, halves of them, and single ones with the next.

        Returns whether something was changed: then places are not what they were, and the rest waits for the next round.
        """
        why = self._attempt(tasks)
        if why is None:
            return True
        distinct = list(dict.fromkeys(task.options[0] for task in tasks))
        if len(distinct) > 1:
            half = distinct[: len(distinct) // 2]
            parts = ([t for t in tasks if t.options[0] in half], [t for t in tasks if t.options[0] not in half])
            return self._try(parts[0]) or self._try(parts[1])
        for task in tasks:
            self.objections.setdefault(task.goal, []).append(why)
            task.options = task.options[1:]
            if not task.options:
                self.reasons[task.goal] = self.objections[task.goal][0]
        rest = [task for task in tasks if task.options]
        return bool(rest) and self._try(rest)

    def _attempt(self, tasks: Sequence[Task]) -> str | None:
        """Make the first candidates of some tasks and look at the result: why it cannot stay, or None if it does."""
        goals = [task.goal for task in tasks]
        try:
            after = self._after(self.world, (edit for task in tasks for edit in task.options[0]))
            no = objection(self.world.state, after.world.state, goals)
            if no and no.new and len({task.options[0] for task in tasks}) == 1:
                # What was hidden by the mistake, or had it too, comes to light: repaired along with it, or not at all.
                more = self._along(after, no.new)
                if more is not None and objection(self.world.state, more.world.state, goals) is None:
                    after, no = more, None
        except CannotEdit as error:
            return str(error)
        if no is None:
            self.fixed += sum((self.world.state.found - after.world.state.found).values())
            self.files |= after.files
            self.world = after.world
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
        if not edits or any(edit.path not in world.result.shown for edit in edits):
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


def _edited(world: World, edits: Iterable[Edit]) -> dict[str, bytes]:
    """The files that some edits change. Raises ``CannotEdit``."""
    by_path: dict[str, list[Edit]] = {}
    for edit in sorted(edits, key=lambda edit: (edit.path, edit.span, repr(edit))):
        by_path.setdefault(edit.path, []).append(edit)
    return {path: applied(world.result.source.data(path), some) for path, some in by_path.items()}


def _place(edit: Edit) -> tuple[object, ...]:
    """What an edit changes: two edits with one place exclude each other."""
    return edit.path, edit.span, getattr(edit, "name", "")
