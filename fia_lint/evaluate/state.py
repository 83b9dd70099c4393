"""What is known at one point of an evaluation: names, heap, attributes of unknown objects, and the path condition."""

from __future__ import annotations

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, exists, ite, possible, walk
from fia_lint.algebra.terms import Kind
from fia_lint.evaluate.values import ABSENT, Object, either

#: A path condition with more nodes than this forgets tests, the least telling ones first.
PATH_NODES = 60


class State:
    """Names by frame, objects by address, overlays of unknown objects' attributes; ``path`` is relative to the function.

    Copies are cheap: dictionaries are shared until one side writes.
    """

    __slots__ = ("frames", "heap", "overlay", "path", "exact", "_own")

    def __init__(self) -> None:
        self.frames: dict[int, dict[str, Diagram]] = {}
        self.heap: dict[int, Object] = {}
        self.overlay: dict[tuple[object, str], Diagram] = {}
        self.path: Diagram = TRUE
        self.exact = True
        self._own: set[object] = {"frames", "heap", "overlay"}

    def copy(self) -> State:
        other = State.__new__(State)
        other.frames, other.heap, other.overlay = self.frames, self.heap, self.overlay
        other.path, other.exact = self.path, self.exact
        other._own = set()
        self._own = set()
        return other

    def become(self, other: State) -> None:
        """Take over everything that ``other`` knows."""
        self.frames, self.heap, self.overlay = other.frames, other.heap, other.overlay
        self.path, self.exact = other.path, other.exact
        self._own = set()
        other._own = set()

    @property
    def dead(self) -> bool:
        return self.path is FALSE

    def _owned(self, part: str) -> dict:
        if part not in self._own:
            setattr(self, part, dict(getattr(self, part)))
            self._own.add(part)
        return getattr(self, part)

    def get(self, frame: int, name: str) -> Diagram | None:
        return self.frames.get(frame, {}).get(name)

    def set(self, frame: int, name: str, value: Diagram) -> None:
        frames = self._owned("frames")
        if frame not in self._own:
            frames[frame] = dict(frames.get(frame, {}))
            self._own.add(frame)
        frames[frame][name] = value

    def unset(self, frame: int, name: str) -> None:
        frames = self._owned("frames")
        frames[frame] = {k: v for k, v in frames.get(frame, {}).items() if k != name}
        self._own.add(frame)

    def drop_frame(self, frame: int) -> None:
        if frame in self.frames:
            self._owned("frames").pop(frame)
            self._own.discard(frame)

    def store(self, address: int, value: Object) -> None:
        self._owned("heap")[address] = value

    def lay(self, key: tuple[object, str], value: Diagram) -> None:
        self._owned("overlay")[key] = value

    def assume(self, condition: Diagram) -> None:
        """Go on only where ``condition`` holds, or may hold."""
        sure = possible(condition)
        self.exact = self.exact and sure is condition
        self.path = conj(self.path, sure)
        self.trim()

    def trim(self) -> None:
        path, exact = bounded_path(self.path)
        if not exact:
            self.path, self.exact = path, False


def bounded_path(path: Diagram) -> tuple[Diagram, bool]:
    """A path condition within its bound, and whether nothing had to be forgotten.

    Opaque tests go first, then locals, then attributes of other objects; attributes of self and the window stay longest.
    """
    for kind in (Kind.OPAQUE, Kind.LOCAL, Kind.ATTRIBUTE, Kind.SELF, Kind.LAYER):
        if _small(path):
            return path, kind is Kind.OPAQUE
        path = exists(path, lambda subject, k=kind: subject.kind is k)
    return path, False


def rebound_key(path: str, name: str) -> tuple[object, str]:
    """The key under which a state keeps what a function assigned to a module's name."""
    return ("global", path), name


def _small(diagram: Diagram) -> bool:
    return all(count < PATH_NODES for count, _ in enumerate(walk(diagram)))


def _join_maps(condition: Diagram, a: dict, b: dict, missing: Diagram | None) -> dict:
    if a is b:
        return a
    result = dict(b)
    for key, value in a.items():
        other = b.get(key)
        if other is value:
            continue
        if other is None:
            result[key] = value if missing is None else ite(condition, value, missing)
        else:
            result[key] = either(condition, value, other)
    if missing is not None:
        for key in b.keys() - a.keys():
            result[key] = ite(condition, missing, b[key])
    return result


def join(condition: Diagram, a: State, b: State) -> State:
    """The state after two ways met: that of ``a`` where ``condition`` holds, else that of ``b``."""
    if a.dead:
        return b
    if b.dead:
        return a
    result = State.__new__(State)
    result._own = set()
    a._own, b._own = set(), set()
    result.path = disj(a.path, b.path)
    result.exact = a.exact and b.exact
    result.frames = a.frames
    if a.frames is not b.frames:
        result.frames = dict(b.frames)
        for frame, names in a.frames.items():
            other = b.frames.get(frame)
            result.frames[frame] = names if other is None else _join_maps(condition, names, other, None)
    result.overlay = _join_maps(condition, a.overlay, b.overlay, ABSENT)
    result.heap = a.heap
    if a.heap is not b.heap:
        result.heap = dict(b.heap)
        for address, thing in a.heap.items():
            other = b.heap.get(address)
            if other is None:
                result.heap[address] = thing
            elif other is not thing:
                result.heap[address] = join_objects(condition, thing, other)
    result.trim()
    return result


def join_objects(condition: Diagram, a: Object, b: Object) -> Object:
    """One object in two states."""
    items = None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(either(condition, x, y) for x, y in zip(a.items, b.items))
    keys = [*b.fields, *(k for k in a.fields if k not in b.fields)]
    fields = {}
    for key in keys:
        x, y = a.get(key), b.get(key)
        fields[key] = either(condition, x, y)
    rest = a.rest if a.rest is b.rest else ite(condition, a.rest, b.rest)
    return Object(b.kind, items, fields, rest, b.cls, b.source)
