"""Where source comes from: which files belong to a target, and to the tree around it."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from fia_lint.errors import SourceError, UsageError
from fia_lint.patterns import patterns
from fia_lint.targets import Options, Target, open_targets
from fia_lint.targets.kinds.archive import safe_name
from fia_lint.targets.kinds.pypi import release_tree


def write(root: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def only(*specs: str | Path, **options: object) -> Target:
    (target,) = open_targets([str(spec) for spec in specs], Options(**options))  # type: ignore[arg-type]
    return target


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=someone", "-c", "user.email=someone@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_folder_is_its_python_files(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/c.py", "a/notes.txt", "a/d.pyi")
    target = only(tmp_path, isolated=True)
    assert target.tree.paths() == ["a/c.py", "b.py"]
    assert target.tree.read("b.py") == b"x = 1\n"
    assert target.shown == {"a/c.py", "b.py"}


def test_build_folders_are_skipped_below_the_target_only(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "build/b.py", ".venv/c.py", "pkg/__pycache__/d.py", "pkg/dist/e.py")
    assert only(tmp_path).tree.paths() == ["a.py"]
    assert only(tmp_path / "build").tree.paths() == ["b.py"]


def test_what_git_ignores_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "gen/b.py", "pkg/c_pb.py", "pkg/d.py", "pkg/sub/d_pb.py", "other/c_pb.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/gen/\n*_pb.py\n")
    (tmp_path / "pkg" / ".gitignore").write_text("!c_pb.py\n")
    assert only(tmp_path).tree.paths() == ["a.py", "pkg/c_pb.py", "pkg/d.py"]


def test_an_ignored_target_is_read_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "gen/x/b.py", "gen/x/skip_c.py", "gen/x/sub/d.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\nskip_*\n")
    assert only(tmp_path / "gen").shown == {"gen/x/b.py", "gen/x/sub/d.py"}
    assert only(tmp_path / "gen" / "x").shown == {"gen/x/b.py", "gen/x/sub/d.py"}
    assert only(tmp_path / "gen" / "x" / "skip_c.py").shown == {"gen/x/skip_c.py"}
    assert only(tmp_path / "gen", isolated=True).shown == {"x/b.py", "x/skip_c.py", "x/sub/d.py"}


def test_the_tree_of_a_file_is_its_project(tmp_path: Path) -> None:
    write(tmp_path, "pkg/__init__.py", "pkg/a.py", "pkg/sub/b.py", "c.py")
    (tmp_path / "fia-lint.toml").write_text("")
    target = only(tmp_path / "pkg" / "sub" / "b.py")
    assert target.root == tmp_path
    assert target.tree.paths() == ["c.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/b.py"]
    assert target.shown == {"pkg/sub/b.py"}


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.cfg", "tox.ini"])
def test_a_file_without_our_section_is_no_configuration(tmp_path: Path, marker: str) -> None:
    write(tmp_path, "a.py", "sub/b.py")
    (tmp_path / "fia-lint.toml").write_text("")
    (tmp_path / "sub" / marker).write_text("[other]\n")
    assert only(tmp_path / "sub").root == tmp_path


def test_without_a_project_the_tree_is_the_package(tmp_path: Path) -> None:
    write(tmp_path, "other.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "pkg/loose/c.py")
    if any((folder / ".git").exists() for folder in tmp_path.parents):
        pytest.skip("the temporary folder lies in a repository")
    assert only(tmp_path / "pkg/sub/b.py").tree.paths() == only(tmp_path / "pkg").tree.paths()
    assert only(tmp_path / "other.py").tree.paths() == ["other.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py",
                                                        "pkg/sub/b.py"]  # fmt: skip


def test_root_is_the_tree(tmp_path: Path) -> None:
    write(tmp_path, "a/b/c.py", "a/d.py", "e.py")
    target = only(tmp_path / "a" / "b", root=tmp_path / "a")
    assert target.tree.paths() == ["b/c.py", "d.py"]
    assert target.shown == {"b/c.py"}
    with pytest.raises(UsageError, match="does not lie in the root"):
        only(tmp_path / "e.py", root=tmp_path / "a")


def test_a_root_may_be_a_symbolic_link(tmp_path: Path) -> None:
    """A checkout that is reached over a link is the same checkout."""
    write(tmp_path, "real/b/c.py", "real/d.py")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for start, root in [("real", "link"), ("link", "real"), ("link", "link")]:
        target = only(tmp_path / start / "b", root=tmp_path / root)
        assert target.tree.paths() == ["b/c.py", "d.py"]
        assert target.shown == {"b/c.py"}


def test_targets_of_one_project_share_a_tree(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b/c.py", "d/e.py")
    (tmp_path / ".git").mkdir()
    target = only(tmp_path / "a.py", tmp_path / "b")
    assert target.shown == {"a.py", "b/c.py"}
    assert target.tree.paths() == ["a.py", "b/c.py", "d/e.py"]


def test_exclusions_hold_for_files_that_are_named(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "gen/b.py")
    excluding = (patterns(tmp_path.as_posix(), ["gen/"]),)
    assert only(tmp_path, exclusions=excluding).tree.paths() == ["a.py"]
    assert only(tmp_path / "gen" / "b.py", isolated=True, exclusions=excluding).shown == frozenset()


def test_standard_input_stands_for_a_file_of_the_project(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py")
    (tmp_path / ".git").mkdir()
    target = only("-", stdin=lambda: b"new\n", stdin_filename=str(tmp_path / "b.py"))
    assert target.tree.read("b.py") == b"new\n"
    assert target.tree.read("a.py") == b"x = 1\n"
    assert target.shown == {"b.py"}
    assert only("-", stdin=lambda: b"new\n").tree.read("stdin") == b"new\n"


@pytest.mark.parametrize("spec", ["nowhere.py", "", "nowhere/at/all", "pkg@", "nowhere.whl"])
def test_what_does_not_exist(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="expected|No such file"):
        only(spec)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UsageError, match="neither a file nor a folder"):
        only(tmp_path / "pipe.py")
    target = only(tmp_path, isolated=True)
    with pytest.raises(SourceError, match="not a regular file"):
        target.tree.read("pipe.py")


def test_circles_of_links_end(tmp_path: Path) -> None:
    write(tmp_path, "pkg/a.py")
    (tmp_path / "pkg" / "self").symlink_to(tmp_path / "pkg", target_is_directory=True)
    assert only(tmp_path, isolated=True).tree.paths() == ["pkg/a.py"]


# ------------------------------------------------------------------------------------------------------ archives


def make_zip(file: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file


def make_tar(file: Path, members: dict[str, str], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(file, "w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.type = len(text), kind
            info.linkname = "/etc/passwd" if kind == tarfile.SYMTYPE else ""
            archive.addfile(info, io.BytesIO(text.encode()))
    return file


def test_a_wheel(tmp_path: Path) -> None:
    wheel = make_zip(tmp_path / "p-1.whl", {"p/__init__.py": "", "p/a.py": "a", "p-1.dist-info/RECORD": "", "build/b.py": ""})
    target = only(wheel)
    assert target.tree.paths() == ["build/b.py", "p/__init__.py", "p/a.py"]
    assert target.tree.read("p/a.py") == b"a"


def test_an_sdist_without_its_top_folder(tmp_path: Path) -> None:
    assert only(make_tar(tmp_path / "p-1.tar.gz", {"p-1/p/a.py": "a", "p-1/setup.py": ""})).tree.paths() == ["p/a.py", "setup.py"]
    assert only(make_tar(tmp_path / "q.tgz", {"q/__init__.py": ""})).tree.paths() == ["q/__init__.py"]


@pytest.mark.parametrize("name", ["../a.py", "/a.py", "p/../../a.py", "C:/a.py", "p//a.py", "..\\a.py", "p/./../a.py"])
def test_names_that_point_out_of_an_archive(name: str, tmp_path: Path) -> None:
    assert safe_name(name) is None
    members = {name: "", "good.py": ""}
    assert only(make_zip(tmp_path / "z.zip", members)).tree.paths() == ["good.py"]
    assert only(make_tar(tmp_path / "z.tar.gz", members)).tree.paths() == ["good.py"]


def test_links_in_archives_are_no_files(tmp_path: Path) -> None:
    assert only(make_tar(tmp_path / "z.tar.gz", {"a.py": ""}, tarfile.SYMTYPE)).tree.paths() == []


def test_a_bomb(tmp_path: Path) -> None:
    bomb = make_zip(tmp_path / "bomb.zip", {"a.py": "#" * (40 << 20)})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(UsageError, match="larger than a source file"):
        only(bomb)


@pytest.mark.parametrize("name", ["broken.whl", "broken.zip", "broken.tar.gz"])
@pytest.mark.parametrize("data", [b"", b"not an archive", b"PK\x03\x04 cut off", b"\x1f\x8b\x08 cut off"])
def test_a_damaged_archive(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match="not a readable archive|cannot be read"):
        only(tmp_path / name)


def test_an_archive_that_is_cut_off(tmp_path: Path) -> None:
    for file in (make_tar(tmp_path / "a.tar.gz", {"p/a.py": "a" * 9999}), make_zip(tmp_path / "a.zip", {"a.py": "a" * 9999})):
        file.write_bytes(file.read_bytes()[:-60])
        with pytest.raises(UsageError):
            only(file)


# --------------------------------------------------------------------------------------------- revisions, releases


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    repository = tmp_path / "re@po"
    write(repository, "a.py", "pkg/b.py", "build/c.py")
    git(repository, "init", "-q")
    git(repository, "add", "-f", ".")
    git(repository, "commit", "-q", "-m", "one")
    write(repository, "a.py", text="x = 2\n")
    (repository / "pkg/b.py").unlink()
    return repository


def test_a_revision_is_read_from_the_objects(repository: Path) -> None:
    target = only(f"{repository}@HEAD")
    assert target.tree.paths() == ["a.py", "pkg/b.py"]
    assert target.tree.read("a.py") == b"x = 1\n"
    assert target.root is None
    (repository / "pkg").mkdir(exist_ok=True)
    inside = only(f"{repository / 'pkg'}@HEAD")
    assert (inside.folder, inside.shown) == ("pkg", {"pkg/b.py"})


@pytest.mark.parametrize("revision", ["nothing", "-n", "HEAD:a.py", "--help"])
def test_a_revision_that_does_not_exist(repository: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="no such revision"):
        only(f"{repository}@{revision}")


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        only(f"{tmp_path}@HEAD", isolated=True)


def test_a_bare_repository(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    assert only(f"{tmp_path / 'bare.git'}@HEAD").tree.paths() == ["a.py", "pkg/b.py"]


@pytest.mark.parametrize("spec", ["pypi:", "pypi:name", "pypi:name>=1", "pypi:-r==1", "pypi:name==1 --index-url=x"])
def test_a_release_is_named_exactly(spec: str) -> None:
    with pytest.raises(UsageError, match="expected pypi:NAME==VERSION"):
        release_tree(spec)
