"""The documentation is true: generated pages are up to date, links lead somewhere, options and keys that it names exist.

If this failed, somebody would follow a page to an option that is gone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import generate
from fia_lint.config.keys import KEYS
from fia_lint.judge.rules import RULES
from fia_lint.report.rules import rule_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def test_generated_pages_are_up_to_date() -> None:
    assert generate.stale() == [], "run python -m docs.generate"


def test_a_page_that_is_out_of_date_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/FIA999.md").write_text("a rule that is gone")
    monkeypatch.setattr(generate, "pages", lambda: {"cli.md": "new"})
    monkeypatch.setattr(generate, "DOCS", tmp_path)
    (tmp_path / "cli.md").write_text("old")
    assert generate.stale() == ["cli.md", "rules/FIA999.md"]


@each_page
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
    for link in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in link or (page.parent / link).exists(), link


@each_page
def test_options_exist(page: Path) -> None:
    """Options of fia-lint in code that runs it."""
    helps = "".join(generate.help_of(command) for command in generate.COMMANDS)
    commands = "|".join(generate.COMMANDS)
    for line in re.findall(rf"^.*\bfia-lint (?:{commands}) .*$", page.read_text(encoding="utf-8"), re.M):
        for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", line):
            assert option in helps, line


@each_page
def test_codes_exist(page: Path) -> None:
    if page.name != "extending.md":
        assert set(re.findall(r"\bFIA\d{3}\b", page.read_text(encoding="utf-8"))) <= RULES.keys()


def test_every_key_of_a_configuration_is_described() -> None:
    keys = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/settings.md").read_text(encoding="utf-8"), re.M)
    assert {key for cell in keys for key in re.findall(r"`(.*?)`", cell)} == KEYS.keys()


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"} <= set(re.findall(r"\]\(([^)]+)\)", index))


@pytest.mark.parametrize("code", RULES)
def test_a_page_says_what_the_terminal_says(code: str) -> None:
    page = (ROOT / f"docs/rules/{code}.md").read_text(encoding="utf-8")
    assert rule_page(code).split("\n\n", 1)[1].strip() in page


@each_page
def test_files_that_are_named_exist(page: Path) -> None:
    for path in re.findall(r"`((?:fia_lint|tests|bench|docs)/[\w/.]*)`", page.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path
