"""``REPO@REV``: a revision of a git repository, read from its object database. Nothing is checked out or changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from fia_lint.errors import UsageError
from fia_lint.targets.ignore import BUILD_FOLDERS
from fia_lint.targets.target import Options, Target, whole
from fia_lint.targets.tree import Tree

ORDER = 30


def recognises(spec: str) -> bool:
    return not os.path.exists(spec) and _split(spec) is not None


def open_all(specs: list[str], options: Options) -> list[Target]:
    return [_open(spec, options) for spec in specs]


def _split(spec: str) -> tuple[Path, str] | None:
    """The repository's folder and the revision: the first ``@`` after the name of a folder parts them."""
    for index, character in enumerate(spec):
        if character == "@" and index and os.path.isdir(spec[:index]):
            return Path(spec[:index]), spec[index + 1 :]
    return None


def _open(spec: str, options: Options) -> Target:
    parts = _split(spec)
    if parts is None or not parts[1]:
        raise UsageError(f"{spec}: expected REPO@REV, a folder of a git repository and a revision")
    repository, revision = parts
    folder = git(repository, "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").strip("\n").strip("/")
    return whole(spec, revision_tree(repository, revision), options, folder)


def git(repository: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """The standard output of a git command that only reads. Raises ``UsageError`` with git's own reason."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "--no-replace-objects", "-C", str(repository), *arguments],
            input=data, capture_output=True, check=False, env=environment,
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git is needed to read a revision, and is not installed") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"{repository}: {reason[-1].removeprefix('fatal: ') if reason else 'git failed'}")
    return done.stdout


def commit(repository: Path, revision: str) -> str:
    """The full name of the commit that a revision names."""
    try:
        name = git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except UsageError:
        git(repository, "rev-parse", "--git-dir")  # not a repository at all: git says so itself
        raise UsageError(f"{repository}@{revision}: no such revision") from None
    return name.decode().strip()


def merge_base(repository: Path, revision: str) -> str:
    """The commit where the history of ``revision`` and that of the current commit part."""
    named = commit(repository, revision)
    try:
        return git(repository, "merge-base", named, "HEAD").decode().strip()
    except UsageError:
        raise UsageError(f"{repository}: {revision} and HEAD have no common commit here; is the clone shallow?") from None


def revision_tree(repository: Path, revision: str, prefix: str = "") -> Tree:
    """The Python files of a commit, without build folders; of a folder only (a name that ends in a slash), if one is given."""
    listing = git(repository, "ls-tree", "-r", "-z", "--full-tree", commit(repository, revision))
    blobs: dict[str, str] = {}
    for entry in listing.split(b"\0"):
        meta, _, name = entry.partition(b"\t")
        path = name.decode("utf-8", "surrogateescape")
        if not path.startswith(prefix):
            continue
        path = path.removeprefix(prefix)
        if path.endswith(".py") and meta.startswith(b"100") and _is_source(path):
            blobs[path] = meta.decode().split(" ")[2]
    contents = read_blobs(repository, sorted(set(blobs.values())))
    return Tree.of({path: contents[blob] for path, blob in blobs.items()})


def _is_source(path: str) -> bool:
    return not BUILD_FOLDERS.intersection(path.split("/")[:-1])


def read_blobs(repository: Path, names: list[str]) -> dict[str, bytes]:
    """The contents of blobs by name, in one go."""
    if not names:
        return {}
    output = git(repository, "cat-file", "--batch", data="".join(f"{name}\n" for name in names).encode())
    contents: dict[str, bytes] = {}
    position = 0
    while position < len(output):
        end = output.index(b"\n", position)
        name, kind, *rest = output[position:end].decode().split(" ")
        if kind == "missing":
            raise UsageError(f"{repository}: object {name} is missing: the clone is not complete")
        start, size = end + 1, int(rest[0])
        contents[name] = output[start : start + size]
        position = start + size + 1
    return contents
