"""What all evaluations of one run share: the project, the settings, module values, class attributes, counters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fia_lint.algebra.diagram import Diagram, compatible
from fia_lint.algebra.terms import Const, Kind, Subject
from fia_lint.evaluate.definitions import ClassInfo, FunctionInfo, Maker, Module
from fia_lint.evaluate.project import Project
from fia_lint.evaluate.sites import Place, SiteKey
from fia_lint.evaluate.values import Object, Serial
from fia_lint.evaluate.windows import WindowNames
from fia_lint.operators import EntryPoint, enabled
from fia_lint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from fia_lint.evaluate.patches import Patches


@dataclass(frozen=True)
class Stored:
    """A value that was put into a container that outlives the function.

    ``container`` is the last part of the name it hangs on, ``level`` how many subscripts deep, ``value`` what was stored
    (objects in the shared heap), ``path`` the condition, ``function`` and ``place`` where, ``cls`` the concrete class that
    was running, ``activation`` which activation of the function stored it,
    ``bound`` what its parameters were bound to.
    """

    container: str
    level: int
    value: Diagram
    path: Diagram
    place: Place
    function: FunctionInfo | None
    owner: ClassInfo | None
    module: Module
    cls: str
    context: int
    activation: int
    bound: dict[str, Diagram] = field(hash=False, compare=False)


@dataclass(frozen=True, eq=False)
class Reading:
    """An unpacking of stored tuples into ``length`` names, met under the condition ``path``.

    ``candidates`` are the tuples that it may read; where there is none, ``stored`` says which lengths are stored.
    """

    place: Place
    length: int
    path: Diagram
    candidates: tuple[Stored, ...] = ()
    stored: tuple[int, ...] = ()

    def reaches(self, path: Diagram) -> bool:
        """Whether what was read can be at hand where code runs under a condition: not in another branch."""
        return compatible(self.path, path)


@dataclass(frozen=True)
class Wrapper:
    """What of a function's parameters reaches the mask arguments of calls inside: argument → parameter names."""

    reaches: tuple[tuple[str, frozenset[str]], ...]
    sites: frozenset[SiteKey]
    #: The calls of the operator that were met inside, as found with the function's own parameters.
    inside: tuple[Any, ...] = ()

    @property
    def arguments(self) -> frozenset[str]:
        return frozenset(argument for argument, _ in self.reaches)

    @property
    def params(self) -> frozenset[str]:
        return frozenset(name for _, names in self.reaches for name in names)


@dataclass(frozen=True)
class SetBy:
    """What running a function may assign: names under ``global``, with the paths of their modules, and attributes of self."""

    globals: frozenset[tuple[str, str]]
    attributes: frozenset[str]


@dataclass
class Machine:
    """Shared tables. Everything in it is a cache or a result; nothing depends on the order of evaluations."""

    project: Project
    settings: Settings
    operators: dict[str, EntryPoint] = field(init=False)
    windows: WindowNames = field(init=False)
    heap: dict[int, Object] = field(default_factory=dict)
    modules: dict[str, dict[str, Diagram] | None] = field(default_factory=dict)
    bodies: dict[tuple[str, int], dict[str, Diagram] | None] = field(default_factory=dict)
    wrappers: dict[int, Wrapper | None] = field(default_factory=dict)
    stored: dict[tuple[str, int], list[Stored]] = field(default_factory=dict)
    #: Slots of stored tuples that were read: (one of the tuples, slot) to value.
    slots: dict[tuple[Diagram, int], Diagram] = field(default_factory=dict)
    #: Containers that hold, at some level, something that is no object of a class.
    mixed: set[tuple[str, int]] = field(default_factory=set)
    reaching: set[str] = field(default_factory=set)
    reaching_functions: set[FunctionInfo] = field(default_factory=set)
    #: The one subject of all attributes of a name, with the spelling that it has most often.
    spelled: dict[str, Subject] = field(default_factory=dict)
    #: How many calls lie between a function and the nearest call site.
    distance: dict[FunctionInfo, int] = field(default_factory=dict)
    #: Names that stand in too many files to know all of the functions that bear them.
    common: set[str] = field(default_factory=set)
    by_name: dict[str, list[FunctionInfo]] = field(default_factory=dict)
    #: What following a function might assign.
    set_by: dict[FunctionInfo, SetBy] = field(default_factory=dict)
    #: Names of finished activations that closures still refer to, and which activation encloses which.
    frames: dict[int, dict[str, Diagram]] = field(default_factory=dict)
    parents: dict[int, int | None] = field(default_factory=dict)
    #: ``(class, attribute)`` where code outside the class assigns to the class itself.
    rebound: set[tuple[str, str]] = field(default_factory=set)
    #: What finds ``rebound``, ``patched`` and ``changed_attributes``.
    patches: Patches = field(init=False)
    #: ``(path, name)`` of module-level names that other modules assign or change in place.
    patched: set[tuple[str, str]] = field(default_factory=set)
    #: Attributes that are changed in place, or assigned on objects other than self, somewhere.
    changed_attributes: set[str] = field(default_factory=set)
    #: The functions that make objects of a class, those that call a function, and the constants that fields can have.
    makers: dict[ClassInfo, list[Maker]] = field(default_factory=dict)
    callers: dict[FunctionInfo, list[Maker]] = field(default_factory=dict)
    fields: dict[ClassInfo, dict[str, set[Const]]] = field(default_factory=dict)
    #: Functions, with their concrete classes, that lie too deep to be followed from any entry.
    too_deep: dict[tuple[FunctionInfo, ClassInfo | None], None] = field(default_factory=dict)
    #: Reaching functions that lead back to themselves.
    recursive: set[FunctionInfo] = field(default_factory=set)
    #: What functions that are not followed make of their first argument.
    results: set[Subject] = field(default_factory=set)
    types: dict[Subject, ClassInfo] = field(default_factory=dict)
    #: Set by the driver: run a module's body, a class body, a constructor; each gives names and values.
    run_module: Callable[[Module], dict[str, Diagram]] = field(init=False)
    run_class: Callable[[ClassInfo], dict[str, Diagram]] = field(init=False)
    #: Evaluate a function that makes objects of some classes: the fields of each as it is made, None where that is lost.
    run_maker: Callable[[Maker, list[ClassInfo]], list[dict[str, Diagram] | None]] = field(init=False)
    run_init: Callable[[ClassInfo], dict[str, Diagram]] = field(init=False)

    def __post_init__(self) -> None:
        from fia_lint.evaluate.patches import Patches

        Serial.last = 0
        self.patches = Patches(self)
        self.operators = enabled(self.settings.operators)
        self.windows = WindowNames(self.settings.window_names)

    def next(self) -> int:
        return Serial.next()

    def opaque(
        self, text: str, module: Module, span: object, source: Subject | None = None, mentions: frozenset[Subject] = frozenset()
    ) -> Subject:
        """A fresh subject: the result of one evaluation of an expression that is not followed."""
        key = ("opaque", module.path, tuple(span), self.next())
        return Subject(key, text, Kind.OPAQUE, mentions, source)
