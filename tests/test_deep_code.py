"""One odd piece of code does not cost the analysis of everything else: long chains and deep nesting are followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.projects import BUG, fia_lint, write

DEEP = {
    "accesses": "    y = x" + ".a" * 600,
    "calls": "    y = x" + ".f()" * 400,
    "strings": "    y = " + " + ".join(f"'{n}'" for n in range(500)),
    "conditions": "    y = " + " and ".join(f"x.a{n}" for n in range(400)),
    "branches": "    if x == 0:\n        y = 0\n" + "".join(f"    elif x == {n}:\n        y = {n}\n" for n in range(1, 400)),
    "digits": f"    y = {'9' * 3000} * {'9' * 3000}",
    "doublings": "    y = [x]\n" + "    y = y + y\n" * 40,
}


@pytest.mark.parametrize("kind", DEEP)
def test_findings_beside_deep_code(kind: str, tmp_path: Path) -> None:
    """The function stands between the two calls that disagree, and is called by one of them."""
    body = DEEP[kind].replace("\n", "\n    ")
    odd = f"    def odd(self, x):\n    {body}\n        return y\n\n"
    eager = "    def eager(self, q, meta):"
    source = BUG.replace(eager, f"{odd}{eager}\n        self.odd(q)")
    run = fia_lint("check", "--isolated", "--format", "json", write(tmp_path, {"a.py": source}))
    assert run.status == 1, run.err
    assert {code for _, _, _, code in run.found} == {"FIA102", "FIA201"}
