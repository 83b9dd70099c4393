"""Manners on a terminal: colours, width, a sign of life; and none of it where there is no terminal.

If this failed, logs would fill with control codes, or a long run would look like a hang.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fia_lint.cli import main
from fia_lint.cli import progress as module
from fia_lint.cli.progress import progress
from fia_lint.report.clean import width
from fia_lint.report.excerpt import excerpt, wrapped
from fia_lint.report.paint import Paint
from fia_lint.report.view import Spot
from tests.projects import BUG, fia_lint, write

pty = pytest.importorskip("pty", reason="no pseudo terminals on this platform")
ROOT = Path(__file__).resolve().parents[1]
ESCAPE = "\x1b["


@contextlib.contextmanager
def terminal(columns: int) -> Iterator[tuple[int, Callable[[], str]]]:
    """A terminal of that width: where to write, and what is shown on it once that side is closed."""
    import fcntl
    import struct
    import termios

    ours, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    shown = bytearray()

    def read() -> None:
        # Linux says with an error that the other side is closed.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                shown.extend(part)

    def finished() -> str:
        reader.join(60)
        return shown.decode("utf-8").replace("\r\n", "\n")

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield side, finished
    finally:
        os.close(ours)


def program_on_a_terminal(folder: Path, *arguments: str) -> str:
    """What the program shows on a terminal."""
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "XDG_CACHE_HOME": str(folder / ".cache")}
    with terminal(80) as (side, shown):
        command = [sys.executable, "-m", "fia_lint", *arguments]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=side, stderr=subprocess.PIPE)
        os.close(side)
        process.communicate(timeout=60)
        return shown()


def on_a_terminal(folder: Path, *arguments: str, columns: int = 80, **env: str) -> str:
    """The same in this process."""
    with pytest.MonkeyPatch.context() as patch, terminal(columns) as (side, shown):
        patch.chdir(folder)
        for name in ("COLUMNS", "NO_COLOR"):
            patch.delenv(name, raising=False)
        for name, value in {"TERM": "xterm", **env}.items():
            patch.setenv(name, value)
        with open(side, "w", encoding="utf-8") as out, contextlib.redirect_stderr(io.StringIO()):
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "__stdout__", out)
            main([arguments[0], "--no-cache", "--jobs", "1", *arguments[1:]])
        return shown()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, {"pkg/a.py": BUG.replace("next_tokens=1,", "名=(), next_tokens=1,"), "fia-lint.toml": ""})


def test_colours_on_a_terminal_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    colourful = program_on_a_terminal(project, "check")
    assert ESCAPE in colourful
    plain = re.sub(r"\x1b\[[0-9;]*m", "", colourful)
    assert on_a_terminal(project, "check") == colourful
    assert on_a_terminal(project, "check", NO_COLOR="1") == plain
    assert on_a_terminal(project, "check", "--color", "never") == plain
    assert on_a_terminal(project, "check", TERM="dumb") == plain
    assert ESCAPE not in fia_lint("check", "--format", "text").out
    assert ESCAPE in fia_lint("check", "--format", "text", "--color", "always").out


@pytest.mark.parametrize(("command", "columns"), [("check", 60), ("audit", 80), ("audit", 120)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_fits_the_width(command: str, columns: int, language: str, project: Path) -> None:
    shown = on_a_terminal(project, command, "--language", language, columns=columns, NO_COLOR="1")
    assert "FIA102" in shown and "名=()" in shown
    assert max(width(line) for line in shown.splitlines()) <= columns


def test_what_can_be_done_next(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said once, to a person, and only if there is something to do."""
    monkeypatch.chdir(project)
    hint = "fia-lint explain FILE:LINE tells where the values"
    assert on_a_terminal(project, "check", NO_COLOR="1").count(hint) == 1
    for quiet in (["--quiet"], ["--select", "FIA103"], ["--format", "concise"]):
        assert hint not in on_a_terminal(project, "check", *quiet)
    assert hint not in fia_lint("check", "--format", "text").out


def test_both_sides_are_shown(project: Path) -> None:
    shown = on_a_terminal(project, "check", "--select", "FIA102", NO_COLOR="1")
    assert re.search(r"18 \| 名=\(\), next_tokens=1,\n +\| +\^\n", shown)
    assert re.search(r"10 \| return torch_npu.npu_fused_infer_attention_score\(\n", shown)


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        pytest.param("one two three four five six seven eight nine ten", 40, 2, id="words"),
        pytest.param("a/path/that/is/longer/than/the/line/and/stays/whole.py:12 x", 40, 2, id="names_stay_whole"),
        pytest.param("从两个查询行起，除最后一行外每一行都会看到一个未来的词元；单独一行看不出任何问题。", 40, 3, id="wide"),
        pytest.param("", 40, 1, id="nothing"),
    ],
)
def test_wrapping(text: str, columns: int, expected: int) -> None:
    lines = wrapped(text, columns, "  ")
    assert len(lines) == expected
    assert all(width(line) <= columns or " " not in line.strip() for line in lines)
    assert not any(line.lstrip().startswith(("，", "；", "。")) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("filling", ["x", "名"])
def test_an_excerpt_keeps_what_is_meant_in_sight(filling: str) -> None:
    text = f"    f({filling * 200}, next_tokens=1, {filling * 200})"
    column = text.index("next") + 1
    spot = Spot("a.py", "a.py", "a.py", 7, column, 7, column + 13, "f", text)
    line, marker = excerpt(spot, 60, Paint(False), "red")
    assert width(line) <= 60 and "next_tokens=1" in line
    start = width(line[: line.index("next")])
    assert marker.index("^") == start and marker.count("^") == 13


def test_a_sign_of_life(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    monkeypatch.setattr(module, "_PERIOD", 0.01)
    for terminal, on in ((False, True), (True, False)):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        with progress("reading", on):
            time.sleep(0.02)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("reading", True):
        time.sleep(0.05)
    shown = capsys.readouterr().err
    assert shown.startswith("\rreading … 0 s") and shown.endswith("\r\x1b[K")


def test_quiet_and_statistics(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    loud = fia_lint("check", "--format", "text", "--statistics").out
    assert "    1 FIA102 next-tokens-disagree\n    1 FIA201 looks-ahead\n" in loud and loud.endswith(" in 1 file\n")
    quiet = fia_lint("check", "--format", "text", "--quiet").out
    assert loud.startswith(quiet.rstrip("\n")) and "call sites" not in quiet


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell: str) -> None:
    pytest.importorskip("shtab")
    run = fia_lint("--print-completion", shell)
    assert run.status == 0 and "audit" in run.out


def test_completion_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    run = fia_lint("--print-completion", "bash")
    assert (run.status, run.out) == (2, "") and "pip install 'fia-lint[completion]'" in run.err
