"""The plugin, through the real flake8."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fia_lint import verdicts
from fia_lint.flake8_plugin import Plugin
from tests.front_ends import flake8, places
from tests.projects import BUG, CALL_LINE, CLEAN, COLUMN, GOOD, LINE, fia_lint, write

pytest.importorskip("flake8")
Done = subprocess.CompletedProcess
UNKNOWN = "import torch_npu\n\n\ndef f(q):\n    torch_npu.npu_fused_infer_attention_score(q, q, q, pre_tokens=len(q))\n"
BOTH = [(LINE, COLUMN, "FIA102"), (LINE, COLUMN, "FIA201")]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package whose second file asks the wrong way, with a wrapper that a third file calls."""
    files = {"pkg/__init__.py": "", "pkg/eager.py": GOOD, "pkg/decode.py": BUG, "pkg/clean.py": CLEAN, "fia-lint.toml": ""}
    return write(tmp_path / "project", files)


def flake8_process(folder: Path, *arguments: str, stdin: str | None = None) -> Done[str]:
    """flake8 in a process of its own."""
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "FIA", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False, encoding="utf-8")


def test_it_is_there() -> None:
    done = subprocess.run([sys.executable, "-m", "flake8", "--version"], capture_output=True, text=True, check=True)
    assert "fia-lint" in done.stdout


def test_the_same_as_check(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = flake8_process(project, ".")
    assert (places(done, "pkg/decode.py"), done.stderr, done.returncode) == (BOTH, "", 1)
    assert places(done, "pkg/eager.py") == []
    monkeypatch.chdir(project)
    assert done.stdout.replace("./", "") == fia_lint("check").out
    assert flake8(project, "pkg/decode.py").stdout == fia_lint("check", "pkg/decode.py").out


@pytest.mark.parametrize("line", ["{}, 名=1", "  {}", "\t{}", "é=2, {}"])
def test_columns_count_characters(line: str, project: Path) -> None:
    source = BUG.replace("next_tokens=1,", "next_tokens=1, 名=1,").replace("q, q, q, pre", "'é', q, q, pre")
    write(project, {"pkg/decode.py": source.replace("            " * 1 + "return torch", "            return torch")})
    found = fia_lint("check", "--format", "json", project / "pkg/decode.py").found
    assert places(flake8(project, "pkg/decode.py"), "pkg/decode.py") == [f[1:] for f in found] == BOTH


def test_several_processes(project: Path) -> None:
    write(project, {f"pkg/more{n}.py": BUG.replace("Backend", f"Backend{n}") for n in range(12)})
    one, many = flake8(project, "."), flake8_process(project, "-j", "4", ".")
    assert sorted(one.stdout.splitlines()) == sorted(many.stdout.splitlines())
    assert len(one.stdout.splitlines()) == 26
    assert one.stderr == many.stderr == ""


def test_standard_input(project: Path) -> None:
    display = "--stdin-display-name"
    assert places(flake8(project, "-", display, "pkg/decode.py", stdin=BUG), "pkg/decode.py") == BOTH
    assert places(flake8(project, "-", display, "pkg/decode.py", stdin=GOOD), "pkg/decode.py") == []
    assert places(flake8(project, "-", display, "pkg/eager.py", stdin="\n" + BUG), "pkg/eager.py")[0][0] == LINE + 1
    assert places(flake8(project, "-", display, "pkg/new.py", stdin=BUG), "pkg/new.py") == BOTH
    assert places(flake8_process(project, "-", stdin=BUG), "stdin") == BOTH


def test_suppressions(project: Path) -> None:
    write(project, {"pkg/decode.py": BUG.replace("next_tokens=1,", "next_tokens=1,  # noqa: FIA201")})
    assert places(flake8(project, "."), "pkg/decode.py") == BOTH[:1]
    first = "return torch_npu.npu_fused_infer_attention_score(\n                q, q, q, pre_tokens=self.sliding_window,\n"
    lines = BUG.splitlines(keepends=True)
    lines[CALL_LINE - 1] = lines[CALL_LINE - 1].replace("(\n", "(  # noqa: FIA102\n")
    assert first in BUG
    write(project, {"pkg/decode.py": "".join(lines)})
    assert places(flake8(project, "."), "pkg/decode.py") == BOTH[1:]
    assert places(flake8(project, "--disable-noqa", "."), "pkg/decode.py") == BOTH
    write(project, {"pkg/decode.py": f"# flake8: noqa\n{BUG}"})
    assert places(flake8(project, "."), "pkg/decode.py") == []


def test_options(project: Path) -> None:
    assert places(flake8(project, "--ignore", "FIA1", "."), "pkg/decode.py") == BOTH[1:]
    assert places(flake8(project, "--per-file-ignores", "decode.py:FIA201", "."), "pkg/decode.py") == BOTH[:1]
    write(
        project,
        {"pkg/unknown.py": UNKNOWN},
    )
    extra = flake8(project, "--fia-extend-select", "FIA901", ".")
    assert "FIA901" not in flake8(project, ".").stdout
    assert fia_lint("check", "--extend-select", "FIA901", project).out.count("FIA901") == extra.stdout.count("FIA901")
    done = flake8(project, "--fia-extend-select", "FIA999", ".")
    assert done.returncode == 1 and "FIA999" in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_the_project_around_a_file(project: Path) -> None:
    """A call that is only wrong beside the other file's: with another root it stands alone."""
    only_second = BUG[: BUG.index("    def eager")] + BUG[BUG.index("    def decode") :]
    write(project, {"pkg/decode.py": only_second.replace("next_tokens=1,\n", "# left out\n")})
    assert "FIA203" in flake8(project, "pkg/decode.py").stdout
    write(
        project,
        {
            "pkg/decode.py": only_second.replace("pre_tokens=self.sliding_window", "pre_tokens=self.sliding_window - 1").replace(
                "=1,", "=0,"
            )
        },
    )
    assert "FIA101" in flake8(project, "pkg/decode.py").stdout
    write(project, {"pkg/alone/decode.py": (project / "pkg/decode.py").read_text()})
    assert flake8(project, "--fia-root", "pkg/alone", "pkg/alone/decode.py").stdout == ""
    (project / "pkg/alone/decode.py").unlink()
    assert "FIA101" in flake8(project, "--fia-root", "pkg", "pkg/decode.py").stdout


def test_configuration_holds(project: Path) -> None:
    write(project, {"fia-lint.toml": 'ignore = ["FIA201"]\nextend-select = ["FIA901"]'})
    assert places(flake8(project, "."), "pkg/decode.py") == BOTH[:1]


@pytest.mark.parametrize("run", [flake8, flake8_process])
@pytest.mark.parametrize(
    ("configuration", "options", "words"),
    [
        ("colour = 1", ["."], "fia-lint.toml: unknown key 'colour'"),
        ("colour = 1", ["-j", "4", "."], "fia-lint.toml: unknown key 'colour'"),
        ("", ["--fia-root", "nosuch", "."], "nosuch' is no folder"),
        ("", ["--fia-root", "other", "-j", "4", "pkg"], "does not lie in the root"),
    ],
)
def test_wrong_settings_end_flake8(
    run: Callable[..., Done[str]], configuration: str, options: list[str], words: str, project: Path
) -> None:
    """Otherwise a hook passes with nothing checked, and nobody reads what it prints when it passes."""
    write(project, {"fia-lint.toml": configuration, "other/x.py": ""})
    done = run(project, *options)
    assert done.returncode == 1 and words in done.stdout and "Traceback" not in done.stderr


def test_standard_input_is_judged_where_it_belongs(project: Path, tmp_path: Path) -> None:
    """An editor starts flake8 anywhere: wrong settings in that folder are not those of the file."""
    elsewhere = write(tmp_path / "elsewhere", {"fia-lint.toml": "colour = 1"})
    path = project / "pkg" / "decode.py"
    root = ("--fia-root", str(project), "--stdin-display-name", str(path), "-")
    done = flake8_process(elsewhere, *root, stdin=path.read_text())
    assert places(done, str(path)) == BOTH and not done.stderr


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_wrong_settings_below_are_said_at_each_file(jobs: str, project: Path) -> None:
    """They are met in flake8's other processes: an exception there can keep flake8 waiting for ever, and the hook with it."""
    write(project, {"pkg/fia-lint.toml": "colour = 1"})
    done = flake8_process(project, "-j", jobs, ".")
    said = [line for line in done.stdout.splitlines() if "unknown key 'colour'" in line]
    checked = {path.name for path in (project / "pkg").rglob("*.py")}
    assert done.returncode == 1 and {Path(line.partition(":")[0]).name for line in said} == checked
    assert all(":1:1: FIA000 not checked: " in line for line in said) and "critical error" not in done.stdout


def test_callers_of_a_wrapper_in_a_file_without_the_name(project: Path) -> None:
    wrapper = (
        "import torch_npu\n\n\ndef attend(q, window, following, mask):\n"
        "    return torch_npu.npu_fused_infer_attention_score(\n"
        "        q, q, q, pre_tokens=window, next_tokens=following, sparse_mode=4, atten_mask=mask)\n"
    )
    caller = (
        "from pkg.wrapper import attend\n\n\ndef run(layer, q, m):\n"
        "    if layer.sliding_window is not None:\n        return attend(q, layer.sliding_window, 1, m)\n"
    )
    write(project, {"pkg/wrapper.py": wrapper, "pkg/caller.py": caller})
    found = places(flake8(project, "pkg/caller.py"), "pkg/caller.py")
    assert [code for _, _, code in found] == ["FIA102", "FIA201"]
    assert [f[1:] for f in fia_lint("check", "--format", "json", project / "pkg/caller.py").found] == found


def test_files_that_cannot_be_parsed(project: Path) -> None:
    write(
        project,
        {"pkg/broken.py": "def npu_fused_infer_attention_score(:\n", "pkg/two.py": "print 'npu_fused_infer_attention_score'\n"},
    )
    done = flake8(project, "--extend-select", "E999", ".")
    assert places(done, "pkg/decode.py") == BOTH
    assert [code for _, _, code in places(done, "pkg/broken.py")] == ["E999"]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", ["", "\n", "\ufeff" + BUG, BUG.replace("\n", "\r\n"), "# -*- coding: latin-1 -*-\n" + BUG])
def test_odd_files(content: str, project: Path) -> None:
    write(project, {"pkg/decode.py": content.encode("latin-1") if "latin-1" in content else content.encode()})
    expected = [f[1:] for f in fia_lint("check", "--format", "json", project / "pkg/decode.py").found]
    assert places(flake8(project, "pkg/decode.py"), "pkg/decode.py") == expected


def test_a_file_that_has_nothing_to_do_with_it_costs_no_parser(tmp_path: Path) -> None:
    write(tmp_path, {"p/a.py": CLEAN, "p/fia-lint.toml": ""})
    program = (
        "import ast, sys\n"
        "from fia_lint.flake8_plugin import Plugin\n"
        "lines = open('a.py').readlines()\n"
        "assert list(Plugin(ast.parse(''.join(lines)), lines, 'a.py').run()) == []\n"
        "heavy = [m for m in sys.modules if m.startswith(('libcst', 'fia_lint.evaluate', 'fia_lint.judge'))]\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "p", check=True)


def test_a_warm_project_costs_no_parser(project: Path) -> None:
    first = flake8(project, ".").stdout
    program = (
        "import ast, sys\n"
        "from fia_lint.flake8_plugin import Plugin\n"
        "lines = open('pkg/decode.py').readlines()\n"
        "found = list(Plugin(ast.parse(''.join(lines)), lines, 'pkg/decode.py').run())\n"
        "assert len(found) == 2\n"
        "heavy = [m for m in sys.modules if m.startswith(('libcst', 'fia_lint.evaluate'))]\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=project, check=True)
    assert flake8(project, ".").stdout == first


def test_a_fault_of_ours_does_not_end_flake8(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import ast

    def broken(*arguments: object) -> list[object]:
        raise RecursionError("too deep")

    monkeypatch.setattr(verdicts, "verdicts", broken)
    assert list(Plugin(ast.parse(BUG), BUG.splitlines(keepends=True), "a.py").run()) == []
    assert "internal error at a.py" in capsys.readouterr().err
