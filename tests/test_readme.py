"""The README shows what the tool prints. ``python -m tests.test_readme`` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fia_lint.judge.rules import RULES
from tests.corpora import unpacked
from tests.projects import fia_lint

CASE = Path(__file__).parent / "fixtures" / "case" / "full_graph_band"
README = Path(__file__).resolve().parents[1] / "README.md"


def audit() -> str:
    """What the first command of the README prints: the wheel and its unpacked files give the same."""
    return f"```text\n{fia_lint('audit', '--isolated', '--format', 'text', unpacked('0.18.0')).out}```"


def rules() -> str:
    rows = [f"| {code} | {rule.name} | {rule.summary} | {'on' if rule.default else 'off'} |" for code, rule in RULES.items()]
    return "\n".join(["| code | name | says | default |", "| --- | --- | --- | --- |", *rows])


def diff() -> str:
    """What ``--diff`` says about the case."""
    return f"```text\n$ fia-lint check --diff .\n{fia_lint('check', '--diff', '--isolated', CASE).out}```"


def block(name: str) -> str:
    """What stands between the marks of that name."""
    match = re.search(f"<!-- {name} -->\n(.*?)\n<!-- end -->", README.read_text(encoding="utf-8"), re.S)
    assert match is not None
    return match[1]


@pytest.mark.corpus
def test_the_audit_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert block("audit") == audit()


def test_the_diff_is_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASE)
    assert block("diff") == diff()


def test_the_rules_are_those_that_there_are() -> None:
    assert block("rules") == rules()


if __name__ == "__main__":
    import os
    import tempfile

    texts = {"rules": rules()}
    with tempfile.TemporaryDirectory() as elsewhere:
        os.chdir(elsewhere)
        texts["audit"] = audit()
    os.chdir(CASE)
    texts["diff"] = diff()
    os.chdir(README.parent)
    page = README.read_text(encoding="utf-8")
    for mark, text in texts.items():
        page = page.replace(f"<!-- {mark} -->\n{block(mark)}\n<!-- end -->", f"<!-- {mark} -->\n{text}\n<!-- end -->")
    README.write_text(page, encoding="utf-8")
