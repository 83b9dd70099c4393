"""Suppression comments: one answer in every front end, and those that suppress nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from fia_lint.extract.noqa import suppressions
from fia_lint.suppress import Suppressions
from tests.front_ends import flake8, places
from tests.projects import BUG, LINE, fia_lint, write

BOTH = ["FIA102", "FIA201"]
CALL = "return torch_npu.npu_fused_infer_attention_score(\n                q, q, q, pre_tokens=self.sliding_window,\n"


def codes(tmp_path: Path, source: str) -> list[str]:
    write(tmp_path, {"a.py": source})
    return [f[3] for f in fia_lint("check", "--isolated", "--format", "json", tmp_path / "a.py").found]


def on_the_argument(comment: str) -> str:
    return BUG.replace("next_tokens=1,", f"next_tokens=1,  {comment}")


def on_the_call(comment: str) -> str:
    return BUG.replace(CALL, CALL.replace("(\n", f"(  {comment}\n"))


@pytest.mark.parametrize("place", [on_the_argument, on_the_call])
@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# noqa", []),
        ("# NOQA: why not", []),
        ("# noqa: FIA102", ["FIA201"]),
        ("# noqa:FIA102,FIA201", []),
        ("# noqa: E501 FIA2", ["FIA102"]),
        ("# noqa: E501", BOTH),
        ("# noqa: FIA9", BOTH),
        ("# not noqa", BOTH),
    ],
)
def test_a_comment(place: object, comment: str, left: list[str], tmp_path: Path) -> None:
    assert codes(tmp_path, place(comment)) == left  # type: ignore[operator]


def test_elsewhere_a_comment_has_no_effect(tmp_path: Path) -> None:
    assert codes(tmp_path, BUG.replace("meta.mask,\n            )", "meta.mask,\n            )  # noqa")) == BOTH


def test_a_whole_file(tmp_path: Path) -> None:
    assert codes(tmp_path, f"# flake8: noqa\n{BUG}") == []
    assert codes(tmp_path, f"x = 1  # flake8: noqa\n{BUG}") == BOTH


@pytest.mark.parametrize("comment", ["# flake8: noqa", "# flake8: noqa: FIA102", "  # Flake8=NoQA why", "# flake8: noqa: E501"])
def test_a_whole_file_as_flake8_has_it(comment: str, tmp_path: Path) -> None:
    """Two answers to one comment would be a finding in the editor and none in CI, or the other way round."""
    defaults = pytest.importorskip("flake8.defaults")
    assert defaults.NOQA_FILE.match(comment)
    assert codes(tmp_path, f"{BUG}\n{comment}\n") == []
    assert places(flake8(tmp_path, "a.py"), "a.py") == []
    assert len(places(flake8(tmp_path, "--disable-noqa", "a.py"), "a.py")) == 2


def test_continued_lines_are_one(tmp_path: Path) -> None:
    source = "x = 1 + \\\n    2  # noqa: FIA102\ny = '''\na\n'''  # noqa\nz = f(\n  1,  # noqa\n)\n"
    known = Suppressions(suppressions(source))
    assert [known.suppresses("FIA102", [line]) for line in range(1, 9)] == [True, True, True, True, True, False, True, False]
    assert [known.suppresses("FIA201", [line]) for line in range(1, 4)] == [False, False, True]


def test_text_in_a_string_counts_on_all_its_lines_as_in_flake8() -> None:
    known = Suppressions(suppressions("x = '''\n# noqa: FIA102\n'''\ny = 1\n"))
    assert [known.suppresses("FIA102", [line]) for line in range(1, 5)] == [True, True, True, False]
    assert known.unused([], ["FIA102"]) == []


def test_unused_suppressions_without_any_operator(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1  # noqa: FIA102\n"})
    run = fia_lint("check", "--isolated", "--report-unused-noqa", tmp_path)
    assert (run.status, run.out) == (1, "a.py:1:8: unused suppression of FIA102\n")


def test_unused_suppressions_in_chinese(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1  # noqa: FIA102\n"})
    run = fia_lint("check", "--isolated", "--report-unused-noqa", "--language", "zh", tmp_path)
    assert run.out == "a.py:1:8: 没有屏蔽任何问题的注释：FIA102\n"


def test_unused_suppressions(tmp_path: Path) -> None:
    source = (
        on_the_argument("# noqa: FIA102, FIA101")
        + "x = 1  # noqa: FIA201\ny = 1  # noqa\nz = '# noqa: FIA102'\nw = 1  # noqa: FIA106\n"
    )
    write(tmp_path, {"a.py": source, "b.py": "x = 1  # noqa: E501, FIA1\n"})
    run = fia_lint("check", "--isolated", "--select", "FIA102", "--report-unused-noqa", tmp_path)
    assert run.status == 1
    assert run.out.splitlines() == ["b.py:1:8: unused suppression of FIA1"]
    run = fia_lint("check", "--isolated", "--ignore", "FIA201", "--report-unused-noqa", "--format", "json", tmp_path)
    assert [(u["path"], u["line"], u["message"]) for u in run.json["unused_suppressions"]] == [
        ("a.py", LINE, "unused suppression of FIA101"),
        ("b.py", 1, "unused suppression of FIA1"),
    ]
