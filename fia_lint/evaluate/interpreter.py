"""Structured abstract interpretation of one entry: frames, names, and the walk over statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, compatible, conj, disj, leaf, map_leaves, negate, test, where
from fia_lint.algebra.region import TRUTHY, Region
from fia_lint.algebra.terms import Kind, Subject, Term, Unknown, symbol
from fia_lint.evaluate import atoms
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Module
from fia_lint.evaluate.machine import Machine, Reading
from fia_lint.evaluate.sites import Place, Query, Record, Site, SiteKey, WindowTest
from fia_lint.evaluate.state import State, bounded_path, join
from fia_lint.evaluate.values import ABSENT, RECURSION, Object, Ref, either, unknown
from fia_lint.evaluate.windows import WINDOW
from fia_lint.spans import Span


@dataclass(eq=False)
class Frame:
    """One activation of a function, or of a module body.

    ``is_class`` in the body of a class. ``parent`` is the frame that entered it, ``entered`` the path condition there.
    ``region`` is ``capture`` or ``update`` between the calls that open and close a task group. Exits are collected as
    they happen: ``(state, value)`` for returns, states for the rest.
    """

    id: int
    module: Module
    function: FunctionInfo | None
    entered: Diagram = TRUE
    cls: ClassInfo | None = None
    parent: Frame | None = None
    parent_id: int | None = None
    region: str = ""
    #: The kind of task group that a decorator opens around the function; whether the function closes one that it did not open.
    around: str = ""
    closes: bool = False
    is_class: bool = False
    returns: list[tuple[State, Diagram]] = field(default_factory=list)
    raises: list[State] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    tries: list[list[State]] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    #: The unrolled loops that are running.
    turns: list[Turn] = field(default_factory=list)
    #: The line of the call that entered it.
    line: int = 0
    closures: list[Diagram] = field(default_factory=list)
    globals: frozenset[str] = frozenset()
    bound: dict[str, Diagram] = field(default_factory=dict)

    @property
    def symbol(self) -> str:
        return self.function.qualname if self.function else ""

    @cached_property
    def base(self) -> Diagram:
        """The condition under which the frame was entered, from the entry on."""
        return self.entered if self.parent is None else bounded_path(conj(self.parent.base, self.entered))[0]

    def allows(self, condition: Diagram) -> bool:
        """Whether a condition can hold here, as far as the way into each of the active frames tells by itself."""
        frame: Frame | None = self
        while frame is not None:
            if not compatible(frame.entered, condition):
                return False
            frame = frame.parent
        return True


@dataclass(frozen=True)
class Turn:
    """A turn of a loop that is unrolled: the line of the loop, its number from 1, and what the targets were given."""

    line: int
    number: int
    bound: dict[str, Diagram]


@dataclass
class Loop:
    """The exits of the innermost loop of a frame."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


_TRUTH = frozenset({"__bool__", "__len__"})


class TooMuchWork(Exception):
    """Following a call took more steps than its bound."""


class Core:
    """State and small services that all parts of the interpreter use."""

    def __init__(self, machine: Machine, cls: str, entry: str, feeding: tuple[str, int] | None = None) -> None:
        self.machine = machine
        self.project = machine.project
        self.cls = cls
        self.entry = entry
        #: For code that reads captured values: the concrete class that stored them, and the activation that did.
        self.feeding = feeding
        self.context = machine.next()
        self.state = State()
        self.frame: Frame = None  # type: ignore[assignment]
        self.window_tests: list[WindowTest] = []
        self.recording = True
        #: Whether the evaluation ended at the bound on its steps: what comes after that is not known.
        self.cut = False
        self.collector: list | None = None
        self.roots: dict[str, tuple[object, ...]] = {}
        self.types: dict[Subject, ClassInfo] = {}
        self.containers: dict[Subject, tuple[str, int]] = {}
        self.classes_needed: set[tuple[str, int]] = set()
        self.invoked: set[FunctionInfo] = set()
        self.called: set[FunctionInfo] = set()
        self.recursive: set[FunctionInfo | None] = set()
        #: Frames of closures' parents, frames of module bodies that are running, versions of attributes of unknown objects.
        self.parents: dict[int, int | None] = {}
        self.module_frames: dict[str, int] = {}
        self.versions: dict[str, tuple[int, object]] = {}
        #: Unpackings of stored tuples.
        self.readings: list[Reading] = []
        self.exchanged: dict[tuple[object, int], int | Diagram] = {}
        self.elements: dict[tuple[object, str], Diagram] = {}
        #: What was read of containers that outlive functions: name and level.
        self.read_containers: set[tuple[str, int]] = set()
        #: Dataclass objects as they were made.
        self.made: list[tuple[ClassInfo, dict[object, Diagram]]] = []
        #: Calls that functions of the tree were entered by, or objects of its dataclasses made: path and span.
        self.ran: set[tuple[str, Span]] = set()
        #: Objects that were put where other evaluations see them.
        self.shared: set[int] = set()
        self.storing = True
        self.query_sites: dict[Subject, tuple[SiteKey, int]] = {}
        self.calls_open: list[Place] = []
        #: Which call is running that chooses among several callees.
        self.choice = 0
        self.records: list[tuple[Site, Record]] = []
        self.bound_hit: set[FunctionInfo] = set()
        #: Which generator functions made what.
        self.generators: dict[Term, FunctionInfo] = {}
        self.steps = 0
        #: While a call that leads to no call site is followed: the steps and the work at which to give up.
        self.limit: tuple[int, int] | None = None

    # ------------------------------------------------------------------------------------------ services

    def text(self, span: Span) -> str:
        """The source of a span on one line."""
        return " ".join(self.frame.module.text(span).split())

    def place(self, span: Span) -> Place:
        return Place(self.frame.module.path, span, self.frame.symbol)

    def fresh(self, span: Span, text: str | None = None, source: Subject | None = None) -> Subject:
        """A fresh opaque subject for the expression at ``span``."""
        return self.machine.opaque(text or self.text(span), self.frame.module, span, source)

    def fresh_value(self, span: Span, text: str | None = None, source: Subject | None = None) -> Diagram:
        return leaf(symbol(self.fresh(span, text, source)))

    def coin(self, span: Span, text: str) -> Diagram:
        """A condition that nothing in the source decides."""
        return test(self.fresh(span, text), TRUTHY)

    def unknown(self, reason: str, span: Span) -> Diagram:
        return unknown(reason, self.frame.module.path, span.line)

    @property
    def full_path(self) -> Diagram:
        """The condition of the current point, from the entry on."""
        return bounded_path(conj(self.frame.base, self.state.path))[0]

    def allocate(self, thing: Object) -> Diagram:
        """Put an object on the heap; gives the reference."""
        address = self.machine.next()
        self.state.store(address, thing)
        return leaf(Ref(address, thing.kind))

    def object(self, ref: Ref) -> Object:
        """The current contents of an object."""
        found = self.state.heap.get(ref.address)
        return found if found is not None else self.machine.heap[ref.address]

    def truth(self, value: Diagram, span: Span) -> Diagram:
        """The condition that ``value`` counts as true, objects on the heap included."""

        def of(term: object) -> Diagram:
            if isinstance(term, Ref) and self.has_method(term, _TRUTH):
                return self.coin(span, self.text(span))
            if isinstance(term, Ref) and term.kind != "instance":
                thing = self.object(term)
                if thing.kind == "dict":
                    parts = [where(v, lambda t: leaf(t) is not ABSENT) for v in thing.fields.values()]
                    return disj(*parts) if thing.rest is ABSENT else self.coin(span, self.text(span))
                if thing.items is None:
                    return self.coin(span, self.text(span))
                return TRUE if thing.items else FALSE
            doubt = " in some call by itself" if isinstance(term, Unknown) and term.reason == RECURSION else ""
            return atoms.truth(
                leaf(term), lambda text: self.fresh(span, self.text(span) + doubt), lambda *a: self.listen(span, *a)
            )

        return map_leaves(value, of)

    def listen(self, span: Span, subject: Subject, region: Region, form: str) -> None:
        """Remember a test of the window."""
        if subject.kind is Kind.WINDOW or (subject.key[0] == "param" and subject.text in self.machine.windows):
            found = WindowTest(form, region, self.place(span))
            if found not in self.window_tests:
                self.window_tests.append(found)

    # ------------------------------------------------------------------------------------------ branching

    def branch(self, condition: Diagram) -> tuple[State, State]:
        """Two copies of the state: where ``condition`` holds, and where it does not."""
        yes, no = self.state.copy(), self.state.copy()
        yes.assume(condition)
        no.assume(negate(condition))
        if not self.frame.allows(condition):
            yes.path = FALSE
        elif not self.frame.allows(negate(condition)):
            no.path = FALSE
        return yes, no

    def choose(self, condition: Diagram, then, other) -> Diagram:
        """Evaluate ``then()`` where the condition holds and ``other()`` elsewhere, effects included."""
        if condition is TRUE:
            return then()
        if condition is FALSE:
            return other()
        yes, no = self.branch(condition)
        ends: list[tuple[State, Diagram | None]] = []
        for state, thunk in ((yes, then), (no, other)):
            self.state = state
            value = None if state.dead else thunk()
            ends.append((self.state, value))
        (after_then, first), (after_other, second) = ends
        self.state = join(condition, after_then, after_other)
        if first is None or (after_then.dead and second is not None):
            return second if second is not None else leaf(Unknown("never reached"))
        if second is None or after_other.dead:
            return first
        return either(condition, first, second)

    def each_case(self, value: Diagram, function) -> Diagram:
        """``function(term)`` for every term of ``value``, under its condition, effects included."""
        terms = value.terms
        if len(terms) == 1:
            return function(terms[0])

        def visit(index: int) -> Diagram:
            if index == len(terms) - 1:
                return function(terms[index])
            wanted = terms[index]
            condition = where(value, lambda term: term == wanted)
            return self.choose(condition, lambda: function(wanted), lambda: visit(index + 1))

        return visit(0)

    def attribute_subject(self, attr: str, owner: object, text: str, kind: Kind) -> Subject:
        """The subject of an attribute: one for all objects, as far as one function does not read it of two."""
        if attr in self.machine.windows:
            return WINDOW
        first = self.roots.setdefault(attr, (owner,))
        if first != (owner,):
            return Subject(("attr", attr, owner), text, kind)
        return self.machine.spelled.get(attr) or Subject(("attr", attr), text, Kind.ATTRIBUTE)
