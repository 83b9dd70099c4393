"""What a rule is, and what it hands over: hits, not yet weighed against each other."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from fia_lint.algebra.diagram import Diagram
from fia_lint.judge.findings import Finding, Impact, Related
from fia_lint.judge.fixed import Fixed
from fia_lint.judge.views import GroupView, RecordView
from fia_lint.settings import Settings


@dataclass(frozen=True, eq=False)
class Hit:
    """A rule holds for one record of a site, under ``condition`` (not yet confined to the fixed conditions, ``fixed``).

    ``involved`` are the mask arguments that cause it: a call of a wrapper is reported only for its own.
    """

    code: str
    view: RecordView
    argument: str | None
    condition: Diagram
    value: str
    fixed: Fixed
    involved: frozenset[str]
    reference: str | None = None
    related: tuple[Related, ...] = ()
    impact: Impact | None = None
    facts: dict[str, object] = field(default_factory=dict)

    def under(self, condition: Diagram) -> Hit:
        """The same hit under another condition."""
        return replace(self, condition=condition)


class Rule(ABC):
    """One rule. Its docstring is its page; a subclass in a module of ``fia_lint.judge.rules`` is all it takes.

    ``messages`` and the ``variants`` of them (chosen by ``facts["variant"]``) are templates by language. They may name

    ``argument``, ``value``, ``reference``, ``condition``   as in the finding
    ``when``     the words for "when CONDITION" and for the other classes, with a blank before them; empty without either
    ``effect``   empty, or what it means for a query row, with a colon before it
    ``there``    the place of the first related site, ``PATH:LINE``
    ``operator``, ``role``, ``symbol``                      of the call
    and every key of ``facts``.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    default: ClassVar[bool] = True
    summary: ClassVar[str]
    summary_zh: ClassVar[str]
    messages: ClassVar[dict[str, str]]
    variants: ClassVar[dict[str, dict[str, str]]] = {}
    examples_bad: ClassVar[tuple[str, ...]]
    examples_good: ClassVar[tuple[str, ...]]
    #: Whether the call is wrong whatever its siblings say. Such a site has no vote and is no witness (FIA201-206).
    alone: ClassVar[bool] = False
    #: Whether what several classes have at one site is one finding, even if the values differ.
    one_per_site: ClassVar[bool] = False
    #: The way of ``fia_lint.fix.ways`` in which ``--fix`` repairs a finding; without one, why it does not.
    fix: ClassVar[str] = ""
    no_fix: ClassVar[str] = ""

    @property
    def documentation(self) -> str:
        """The rule's page, in Markdown."""
        return inspect.cleandoc(self.__doc__ or "")

    @abstractmethod
    def check(self, group: GroupView, settings: Settings) -> Iterator[Hit]:
        """Where the rule holds in a group. Pure: no state, no order of calls."""

    def template(self, finding: Finding, language: str = "en") -> str:
        """The template of a finding's message."""
        return self.variants.get(str(finding.facts.get("variant", "")), self.messages)[language]

    def hit(
        self,
        view: RecordView,
        argument: str | None,
        condition: Diagram,
        value: str,
        involved: frozenset[str],
        fixed: Fixed | None = None,
        **more: object,
    ) -> Hit:
        """A hit of this rule; the fixed conditions are those of a rule about one call, unless others are given."""
        return Hit(self.code, view, argument, condition, value, fixed or view.fixed, involved, **more)  # type: ignore[arg-type]


__all__ = ["Hit", "Rule"]
