"""Configuration files: where they are found, what they may say, and how wrong ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from fia_lint.config.find import nearest
from fia_lint.config.load import load
from fia_lint.errors import UsageError
from fia_lint.settings import Settings
from tests.projects import BUG, fia_lint, write

EVERYTHING = Settings(
    select=("FIA1", "FIA201"),
    extend_select=("FIA901",),
    ignore=("FIA102",),
    per_file_ignores=(("old/*.py", ("FIA1",)), ("/a.py", ("FIA101", "FIA2"))),
    exclude=("gen/", "*_pb2.py"),
    window_names=("span", "reach"),
    group_by="class",
    include_tests=True,
    operators=("npu_fusion_attention",),
    contract=("sliding_window - 1", "0"),
    max_depth=9,
)
TOML = """
select = ["FIA1", "FIA201"]
extend-select = ["FIA901"]
ignore = ["FIA102"]
per-file-ignores = { "old/*.py" = ["FIA1"], "/a.py" = ["FIA101", "FIA2"] }
exclude = ["gen/", "*_pb2.py"]
window-names = ["span", "reach"]
group-by = "class"
include-tests = true
operators = ["npu_fusion_attention"]
contract = { pre_tokens = "sliding_window - 1", next_tokens = 0 }
max-depth = 9
"""
INI = """
select = FIA1, FIA201
extend-select = FIA901
ignore = FIA102
per-file-ignores =
    old/*.py: FIA1
    /a.py: FIA101, FIA2
exclude =
    gen/
    *_pb2.py
window-names = span reach
group-by = class
include-tests = yes
operators = npu_fusion_attention
contract = pre_tokens = sliding_window - 1, next_tokens = 0
max-depth = 9
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fia-lint.toml", TOML),
        ("pyproject.toml", "[tool.other]\nx = 1\n[tool.fia-lint]\n" + TOML),
        ("setup.cfg", "[metadata]\nname = x\n[fia-lint]\n" + INI),
        ("tox.ini", "[tox]\n[fia-lint]\n" + INI),
    ],
)
def test_every_key_in_every_file(name: str, text: str, tmp_path: Path) -> None:
    write(tmp_path, {name: text})
    assert nearest(tmp_path / "sub") == tmp_path / name
    assert load(tmp_path / name).settings == EVERYTHING


def test_the_first_file_of_the_nearest_folder_holds(tmp_path: Path) -> None:
    write(tmp_path, {"fia-lint.toml": "", "sub/tox.ini": "[fia-lint]", "sub/setup.cfg": "[fia-lint]", "sub/x/setup.cfg": "[x]"})
    assert nearest(tmp_path / "sub" / "x") == tmp_path / "sub" / "setup.cfg"
    assert nearest(tmp_path / "sub" / "x", last=tmp_path / "sub" / "x") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("selct = []", ["selct", "expected select"]),
        ("[tool.fia-lint]\nselect = []", ["'tool'", "[tool.fia-lint] belongs in pyproject.toml"]),
        ("colour = 1", ["colour", "expected one of select, extend-select"]),
        ("window_names = []", ["window_names", "expected window-names"]),
        ('select = ["E501"]', ["select:", "E501", "FIA101"]),
        ('select = "FIA1 FIA9999"', ["select:", "FIA9999"]),
        ("ignore = 3", ["ignore:", "expected a list of strings", "3"]),
        ('group-by = "file"', ["group-by:", "package, module or class", "file"]),
        ('include-tests = "maybe"', ["include-tests:", "true or false"]),
        ('operators = ["attention"]', ["operators:", "npu_fusion_attention", "attention"]),
        ('window-names = ["a.b"]', ["window-names:", "a.b"]),
        ("contract = 3", ["contract:", "pre_tokens", "next_tokens"]),
        ('contract = { pre_tokens = "1" }', ["contract:", "both"]),
        ('contract = { pre_tokens = "w * 2", next_tokens = "0" }', ["contract:", "w * 2", "sliding_window"]),
        ("max-depth = 0", ["max-depth:", "positive integer"]),
        ('max-depth = "8"', ["max-depth:", "positive integer", "'8'"]),
        ('include-tests = "yes"', ["include-tests:", "true or false", "'yes'"]),
        ('contract = "pre_tokens = 1, next_tokens = 0"', ["contract:", "{ pre_tokens"]),
        ('per-file-ignores = "a.py: FIA1"', ["per-file-ignores:", "table"]),
        ("select = []", ["select:", "expected codes such as FIA102", "[]"]),
        ('select = ""', ["select:", "expected codes such as FIA102", "''"]),
        ("per-file-ignores = []", ["per-file-ignores:", "table"]),
        ("select = [", ["not valid TOML"]),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text: str, words: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"fia-lint.toml": text, "a.py": ""})
    with pytest.raises(UsageError):
        load(tmp_path / "fia-lint.toml")
    run = fia_lint("check", tmp_path)
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert all(word in run.err for word in ["fia-lint.toml: ", *words]), run.err


def test_nothing_selected_in_an_ini_file_is_refused_too(tmp_path: Path) -> None:
    """A check with no rules on would pass for good."""
    write(tmp_path, {"setup.cfg": "[fia-lint]\nselect =\n", "a.py": BUG})
    run = fia_lint("check", tmp_path)
    assert run.status == 2 and "setup.cfg: select: expected codes such as FIA102" in run.err


def test_a_broken_file_of_others_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "not [ toml", "setup.cfg": "no section\n", "a.py": BUG, "fia-lint.toml": ""})
    assert fia_lint("check", tmp_path).status == 1


def test_settings_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"sub/a.py": BUG, "gen/b.py": BUG, "fia-lint.toml": 'exclude = ["/gen/"]\nignore = ["FIA201"]\n'})
    monkeypatch.chdir(tmp_path)
    codes = [(f[0], f[3]) for f in fia_lint("check", "--format", "json").found]
    assert codes == [("sub/a.py", "FIA102")]
    assert fia_lint("check", "gen/b.py").status == 0
    assert fia_lint("check", "--isolated", "gen/b.py").status == 1
    assert fia_lint("check", "--select", "FIA2", "--format", "json").found[0][3] == "FIA201"
    assert fia_lint("check", "--exclude", "sub/").status == 0


@pytest.mark.parametrize("target", ["gen", "gen/b.py"])
def test_it_is_said_what_excludes_a_target(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who names a file and is told that there is none looks for a fault in the wrong place."""
    write(tmp_path, {"gen/b.py": BUG, "fia-lint.toml": 'exclude = ["/gen/"]\n', "empty/x.txt": ""})
    monkeypatch.chdir(tmp_path)
    run = fia_lint("check", target)
    why = f"no Python files to analyse: excluded by `exclude` in {tmp_path / 'fia-lint.toml'}\n"
    assert (run.status, run.err) == (0, f"fia-lint: warning: {target}: {why}")
    assert "excluded by --exclude\n" in fia_lint("check", "--isolated", "--exclude", "b.py,gen/", target).err
    assert fia_lint("check", "empty").err == "fia-lint: warning: empty: no Python files to analyse\n"


def test_a_name_for_standard_input_that_is_not_read(tmp_path: Path) -> None:
    run = fia_lint("check", "--stdin-filename", "a.py", tmp_path)
    assert run.status == 2 and "--stdin-filename" in run.err and "expected the target -" in run.err


def test_per_file_ignores_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a/x.py": BUG, "b/a/x.py": BUG, "fia-lint.toml": 'per-file-ignores = { "/a/" = ["FIA1"] }'})
    monkeypatch.chdir(tmp_path / "a")
    assert [f[3] for f in fia_lint("check", "--format", "json").found] == ["FIA201"]
    monkeypatch.chdir(tmp_path / "b")
    assert [f[3] for f in fia_lint("check", "--format", "json").found] == ["FIA102", "FIA201"]


def test_a_contract_is_the_reference(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": BUG, "fia-lint.toml": 'contract = { pre_tokens = "sliding_window - 1", next_tokens = "0" }'})
    found = fia_lint("check", "--format", "json", tmp_path).json["findings"]
    assert [f["code"] for f in found].count("FIA101") == 2
    assert {f["reference"] for f in found if f["code"] == "FIA101"} == {"sliding_window - 1"}


def test_archives_do_not_bring_their_own_configuration(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("a.py", BUG)
        archive.writestr("fia-lint.toml", 'ignore = ["FIA"]')
    write(tmp_path, {"other.toml": 'ignore = ["FIA1"]\nexclude = ["nothing"]'})
    assert fia_lint("check", tmp_path / "p.zip").out.count("\n") == 2
    assert fia_lint("check", "--config", tmp_path / "other.toml", tmp_path / "p.zip").out.count("\n") == 1
