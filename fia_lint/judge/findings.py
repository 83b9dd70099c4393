"""A finding: typed data, made by a rule, put into words by a report."""

from __future__ import annotations

from dataclasses import dataclass, field

from fia_lint.evaluate.sites import Place, Site


@dataclass(frozen=True)
class Related:
    """Another side of a finding: ``kind`` is ``reference``, ``call``, ``capture``, ``unpacking``, ``query``, or ``end`` for
    the place where knowledge ended. ``classes`` are the only ones in which it is so, where others run it, too."""

    kind: str
    place: Place
    role: str = ""
    argument: str = ""
    value: str = ""
    classes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Impact:
    """What differs for a query row, from the two effective masks.

    ``rows`` is the smallest number of query rows per request (draft tokens + 1) and ``keys`` the smallest number of keys
    from which on they differ; ``row`` (from 0), ``sees`` and ``should_see`` (key columns, half-open ranges in words) show
    one row. Data only: ``kind`` chooses the sentence.
    """

    kind: str
    values: dict[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Finding:
    """One disagreement. ``place`` is the argument's value where it is written in the call, else the call.

    ``value``, ``reference`` and ``condition`` are texts of normal forms and conditions (no sentences). ``facts`` is what
    the rule's message needs beyond that. ``classes`` are the other classes in which it holds, or, if it is ``confined`` to
    them and does not hold in the class where the call is written, all of them.
    """

    code: str
    site: Site = field(hash=False, compare=False)
    place: Place
    argument: str | None
    value: str
    reference: str | None
    condition: str
    related: tuple[Related, ...] = ()
    impact: Impact | None = None
    classes: tuple[str, ...] = ()
    confined: bool = False
    facts: dict[str, object] = field(default_factory=dict, hash=False, compare=False)
