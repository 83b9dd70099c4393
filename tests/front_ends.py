"""The plugin in this process, and what each format shows, read back: line, column and code of every finding."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest import mock

Spot = tuple[int, int, str]
Done = subprocess.CompletedProcess


def flake8(folder: Path, *arguments: str, stdin: str = "") -> Done[str]:
    """flake8 in this process, as if it had just begun."""
    from flake8.main.cli import main
    from flake8.utils import stdin_get_value

    from fia_lint import verdicts
    from fia_lint.flake8_plugin import Plugin

    for remembered in (stdin_get_value, verdicts.of_project, verdicts.configuration_of):
        remembered.cache_clear()
    Plugin.said.clear()
    out, err, here = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO(), os.getcwd()
    os.chdir(folder)
    try:
        source = mock.Mock(buffer=io.BytesIO(stdin.encode()))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("sys.stdin", source):
            status = main(["--isolated", "-j", "1", "--select", "FIA", *arguments])
            out.flush()
    finally:
        os.chdir(here)
    return Done(arguments, status, out.buffer.getvalue().decode(), err.getvalue())  # type: ignore[attr-defined]


def places(done: Done[str], file: str) -> list[Spot]:
    """What flake8 reports for a file."""
    found = []
    for line in done.stdout.splitlines():
        path, row, column, text = line.split(":", 3)
        if os.path.normpath(path) == file:
            found.append((int(row), int(column), text.split()[0]))
    return found


def shown(style: str, report: str, file: str) -> list[Spot]:
    """What a report in that format shows for a file; what is marked as suppressed is not shown."""
    return READERS[style](report, file)


def _json(report: str, file: str) -> list[Spot]:
    return [(f["line"], f["column"], f["code"]) for f in json.loads(report)["findings"] if f["path"] == file]


def _gitlab(report: str, file: str) -> list[Spot]:
    issues = [issue for issue in json.loads(report) if issue["location"]["path"] == file]
    begins = [(issue["location"]["positions"]["begin"], issue["description"]) for issue in issues]
    return [(begin["line"], begin["column"], text.partition(":")[0]) for begin, text in begins]


def _sarif(report: str, file: str) -> list[Spot]:
    found = []
    for result in json.loads(report)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        if place["artifactLocation"]["uri"] == file and not result.get("suppressions"):
            found.append((place["region"]["startLine"], place["region"]["startColumn"], result["ruleId"]))
    return found


def _lines(report: str, file: str) -> list[Spot]:
    return _matches(rf"^{re.escape(file)}:(\d+):(\d+): (FIA\d+)", report)


def _github(report: str, file: str) -> list[Spot]:
    annotations = _matches(
        rf"^::error file={re.escape(file)},line=(\d+),endLine=\d+,col=(\d+),endColumn=\d+,title=(FIA\d+) .*::", report
    )
    assert annotations == _lines(report, file), "the log says the same as the annotations"
    return annotations


def _markdown(report: str, file: str) -> list[Spot]:
    rows = re.findall(rf"^\| (FIA\d+) [^|]*\| `{re.escape(file)}:(\d+):(\d+)`", report, re.M)
    return [(int(line), int(column), code) for code, line, column in rows]


def _html(report: str, file: str) -> list[Spot]:
    articles = re.findall(r'<span class="code">(FIA\d+)</span>.*?<pre>([^\n]*):(\d+):(\d+)\n', report, re.S)
    return [(int(line), int(column), code) for code, path, line, column in articles if path == file]


def _matches(pattern: str, text: str) -> list[Spot]:
    return [(int(line), int(column), code) for line, column, code in re.findall(pattern, text, re.M)]


READERS: dict[str, Callable[[str, str], list[Spot]]] = {
    "concise": _lines, "github": _github, "gitlab": _gitlab, "html": _html, "json": _json, "markdown": _markdown,
    "sarif": _sarif, "text": _lines,
}  # fmt: skip
