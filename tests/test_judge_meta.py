"""Every rule: its code, its page, its messages, and its examples run through the whole analysis."""

from __future__ import annotations

import ast
import re
import string
from importlib import import_module

import pytest

from fia_lint.evaluate import evaluate
from fia_lint.facts import FactsSource
from fia_lint.judge import Judgement
from fia_lint.judge.findings import Finding
from fia_lint.judge.rule import Rule
from fia_lint.judge.rules import RULES
from fia_lint.settings import Settings

CODES = [*(f"FIA{n}" for n in (101, 102, 103, 104, 105, 106)), *(f"FIA{n}" for n in range(201, 209)), "FIA901"]
OFF = {"FIA106", "FIA207", "FIA208", "FIA901"}
SECTIONS = ["What it does", "Why it is bad", "Bad", "Good", "Known limits", "How to fix"]
FIELDS = {"argument", "value", "reference", "condition", "when", "effect", "there", "operator", "role", "symbol"}

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))


class _Files:
    """A tree of one file."""

    def __init__(self, source: str) -> None:
        self._data = source.encode()

    def paths(self) -> list[str]:
        return ["example.py"]

    def read(self, path: str) -> bytes:
        return self._data


def _findings(source: str) -> list[Finding]:
    settings = Settings()
    return Judgement(evaluate(FactsSource(_Files(source)), settings), settings).findings  # type: ignore[arg-type]


def test_the_rules_are_those_of_the_specification() -> None:
    assert list(RULES) == CODES
    assert {code for code, rule in RULES.items() if not rule.default} == OFF
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@each_rule
def test_a_rule_says_whether_it_can_be_fixed(rule: Rule) -> None:
    """Either there is a way to repair its findings, or a reason why there is none."""
    assert bool(rule.fix) != bool(rule.no_fix)
    if rule.fix:
        import_module(f"fia_lint.fix.ways.{rule.fix}").candidates


@each_rule
def test_a_rule_describes_itself(rule: Rule) -> None:
    assert re.fullmatch(r"FIA\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert type(rule).__module__ == f"fia_lint.judge.rules.{rule.code.lower()}"
    assert re.findall(r"^## (.+)$", rule.documentation, re.M) == SECTIONS
    for text in (rule.summary, rule.summary_zh):
        assert text and not text.endswith((".", "。"))


@each_rule
def test_messages_are_one_line_in_two_languages(rule: Rule) -> None:
    for messages in (rule.messages, *rule.variants.values()):
        assert list(messages) == ["en", "zh"]
        for text in messages.values():
            assert "\n" not in text and not text.rstrip("{effect}").endswith((".", "。"))


@each_rule
def test_examples(rule: Rule) -> None:
    assert rule.examples_bad and rule.examples_good
    for source in rule.examples_bad:
        ast.parse(source)
        assert rule.code in {finding.code for finding in _findings(source)}
    for source in rule.examples_good:
        ast.parse(source)
        assert rule.code not in {finding.code for finding in _findings(source)}


@each_rule
def test_messages_name_nothing_that_a_finding_has_not(rule: Rule) -> None:
    for finding in (f for source in rule.examples_bad for f in _findings(source) if f.code == rule.code):
        for language in ("en", "zh"):
            named = {name for _, name, _, _ in string.Formatter().parse(rule.template(finding, language)) if name}
            assert named <= FIELDS | finding.facts.keys(), finding
            assert "there" not in named or finding.related
            assert "reference" not in named or finding.reference is not None
