"""What the evaluation hands to the judge: call sites with their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from fia_lint.algebra.diagram import Diagram
from fia_lint.algebra.region import Region
from fia_lint.spans import Span


@dataclass(frozen=True)
class Place:
    """A position in the tree, with the dotted name of the definition it stands in ("" at module level)."""

    path: str
    span: Span
    symbol: str = ""


@dataclass(frozen=True)
class Written:
    """How a mask argument is written in the call: ``source`` and ``span`` of its value expression, if it is written there.

    ``default`` is True if it is not written at all, under no condition (also not through ``**``).
    """

    source: str | None
    span: Span | None
    default: bool


@dataclass(frozen=True)
class WindowTest:
    """A test of the window on the way to a site: ``form`` is ``is None``, ``truth``, ``== -1``, ``>= 0``, ``< 0``,
    ``> -1``, ``== 0``, ``> 0``, ``< 1`` or another comparison; ``region`` is where it holds (or its complement);
    ``place`` is the test's own, ``in_method`` whether it stands in a method of the site's class."""

    form: str
    region: Region
    place: Place


@dataclass(frozen=True)
class ReplayMismatch:
    """An unpacking of captured values that is out of step (rule FIA105).

    ``argument`` is the mask argument it feeds; ``unpacking`` the place of the unpacking; ``read`` the slot that is read and
    ``right`` the one that would make it agree with what the capture call passes (both from 0), or both None where no tuple
    of ``length`` is stored; ``stored`` are the lengths that are stored. ``capture`` is the capture call, if known.
    """

    argument: str
    unpacking: Place
    length: int
    stored: tuple[int, ...]
    read: int | None = None
    right: int | None = None
    capture: Place | None = None
    value: Diagram | None = None
    expected: Diagram | None = None


class Query(NamedTuple):
    """A workspace query whose result a call gets, and the condition: its site, and which evaluation of it that was."""

    key: SiteKey
    holds: Diagram
    evaluation: int = 0


@dataclass
class Record:
    """A site as reached in one way: from one entry, in one concrete class.

    ``cls`` is the concrete class (``path:Name``), or ``path`` for module-level code; for an update site it is that of the
    capture that feeds it. ``path`` is the condition under which the call is reached. ``values`` has a diagram for each of
    the four mask arguments, defaults filled in; terms at leaves are Const, Linear, Extremum, Unknown. For ``atten_mask``
    leaves are Const(None), or a Linear symbol: that subject is a tensor, or None if nothing on the path says otherwise
    (test it: ``subject is None``). ``written`` is the condition under which an argument is written. ``queries`` are the
    workspace queries whose result this ``.out`` call gets. ``context`` is the same
    for all records of one evaluation: opaque terms are comparable within it.
    """

    cls: str
    entry: str
    context: int
    path: Diagram
    values: dict[str, Diagram]
    written: dict[str, Diagram]
    window_tests: tuple[WindowTest, ...] = ()
    queries: tuple[Query, ...] = ()
    mismatches: tuple[ReplayMismatch, ...] = ()
    captures: tuple[Place, ...] = ()
    #: Conditions that tell this way of reaching the site from the others, over the function's own parameters.
    selector: Diagram | None = None
    #: The entry point that is called in this way: a call may choose among several.
    operator: str = ""
    #: Of a workspace query: which evaluation of it this is.
    evaluation: int = 0
    #: The lines of the calls and the turns of the loops that lead to it, from the entry on.
    way: tuple[str, ...] = ()
    #: Which call chose among several callees on the way: the same number where it chose another. 0: none did.
    choice: int = 0
    #: The values before parameters of wrappers were made unknown.
    raw: dict[str, Diagram] = field(default_factory=dict)
    #: What the parameters of the enclosing function, and the targets of unrolled loops in it, are bound to.
    bound: dict[str, Diagram] = field(default_factory=dict)


@dataclass(frozen=True, order=True)
class SiteKey:
    """Path, and the span of the call."""

    path: str
    span: Span


@dataclass
class Site:
    """A call site of the operator, or of a wrapper of it.

    ``symbol`` is the dotted name of the enclosing definition, ``owner`` the class it belongs to (``path:Name``, or ``path``
    for module-level functions). ``via`` is the chain of calls from this one (exclusive) down to the operator, for a call of
    a wrapper; ``own`` then are the mask arguments that its own arguments reach (else all four).
    ``subclasses`` are the concrete classes that run the site's method, the owner first.
    """

    key: SiteKey
    symbol: str
    owner: str
    operator: str
    overload: str
    role: str
    group: str
    in_tests: bool
    arguments: dict[str, Written]
    records: list[Record] = field(default_factory=list)
    via: tuple[Place, ...] = ()
    own: frozenset[str] = frozenset({"pre_tokens", "next_tokens", "sparse_mode", "atten_mask"})

    @property
    def place(self) -> Place:
        return Place(self.key.path, self.key.span, self.symbol)

    @property
    def unreached(self) -> bool:
        return not self.records


@dataclass
class ClassFacts:
    """What FIA103 needs of a class: its bases and subclasses (``path:Name``), and the attributes that it sets."""

    name: str
    bases: tuple[str, ...]
    subclasses: tuple[str, ...]
    #: The attributes that its body, its methods and those of its bases assign.
    sets: frozenset[str] = frozenset()


@dataclass
class Evaluation:
    """The result of the stage: sites in path and line order, and classes by key."""

    sites: list[Site]
    classes: dict[str, ClassFacts] = field(default_factory=dict)
