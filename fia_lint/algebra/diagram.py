"""Decision diagrams: functions from the values of subjects to terms, in one canonical form.

A node asks about one subject and has one edge per region of its values; the regions of a node are
disjoint and cover everything. Subjects are in a fixed order on every path and each stands there at
most once, so tests of one subject can never contradict each other. Nodes are shared: two diagrams
that stand for the same function are the same object (compare with ``is``).

A *condition* is a diagram whose leaves are True and False.

What grows past the budget (terms per value, nodes per value) becomes ``Unknown`` as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from operator import eq
from typing import Any

from fia_lint.algebra.region import EVERYTHING, NOTHING, Region, intersection
from fia_lint.algebra.terms import Const, Subject, Unknown


class Diagram:
    """A leaf or a node. Never built directly: see ``leaf``, ``node`` and ``ite``."""

    __slots__ = ("__dict__", "__weakref__")
    subject: Subject | None = None
    term: Any = None
    edges: tuple[tuple[Region, Diagram], ...] = ()

    @property
    def is_leaf(self) -> bool:
        return self.subject is None

    @cached_property
    def support(self) -> frozenset[Subject]:
        """The subjects that are tested somewhere in this diagram."""
        if self.subject is None:
            return frozenset()
        return frozenset((self.subject,)).union(*(child.support for _, child in self.edges))

    @cached_property
    def subjects(self) -> frozenset[Subject]:
        """The subjects that stand in the terms at the leaves."""
        if self.subject is None:
            return frozenset(self.term.subjects)
        found = self.edges[0][1].subjects
        for _, child in self.edges[1:]:
            if child.subjects is not found and child.subjects:
                found = found | child.subjects
        return found

    @cached_property
    def terms(self) -> tuple[Any, ...]:
        """The distinct terms at the leaves, in a fixed order."""
        return tuple(sorted({d.term for d in walk(self) if d.is_leaf}, key=lambda term: term.order))

    def __repr__(self) -> str:
        if self.subject is None:
            return f"<{self.term}>"
        return f"<{self.subject.text}? {len(self.edges)} ways, {len(self.terms)} terms>"


# Kept until the next run: what a run computes anew must not depend on when memory is freed.
_leaves: dict[Any, Diagram] = {}
_nodes: dict[Any, Diagram] = {}


def leaf(term: Any) -> Diagram:
    """The diagram that is ``term`` whatever the conditions."""
    key = (type(term), term)
    found = _leaves.get(key)
    if found is None:
        found = Diagram()
        found.term = term
        _leaves[key] = found
    return found


_permanent: dict[Any, Diagram] = {}


def permanent_leaf(term: Any) -> Diagram:
    """A leaf that is the same in all runs: every leaf that a module keeps in a name."""
    return _permanent.setdefault((type(term), term), leaf(term))


TRUE = permanent_leaf(Const(True))
FALSE = permanent_leaf(Const(False))


def walk(diagram: Diagram) -> Iterator[Diagram]:
    """Every distinct leaf and node of a diagram, once."""
    seen: set[int] = {id(diagram)}
    pending = [diagram]
    while pending:
        item = pending.pop()
        yield item
        for _, child in item.edges:
            if id(child) not in seen:
                seen.add(id(child))
                pending.append(child)


def node(subject: Subject, edges: Iterable[tuple[Region, Diagram]]) -> Diagram:
    """The canonical diagram that asks about ``subject`` first. Regions must be disjoint and cover everything."""
    merged: dict[Diagram, Region] = {}
    for region, child in edges:
        if region is not NOTHING:
            merged[child] = merged[child] | region if child in merged else region
    if len(merged) == 1:
        return next(iter(merged))
    for child in merged:
        if subject in child.subjects:
            merged = _fold_constants(subject, merged)
            if len(merged) == 1:
                return next(iter(merged))
            break
    ordered = tuple(sorted([(region, child) for child, region in merged.items()], key=_region_order))
    key = (subject, *[part for region, child in ordered for part in (region, id(child))])
    found = _nodes.get(key)
    if found is None:
        found = Diagram()
        found.subject = subject
        found.edges = ordered
        _nodes[key] = found
    return found


def _region_order(edge: tuple[Region, Diagram]) -> tuple[object, ...]:
    return edge[0].order


def _fold_constants(subject: Subject, merged: dict[Diagram, Region]) -> dict[Diagram, Region]:
    """Where the subject is one constant, a child that agrees with a sibling there is that sibling.

    ``w if w != 0 else 0`` is ``w``: one normal form for values that are equal for every assignment.
    """
    single: list[tuple[Region, Diagram, object]] = []
    result: dict[Diagram, Region] = {}
    for child, region in merged.items():
        value = region.only()
        if value is None:
            result[child] = region
        else:
            single.append((region, bind(child, subject, value[0]), value[0]))
    siblings = sorted(result, key=lambda child: result[child].order)
    for region, child, constant in single:
        home = next((s for s in siblings if bind(s, subject, constant) is child), child)
        result[home] = result[home] | region if home in result else region
    return result


def bind(diagram: Diagram, subject: Subject, value: object) -> Diagram:
    """The diagram with ``subject`` replaced by a constant in its terms (not in its tests)."""
    if subject not in diagram.subjects:
        return diagram
    return map_leaves(diagram, lambda term: leaf(term.bind(subject, value)))


def test(subject: Subject, region: Region) -> Diagram:
    """The condition that the value of ``subject`` lies in ``region``."""
    return node(subject, ((region, TRUE), (~region, FALSE)))


class Budget:
    """How large a value may grow: distinct terms, and nodes."""

    terms = 32
    nodes = 1000


TOO_MANY_TERMS = permanent_leaf(Unknown("the value has more terms than the bound allows (max-terms)"))
TOO_MANY_NODES = permanent_leaf(Unknown("the value depends on more conditions than the bound allows (max-nodes)"))


def bounded(diagram: Diagram) -> Diagram:
    """``diagram``, or an unknown that names the bound which it exceeds."""
    if diagram.is_leaf or "fits" in diagram.__dict__:
        return diagram
    terms: set[int] = set()
    for count, item in enumerate(walk(diagram)):
        if count > Budget.nodes:
            return TOO_MANY_NODES
        if item.is_leaf:
            terms.add(id(item))
    if len(terms) > Budget.terms:
        return TOO_MANY_TERMS
    diagram.__dict__["fits"] = True
    return diagram


def _first(*diagrams: Diagram) -> Subject:
    found = None
    for diagram in diagrams:
        subject = diagram.subject
        if subject is not None and subject is not found and (found is None or subject.order < found.order):
            found = subject
    assert found is not None
    return found


def _split(diagram: Diagram, subject: Subject) -> tuple[tuple[Region, Diagram], ...]:
    return diagram.edges if diagram.subject == subject else ((EVERYTHING, diagram),)


_ite_cache: dict[tuple[Diagram, Diagram, Diagram], Diagram] = {}
_CACHE_LIMIT = 200_000


class Work:
    """How much work was done: new results of ``ite`` since ``start_afresh``."""

    done = 0


def start_afresh() -> None:
    """Make the next run independent of what ran before: of cached results, and of subjects with the same key.

    Diagrams made before stay what they are, but must not be mixed with those made afterwards.
    """
    _ite_cache.clear()
    _nodes.clear()
    _leaves.clear()
    _leaves.update(_permanent)
    Work.done = 0


def ite(condition: Diagram, then: Diagram, other: Diagram) -> Diagram:
    """``then`` where ``condition`` holds, ``other`` elsewhere, within the budget."""
    return bounded(_ite(condition, then, other))


def _ite(condition: Diagram, then: Diagram, other: Diagram) -> Diagram:
    if condition is TRUE or then is other:
        return then
    if condition is FALSE:
        return other
    if condition.is_leaf:
        return condition if isinstance(condition.term, Unknown) else then
    if then is TRUE and other is FALSE:
        return condition
    key = (condition, then, other)
    found = _ite_cache.get(key)
    if found is None:
        subject = _first(condition, then, other)
        edges = []
        for region_c, child_c in _split(condition, subject):
            for region_t, child_t in _split(then, subject):
                region_ct = intersection(region_c, region_t)
                if region_ct is NOTHING:
                    continue
                for region_o, child_o in _split(other, subject):
                    region = intersection(region_ct, region_o)
                    if region is not NOTHING:
                        edges.append((region, _ite(child_c, child_t, child_o)))
        found = node(subject, edges)
        Work.done += 1
        if len(_ite_cache) > _CACHE_LIMIT:
            _ite_cache.clear()
        _ite_cache[key] = found
    return found


def conj(*conditions: Diagram) -> Diagram:
    """All of these hold."""
    result = TRUE
    for condition in conditions:
        result = _ite(result, condition, FALSE)
    return result


def disj(*conditions: Diagram) -> Diagram:
    """At least one of these holds."""
    result = FALSE
    for condition in conditions:
        result = _ite(result, TRUE, condition)
    return result


def negate(condition: Diagram) -> Diagram:
    """The condition does not hold."""
    return _ite(condition, FALSE, TRUE)


def compatible(a: Diagram, b: Diagram) -> bool:
    """Whether two conditions can hold at once: ``conj(a, b) is not FALSE``, without building it."""
    if a is FALSE or b is FALSE:
        return False
    if a is TRUE or b is TRUE or a is b or a.support.isdisjoint(b.support):
        return True
    seen: set[tuple[Diagram, Diagram]] = set()

    def meet(a: Diagram, b: Diagram) -> bool:
        if a is FALSE or b is FALSE or (a, b) in seen:
            return False
        if a.is_leaf or b.is_leaf or a is b:  # it holds, or nobody knows
            return True
        # What was seen before and is met again did not hold the first time.
        seen.add((a, b))
        assert a.subject is not None and b.subject is not None
        if a.subject == b.subject:
            return any(r & s and meet(x, y) for r, x in a.edges for s, y in b.edges)
        if a.subject.order < b.subject.order:
            return any(meet(x, b) for _, x in a.edges)
        return any(meet(a, y) for _, y in b.edges)

    return meet(a, b)


def possible(condition: Diagram) -> Diagram:
    """The condition, with what is unknown taken to hold."""
    if all(isinstance(term, Const) for term in condition.terms):
        return condition
    return map_leaves(condition, lambda term: leaf(term) if isinstance(term, Const) else TRUE, capped=False)


def implies(a: Diagram, b: Diagram) -> bool:
    """Whether ``b`` holds wherever ``a`` does."""
    return not compatible(a, negate(b))


def map_leaves(diagram: Diagram, function: Callable[[Any], Diagram], capped: bool = True) -> Diagram:
    """Replace every term by a diagram, under the conditions at which the term stands; within the budget if ``capped``."""
    memo: dict[Diagram, Diagram] = {}

    def visit(item: Diagram) -> Diagram:
        found = memo.get(item)
        if found is None:
            if item.subject is None:
                found = function(item.term)
            else:
                edges = [(region, visit(child)) for region, child in item.edges]
                same = all(new is old for (_, new), (_, old) in zip(edges, item.edges))
                found = item if same else _join(item.subject, edges)
            memo[item] = found
        return found

    found = visit(diagram)
    return bounded(found) if capped else found


def _join(subject: Subject, edges: list[tuple[Region, Diagram]]) -> Diagram:
    """A diagram that is each child where the subject lies in its region; children may ask about any subject."""
    if all(child.subject is None or child.subject.order > subject.order for _, child in edges):
        return node(subject, edges)
    result = edges[-1][1]
    for region, child in edges[:-1]:
        result = _ite(test(subject, region), child, result)
    return result


def combine(function: Callable[..., Diagram], *diagrams: Diagram, capped: bool = True) -> Diagram:
    """Apply a function of terms to several diagrams at once, under each combination of conditions that can exist.

    The result is within the budget if ``capped``, else within twenty times its nodes.
    """
    memo: dict[tuple[Diagram, ...], Diagram] = {}

    def visit(items: tuple[Diagram, ...]) -> Diagram:
        found = memo.get(items)
        if found is None:
            if all(item.subject is None for item in items):
                found = function(*(item.term for item in items))
            else:
                subject = _first(*items)
                parts: list[tuple[Region, tuple[Diagram, ...]]] = [(EVERYTHING, ())]
                for item in items:
                    parts = [
                        (region & other, (*chosen, child))
                        for region, chosen in parts
                        for other, child in _split(item, subject)
                        if region & other
                    ]
                found = _join(subject, [(region, visit(chosen)) for region, chosen in parts])
            memo[items] = found
            if len(memo) > 20 * Budget.nodes:
                raise _TooLarge
        return found

    try:
        found = visit(diagrams)
        return bounded(found) if capped else found
    except _TooLarge:
        return TOO_MANY_NODES


class _TooLarge(Exception):
    """A combination visited more pairs than any result within the budget needs."""


def where(diagram: Diagram, holds: Callable[[Any], bool]) -> Diagram:
    """The condition under which the term of ``diagram`` satisfies a predicate."""
    return map_leaves(diagram, lambda term: TRUE if holds(term) else FALSE, capped=False)


def differ(a: Diagram, b: Diagram) -> Diagram:
    """The condition under which two values are not the same term."""
    return combine(lambda x, y: FALSE if x == y else TRUE, a, b, capped=False)


def cases(diagram: Diagram, care: Diagram = TRUE) -> list[tuple[Diagram, Any]]:
    """``(condition, term)`` for every term that ``diagram`` can have under ``care``, in a fixed order."""
    found = []
    for term in diagram.terms:
        condition = conj(care, where(diagram, partial(eq, term)))
        if condition is not FALSE:
            found.append((condition, term))
    return found


def restrict(diagram: Diagram, subject: Subject, region: Region) -> Diagram:
    """The diagram where ``subject`` is known to lie in ``region``; tests of it that this decides are gone."""
    memo: dict[Diagram, Diagram] = {}

    def visit(item: Diagram) -> Diagram:
        if item.subject is None or item.subject.order > subject.order:
            return item
        found = memo.get(item)
        if found is None:
            if item.subject == subject:
                kept = [(r & region, child) for r, child in item.edges if r & region]
                found = _widen(subject, kept, region)
            else:
                found = node(item.subject, [(r, visit(child)) for r, child in item.edges])
            memo[item] = found
        return found

    constant = region.only()
    result = visit(diagram)
    return bind(result, subject, constant[0]) if constant else result


def _widen(subject: Subject, kept: list[tuple[Region, Diagram]], region: Region) -> Diagram:
    """A node over edges that cover ``region`` only: the rest, which cannot happen, goes to the first edge."""
    if not kept:
        return FALSE
    kept = sorted(kept, key=lambda edge: edge[0].order)
    return node(subject, [(kept[0][0] | ~region, kept[0][1]), *kept[1:]])


def exists(condition: Diagram, forgotten: Callable[[Subject], bool]) -> Diagram:
    """The condition with some subjects forgotten: it holds where it holds for some value of them."""
    memo: dict[Diagram, Diagram] = {}

    def visit(item: Diagram) -> Diagram:
        if item.subject is None:
            return item
        found = memo.get(item)
        if found is None:
            children = [(region, visit(child)) for region, child in item.edges]
            if forgotten(item.subject):
                found = disj(*(child for _, child in children))
            else:
                found = node(item.subject, children)
            memo[item] = found
        return found

    return visit(condition)


def coarsen(condition: Diagram, blocks: dict[Subject, tuple[Region, ...]]) -> Diagram:
    """The condition with what is asked of some subjects forgotten, except in which of its blocks the value lies.

    The blocks of a subject are disjoint and cover everything. The result holds where the condition holds for some value
    in the same blocks.
    """
    memo: dict[Diagram, Diagram] = {}

    def visit(item: Diagram) -> Diagram:
        if item.subject is None:
            return item
        found = memo.get(item)
        if found is None:
            edges = [(region, visit(child)) for region, child in item.edges]
            if item.subject in blocks:
                edges = [(block, disj(*(c for region, c in edges if region & block))) for block in blocks[item.subject]]
            found = memo[item] = node(item.subject, edges)
        return found

    return visit(condition)


def simplify(diagram: Diagram, care: Diagram) -> Diagram:
    """A smaller diagram with the same terms wherever ``care`` holds; elsewhere it may be anything."""
    memo: dict[tuple[Diagram, Diagram], Diagram] = {}

    def visit(item: Diagram, within: Diagram) -> Diagram:
        if item.subject is None or within is TRUE or within.subject is None:
            return item
        key = (item, within)
        found = memo.get(key)
        if found is not None:
            return found
        if within.subject.order < item.subject.order:
            found = visit(item, disj(*(child for _, child in within.edges)))
        elif item.subject.order < within.subject.order:
            found = node(item.subject, [(region, visit(child, within)) for region, child in item.edges])
        else:
            region_cared = EVERYTHING - EVERYTHING
            kept = []
            for region, child in item.edges:
                for region_w, child_w in within.edges:
                    both = region & region_w
                    if both and child_w is not FALSE:
                        kept.append((both, visit(child, child_w)))
                        region_cared = region_cared | both
            found = _widen(item.subject, kept, region_cared)
        memo[key] = found
        return found

    return diagram if care is FALSE else visit(diagram, care)


def rename(diagram: Diagram, names: dict[Subject, Subject]) -> Diagram:
    """The diagram with some subjects replaced in its tests (not in its terms)."""
    if not names.keys() & diagram.support:
        return diagram
    memo: dict[Diagram, Diagram] = {}

    def visit(item: Diagram) -> Diagram:
        if item.subject is None:
            return item
        found = memo.get(item)
        if found is None:
            found = _join(names.get(item.subject, item.subject), [(r, visit(c)) for r, c in item.edges])
            memo[item] = found
        return found

    return visit(diagram)


def value_at(diagram: Diagram, assignment: dict[Subject, object]) -> Any:
    """The term of ``diagram`` when the subjects have these values. Raises KeyError for a subject that is missing."""
    while diagram.subject is not None:
        value = assignment[diagram.subject]
        diagram = next(child for region, child in diagram.edges if value in region)
    return diagram.term
