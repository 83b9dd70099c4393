"""Evaluated call sites, built by hand: what the judge gets, without any source behind it.

Arguments of ``record`` are integers, None, ``"w"`` (the window), terms, or diagrams; a mask is None, a text (a tensor of that
name, or None) or a diagram.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fia_lint.algebra.diagram import FALSE, TRUE, Diagram, conj, disj, ite, leaf, negate, node, permanent_leaf
from fia_lint.algebra.diagram import test as asked
from fia_lint.algebra.region import IS_NONE, TRUTHY, Named, Region, between, equal, identical
from fia_lint.algebra.terms import Const, Kind, Subject, Term, linear, symbol
from fia_lint.evaluate.sites import (
    ClassFacts,
    Evaluation,
    Place,
    Record,
    ReplayMismatch,
    Site,
    SiteKey,
    WindowTest,
    Written,
)
from fia_lint.evaluate.windows import WINDOW
from fia_lint.judge import Judgement
from fia_lint.judge.audit import AuditSite
from fia_lint.judge.findings import Finding
from fia_lint.judge.rules import RULES
from fia_lint.operators import MASK_ARGUMENTS, UNBOUNDED
from fia_lint.settings import Settings
from fia_lint.spans import Span

FIA = "npu_fused_infer_attention_score"
V2 = f"{FIA}_v2"
PATH = "pkg/attention.py"
OWNER = f"{PATH}:Attention"
INF = float("inf")

# ------------------------------------------------------------------------------------------------ values and conditions

W = permanent_leaf(symbol(WINDOW))
UNBOUND = permanent_leaf(Const(UNBOUNDED))

HAS_WINDOW = asked(WINDOW, ~IS_NONE)
NO_WINDOW = asked(WINDOW, IS_NONE)

_FORMS: dict[str, Region] = {
    "is None": IS_NONE,
    "truth": TRUTHY,
    "== -1": equal(-1),
    "> 0": between(1, INF),
    ">= 0": between(0, INF),
    "== 0": equal(0),
    "> 128": between(129, INF),
}


def subject(text: str) -> Subject:
    """A subject by its text: ``self.x`` is a layer constant, ``a.x`` an attribute, a plain name a local."""
    kind = Kind.LAYER if text.startswith("self.") else Kind.ATTRIBUTE if "." in text else Kind.LOCAL
    return Subject(("attr", text), text, kind)


def true(text: str) -> Diagram:
    return asked(subject(text), TRUTHY)


def is_none(text: str) -> Diagram:
    return asked(subject(text), IS_NONE)


def equals(text: str, constant: object) -> Diagram:
    return asked(subject(text), equal(Named(constant) if isinstance(constant, str) else constant))


def no(condition: Diagram) -> Diagram:
    return negate(condition)


def when(condition: Diagram, then: Any, other: Any) -> Diagram:
    return ite(condition, value(then), value(other))


def value(given: Any) -> Diagram:
    """A diagram for what stands in a builder's argument."""
    if isinstance(given, Diagram):
        return given
    if isinstance(given, Term):
        return leaf(given)
    if given == "w":
        return W
    return leaf(symbol(subject(given))) if isinstance(given, str) else leaf(Const(given))


def less(tokens: int) -> Term:
    """The window minus a number of tokens."""
    return linear(-tokens, ((WINDOW, 1),))


def asked_for(*forms: str, path: str = PATH, line: int = 1) -> tuple[WindowTest, ...]:
    """Tests of the window on the way to a call."""
    return tuple(WindowTest(form, _FORMS[form], Place(path, Span(line, 1, line, 2), "")) for form in forms)


# ------------------------------------------------------------------------------------------------ sites

_LEFT_OUT = object()


def record(
    pre: Any = _LEFT_OUT,
    next: Any = _LEFT_OUT,  # noqa: A002
    mode: Any = _LEFT_OUT,
    mask: Any = _LEFT_OUT,
    path: Diagram = TRUE,
    cls: str = OWNER,
    entry: str = "forward",
    tests: Sequence[WindowTest] = (),
    written: dict[str, Diagram] | None = None,
    **more: Any,
) -> Record:
    """One way of reaching a site; an argument that is left out has the operator's default."""
    given = {"pre_tokens": pre, "next_tokens": next, "sparse_mode": mode, "atten_mask": mask}
    defaults = {"pre_tokens": UNBOUNDED, "next_tokens": UNBOUNDED, "sparse_mode": 0, "atten_mask": None}
    values = {name: _fresh(value(defaults[name] if held is _LEFT_OUT else held)) for name, held in given.items()}
    is_written = {name: FALSE if held is _LEFT_OUT else TRUE for name, held in given.items()}
    is_written.update(written or {})
    more.setdefault("context", 1)
    return Record(cls, entry, path=_fresh(path), values=values, written=is_written, window_tests=tuple(tests), **more)


def _fresh(diagram: Diagram) -> Diagram:
    """A diagram that was made before this run, in this run."""
    if diagram.subject is None:
        return leaf(diagram.term)
    return node(diagram.subject, [(region, _fresh(child)) for region, child in diagram.edges])


def site(
    line: int,
    *records: Record,
    role: str = "eager",
    owner: str = OWNER,
    symbol: str = "Attention.forward",  # noqa: A002
    operator: str = FIA,
    group: str = "pkg",
    path: str = PATH,
    **more: Any,
) -> Site:
    """A call on one line; each argument that some record writes has a column of its own."""
    if role == "workspace" and not operator.startswith("_"):
        operator = f"_{operator}_get_max_workspace"
    arguments: dict[str, Written] = {}
    for column, name in enumerate(MASK_ARGUMENTS, 20):
        default = all(r.written[name] is FALSE for r in records)
        span = None if default else Span(line, column * 2, line, column * 2 + 1)
        arguments[name] = Written(None if default else name, span, default)
    overload = "out" if role in ("capture", "update") else "default"
    return Site(
        SiteKey(path, Span(line, 5, line, 100)), symbol, owner, operator, overload, role, group,
        more.pop("in_tests", False), arguments, list(records), **more,
    )  # fmt: skip


def evaluation(sites: Iterable[Site], classes: Iterable[ClassFacts] = ()) -> Evaluation:
    return Evaluation(sorted(sites, key=lambda s: s.key), {facts.name: facts for facts in classes})


# ------------------------------------------------------------------------------------------------ results


def findings(*sites: Site, classes: Iterable[ClassFacts] = (), **settings: Any) -> list[Finding]:
    """All findings, of the rules that are off by default too."""
    return Judgement(evaluation(sites, classes), Settings(**settings)).findings


def found(*sites: Site, off: bool = False, classes: Iterable[ClassFacts] = (), **settings: Any) -> list[tuple[str, int, str]]:
    """``(code, line of the call, condition)`` of the findings of the rules that are on by default, or of those that are off."""
    every = findings(*sites, classes=classes, **settings)
    return [(f.code, f.site.key.span.line, f.condition) for f in every if RULES[f.code].default != off]


def codes(*sites: Site, **more: Any) -> list[tuple[str, int]]:
    """``(code, line of the call)`` of the findings of the rules that are on by default."""
    return [(code, line) for code, line, _ in found(*sites, **more)]


def audit(*sites: Site, **settings: Any) -> list[AuditSite]:
    return Judgement(evaluation(sites), Settings(**settings)).sites


def cases(audited: AuditSite, column: str) -> list[tuple[str, str]]:
    """``(when, value)`` of one column."""
    return [(case.when, case.value) for case in audited.cases[column]]


__all__ = [
    "FALSE", "FIA", "HAS_WINDOW", "NO_WINDOW", "OWNER", "PATH", "TRUE", "UNBOUND", "V2", "W", "ClassFacts", "Const", "Named",
    "Place", "ReplayMismatch", "Span", "asked_for", "audit", "cases", "codes", "conj", "disj", "equals", "evaluation",
    "findings", "found", "identical", "is_none", "less", "no", "record", "site", "subject", "true", "value", "when",
]  # fmt: skip
