"""The READMEs show what the tool prints, in two languages. ``python -m tests.test_readme`` writes those parts anew."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from fia_lint.judge.rules import RULES
from tests.corpora import unpacked
from tests.projects import fia_lint

CASE = Path(__file__).parent / "fixtures" / "case" / "full_graph_band"
ROOT = Path(__file__).resolve().parents[1]
README, CHINESE = ROOT / "README.md", ROOT / "README.zh.md"
LANGUAGES = {README: "en", CHINESE: "zh"}
each_page = pytest.mark.parametrize("page", LANGUAGES, ids=lambda page: page.name)
_FENCE = re.compile(r"^```[a-z]*\n.*?^```$", re.S | re.M)


def audit() -> str:
    """What the first command of the README prints: the wheel and its unpacked files give the same."""
    return f"```text\n{fia_lint('audit', '--isolated', '--format', 'text', unpacked('0.18.0')).out}```"


def rules(language: str) -> str:
    """The table of the rules."""
    head = ("code", "name", "says", "default") if language == "en" else ("代码", "名称", "说明", "默认")
    on, off = ("on", "off") if language == "en" else ("开", "关")
    rows = [head, ("---",) * 4]
    for code, rule in RULES.items():
        rows.append((code, rule.name, rule.summary if language == "en" else rule.summary_zh, on if rule.default else off))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def diff() -> str:
    """What ``--diff`` says about the case."""
    return f"```text\n$ fia-lint check --diff .\n{fia_lint('check', '--diff', '--isolated', CASE).out}```"


def explain() -> str:
    """What ``explain`` says about the replayed call of the case."""
    place = "serving/replay.py:43"
    said = fia_lint("explain", place, CASE, "--isolated", "--no-cache", "--jobs", "1").out
    return f"```text\n$ fia-lint explain {place} .\n{said}```"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def block(page: Path, name: str) -> str:
    """What stands between the marks of that name."""
    match = re.search(f"<!-- {name} -->\n(.*?)\n?<!-- end -->", text_of(page), re.S)
    assert match is not None
    return match[1]


@pytest.mark.corpus
def test_the_audit_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert block(README, "audit") == audit()


def test_the_diff_is_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASE)
    assert block(README, "diff") == diff()


def test_the_origins_are_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASE)
    assert block(README, "explain") == explain()


@each_page
def test_the_rules_are_those_that_there_are(page: Path) -> None:
    assert block(page, "rules") == rules(LANGUAGES[page])


# ------------------------------------------------------------------------------------------------ the two languages


def outline(page: Path) -> list[str]:
    """The levels of the headings, and where between them code and generated parts stand."""
    lines = _FENCE.sub("```", text_of(page)).splitlines()
    return [line.split()[0] if line.startswith("#") else line for line in lines if line.startswith(("#", "```", "<!--"))]


def by_section(page: Path, pattern: str) -> list[list[str]]:
    """What matches in each section of the page, rules and code blocks left out, in alphabetical order."""
    text = re.sub("<!-- rules -->.*?<!-- end -->", "", _FENCE.sub("", text_of(page)), flags=re.S)
    return [sorted(re.findall(pattern, section)) for section in re.split(r"^#+ ", text, flags=re.M)]


def test_both_have_the_same_sections_in_the_same_order() -> None:
    assert outline(CHINESE) == outline(README)


def test_both_show_the_same_commands_and_output() -> None:
    assert _FENCE.findall(text_of(CHINESE)) == _FENCE.findall(text_of(README))


@pytest.mark.parametrize("pattern", [r"`[^`\n]+`", r"\]\(((?!README)[^)]+)\)"], ids=["code", "links"])
def test_sections_name_the_same_things(pattern: str) -> None:
    assert by_section(CHINESE, pattern) == by_section(README, pattern)


def _write(page: Path, blocks: dict[str, str]) -> None:
    """Put new blocks between their marks."""

    def new(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n{blocks[match[1]]}\n<!-- end -->"

    page.write_text(re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", new, text_of(page), flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    blocks = {}
    with tempfile.TemporaryDirectory() as elsewhere:
        os.chdir(elsewhere)
        blocks["audit"] = audit()
        os.chdir(CASE)
    blocks |= {"diff": diff(), "explain": explain()}
    for page, language in LANGUAGES.items():
        _write(page, blocks | {"rules": rules(language)})
