"""Small projects that tests write to disk."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: An eager and a captured call that disagree about ``next_tokens``; the wrong one stands on line 18, its value in column 25.
BUG = """\
import torch_npu


class Backend:
    def __init__(self, sliding_window):
        self.sliding_window = sliding_window

    def eager(self, q, meta):
        if self.sliding_window is not None:
            return torch_npu.npu_fused_infer_attention_score(
                q, q, q, pre_tokens=self.sliding_window, next_tokens=0, sparse_mode=4, atten_mask=meta.mask
            )

    def decode(self, q, meta):
        if self.sliding_window is not None:
            return torch_npu.npu_fused_infer_attention_score(
                q, q, q, pre_tokens=self.sliding_window,
                next_tokens=1,
                sparse_mode=4, atten_mask=meta.mask,
            )
"""
GOOD = BUG.replace("next_tokens=1", "next_tokens=0")
CLEAN = "def f(x):\n    return x\n"
LINE, COLUMN, CALL_LINE = 18, 29, 16


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder, which is made if need be."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root


def git(folder: Path, *arguments: str) -> str:
    """Run git as nobody in particular."""
    identity = ["-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, message: str = "a commit") -> str:
    """Commit everything; the name of the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


@dataclass(frozen=True)
class Run:
    """What a run of the program left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def found(self) -> list[tuple[str, int, int, str]]:
        """Path, line, column and code of every finding in JSON."""
        return [(f["path"], f["line"], f["column"], f["code"]) for f in self.json["findings"]]


def fia_lint(*arguments: str | Path, stdin: bytes = b"") -> Run:
    """Run the command line in this process, without a cache of an earlier run."""
    from unittest import mock

    from fia_lint.cli import main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline=""), io.StringIO()
    source = mock.Mock(buffer=io.BytesIO(stdin))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("sys.stdin", source):
        words = [str(argument) for argument in arguments]
        flags = ["--no-cache", "--jobs", "1"] if words[:1] in (["check"], ["audit"]) else []
        status = main([*words[:1], *flags, *words[1:]])
        out.flush()
    data = out.buffer.getvalue()  # type: ignore[attr-defined]
    return Run(status, data.decode("utf-8"), err.getvalue())
