"""Write what of the documentation the code determines: the pages of the rules, the command line, examples that pages show.

    python -m docs.generate            writes them
    python -m docs.generate --check    tells which are out of date (exit status 1)

A test runs the check. What a rule's page says comes from the rule's own file, and what it says that the tool prints is
printed by the tool.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from unittest import mock

from fia_lint.cli.options import COMMANDS, parser
from fia_lint.judge.rule import Rule
from fia_lint.judge.rules import RULES
from fia_lint.report.render import Style, render
from fia_lint.report.rules import rule_markdown
from fia_lint.report.view import view
from fia_lint.session import Request, answers

DOCS = Path(__file__).resolve().parent
_WIDTH = 100
_NOTE = "<!-- Written by `python -m docs.generate`: change {source} instead. -->\n\n"


def pages() -> dict[str, str]:
    """Every generated page: its path below docs/, and its text."""
    found = {"rules/README.md": index(), "cli.md": command_line()}
    found |= {"ci.md": with_examples((DOCS / "ci.md").read_text(encoding="utf-8"))}
    return found | {f"rules/{code}.md": rule_page(rule) for code, rule in RULES.items()}


def stale() -> list[str]:
    """The generated pages that are missing, out of date, or of a rule that is gone."""
    wanted = pages()
    there = {f"rules/{file.name}" for file in (DOCS / "rules").glob("*.md")}
    wrong = [name for name, text in wanted.items() if not _same(DOCS / name, text)]
    return sorted({*wrong, *(there - wanted.keys())})


def _same(file: Path, text: str) -> bool:
    """Whether a page is there and differs at most in line breaks: Pythons wrap a usage line in different places."""
    return file.is_file() and file.read_text(encoding="utf-8").split() == text.split()


def rule_page(rule: Rule) -> str:
    """What a rule says about itself, and complete examples with what the tool prints about them."""
    text = _NOTE.format(source=f"fia_lint/judge/rules/{rule.code.lower()}.py") + rule_markdown(rule.code)
    for source in rule.examples_bad:
        text += f"\n## A complete example\n\n```python\n{source}```\n\n```text\n{printed(rule, source)}```\n"
    for source in rule.examples_good:
        text += f"\nHere the rule stays silent:\n\n```python\n{source}```\n"
    return text + "\n[All rules](README.md)\n"


def printed(rule: Rule, source: str) -> str:
    """What ``check --select CODE --format text`` prints for an example."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "example.py")
        file.write_text(source, encoding="utf-8")
        found = answers(Request((str(file),), isolated=True, select=(rule.code,)))
        return render("text", view(found), Style(quiet=True))


def index() -> str:
    """The table of the rules."""
    rows = []
    for code, rule in RULES.items():
        default, fix = "on" if rule.default else "off", "yes" if rule.fix else ""
        rows.append(f"| [{code}]({code}.md) | {rule.name} | {rule.summary} | {default} | {fix} |")
    text = _NOTE.format(source="the files in fia_lint/judge/rules/") + "# The rules\n\n"
    text += "FIA1xx compare calls with each other, FIA2xx judge one call, FIA9xx are about the analysis itself.\n\n"
    text += "\n".join(["| code | name | says | default | `--fix` |", "| --- | --- | --- | --- | --- |", *rows]) + "\n\n"
    text += "`fia-lint explain CODE` prints a page on the terminal, `fia-lint rules FILE` tells which rules are on for a file.\n"
    return text + "\n[Documentation](../README.md)\n"


def with_examples(page: str) -> str:
    """A page with the example files that it shows as they are: they are what the tests check."""

    def shown(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n```yaml\n{(DOCS / match[1]).read_text(encoding='utf-8')}```\n<!-- end -->"

    return re.sub(r"<!-- (examples/\S+) -->\n.*?<!-- end -->", shown, page, flags=re.S)


def command_line() -> str:
    """What ``--help`` prints, for the program and each command."""
    text = _NOTE.format(source="fia_lint/cli/options.py") + "# The command line\n\n"
    text += "`fia-lint COMMAND …`, or `python -m fia_lint COMMAND …`. `fia-lint PATH…` alone means `fia-lint check PATH…`.\n"
    for command in ("", *COMMANDS):
        words = f"fia-lint {command}".strip()
        text += f"\n## `{words}`\n\n```text\n{help_of(command)}```\n"
    return text + "\n[Documentation](README.md)\n"


def help_of(command: str) -> str:
    """The help of a command, as it is on a terminal 100 columns wide."""
    out = io.StringIO()
    environment = {"COLUMNS": str(_WIDTH), "NO_COLOR": "1"}
    with mock.patch.dict(os.environ, environment), contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        parser().parse_args([*([command] if command else []), "--help"])
    # From Python 3.13 on, the metavar is written once.
    return out.getvalue().replace("--jobs N, -j N", "--jobs, -j N")


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        for name in (wrong := stale()):
            print(f"docs/{name} is out of date: run python -m docs.generate")
        return 1 if wrong else 0
    for name, text in pages().items():
        file = DOCS / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
