"""Fixtures: small programs that say themselves what the tool must find in them.

A fixture is a file ``tests/fixtures/TOPIC/NAME.py`` or a folder ``tests/fixtures/TOPIC/NAME/``. It is copied to a folder of
its own and run through the public command line. What must come out stands in its comments:

``# FIA101 FIA102``
    These findings stand on this line: exactly these in the whole fixture, and no others.
``# FIA103 when self.causal``
    The same, and this is the condition of the finding.
``# pre_tokens: sliding_window when sliding_window is not None; unbounded when sliding_window is None``
    The call site on this line (of a comment alone on its line: on the next line of code) has this value.
    Keys: the four mask arguments, ``mask`` (the effective mask), ``role``, ``operator``, ``overload``, ``symbol``,
    ``window_aware``, ``via`` (``yes`` for a wrapper's call), ``group`` (a label: one label for each group).
``# site``, ``# site: optional``, ``# unreached``
    There is a call site on this line; there may be one; there is one that no known path reaches.
``# fia-lint: --extend-select FIA901``
    Options for the command line.

Several go into one comment with ``|`` between them; one value may be spread over several comments. Where one comment is about
sites, all sites are listed. A rule that is off by default is switched on in the folder that bears its code. ``NAME.json``
beside a file, or ``expected.json`` in a folder, holds parts of findings (``message`` and ``impact`` as lists of regular
expressions). A folder with a configuration file is run with it, every other fixture with ``--isolated``.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import shutil
import tempfile
import tokenize
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
ARGUMENTS = ("pre_tokens", "next_tokens", "sparse_mode", "atten_mask")
KEYS = (*ARGUMENTS, "mask", "role", "operator", "overload", "symbol", "window_aware", "via", "group", "site", "unreached")
CONFIGURATION = ("fia-lint.toml", "pyproject.toml", "setup.cfg", "tox.ini")

_FINDING = re.compile(r"(?P<codes>FIA\d{3}(?: FIA\d{3})*)(?: when (?P<when>.+))?")
#: Conditions that are no expression: each is one name.
_IN_WORDS = re.compile(
    r"the loop at line \d+ (?:runs|is left early)|an exception is caught at line \d+|how far the try block came"
)
_FACT = re.compile(rf"(?P<key>{'|'.join(KEYS)})(?:: (?P<value>.+))?")


@dataclass
class Expected:
    """What the comments of a fixture say. Places are ``(path, line)`` with paths relative to the fixture."""

    findings: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    conditions: dict[tuple[str, int, str], str] = field(default_factory=dict)
    sites: dict[tuple[str, int], dict[str, str]] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    parts: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Fixture:
    """One fixture: ``path`` is its file or folder."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(FIXTURES).with_suffix("").as_posix()

    @property
    def topic(self) -> str:
        return self.path.parent.name

    @property
    def files(self) -> dict[str, Path]:
        """Relative path → file, of everything that belongs to the fixture."""
        if self.path.is_file():
            return {self.path.name: self.path}
        found = (p for p in sorted(self.path.rglob("*")) if p.is_file() and p.suffix != ".pyc")
        return {p.relative_to(self.path).as_posix(): p for p in found if p.name != "expected.json"}

    @property
    def sidecar(self) -> Path:
        return self.path.with_suffix(".json") if self.path.is_file() else self.path / "expected.json"

    @cached_property
    def expected(self) -> Expected:
        """What the fixture's own comments and its sidecar say."""
        result = Expected()
        if self.topic.startswith("FIA"):
            result.options += ["--extend-select", self.topic]
        for path, file in self.files.items():
            if file.suffix == ".py":
                read_comments(path, file.read_bytes(), result)
        if self.sidecar.exists():
            result.parts = json.loads(self.sidecar.read_text(encoding="utf-8"))
        return result

    def run(self, command: str, options: list[str]) -> tuple[int, dict[str, Any]]:
        """Exit status and JSON output of ``fia-lint COMMAND`` on a copy of the fixture."""
        from fia_lint.cli import main

        with tempfile.TemporaryDirectory(prefix="fia-lint-") as folder:
            target = Path(folder) / "project"
            for path, file in self.files.items():
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target / path)
            configured = any((target / name).exists() for name in CONFIGURATION)
            flags = [] if configured else ["--isolated"]
            output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
            with contextlib.redirect_stdout(output):
                status = main([command, *flags, "--format", "json", *options, str(target)])
            text = output.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]
        return status, json.loads(text)


def fixtures() -> list[Fixture]:
    """All fixtures, in the order of their names."""
    found = []
    for topic in sorted(FIXTURES.iterdir()):
        if topic.is_dir():
            found += [Fixture(p) for p in sorted(topic.iterdir()) if p.suffix == ".py" or _is_project(p)]
    return found


def _is_project(path: Path) -> bool:
    return path.is_dir() and path.name != "__pycache__"


# ------------------------------------------------------------------------------------------------ reading comments


def read_comments(path: str, data: bytes, into: Expected) -> None:
    """Add the expectations in the comments of one file."""
    for line, target, text in _comments(data):
        for part in text.split(" | "):
            part = part.strip()
            if part.startswith("fia-lint:"):
                into.options += part.removeprefix("fia-lint:").split()
            elif match := _FINDING.fullmatch(part):
                for code in match["codes"].split():
                    into.findings[path, line, code] += 1
                    if match["when"]:
                        into.conditions[path, line, code] = match["when"]
            elif match := _FACT.fullmatch(part):
                facts = into.sites.setdefault((path, target), {})
                earlier = f"{facts[match['key']]}; " if match["key"] in facts else ""
                facts[match["key"]] = earlier + (match["value"] or "yes")


def _comments(data: bytes) -> list[tuple[int, int, str]]:
    """``(own line, line of code it is about, text)`` of every comment."""
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(data).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
    code = sorted({t.start[0] for t in tokens if t.type not in layout} | {t.end[0] for t in tokens if t.type not in layout})
    found = []
    for token in tokens:
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            target = next((n for n in code if n >= line), line)
            found.append((line, target, token.string.lstrip("#").strip()))
    return found


# ------------------------------------------------------------------------------------------------ comparing values


def cases(text: str) -> list[tuple[str, str]]:
    """``a when x; b when y`` as ``[(x, a), (y, b)]``; a value alone holds always."""
    found = []
    for part in text.split("; "):
        value, _, when = part.partition(" when ")
        found.append((when.strip() or "always", value.strip()))
    return found


def difference(expected: list[tuple[str, str]], actual: list[tuple[str, str]]) -> str | None:
    """In which situation two lists of ``(when, value)`` differ, or None if they are one function.

    Conditions are compared by what they mean, not by their words: both sides are tried on all assignments of
    a few values to what is tested.
    """
    if len(expected) == 1 and "sliding_window" not in expected[0][0] and actual == [("always", expected[0][1])]:
        return None  # a path that decides nothing may be left out
    names = _Names()
    left = [(names.condition(when), value) for when, value in expected]
    right = [(names.condition(when), value) for when, value in actual]
    for assignment in names.assignments():
        try:
            wanted = [value for when, value in left if eval(when, {}, assignment)]  # noqa: S307
            got = [value for when, value in right if eval(when, {}, assignment)]  # noqa: S307
        except TypeError:
            continue  # None < 0: there is no such situation
        if len(got) != len(wanted) or not all(map(same_value, wanted, got)):
            where = ", ".join(f"{text} = {assignment[name]!r}" for text, name in names.found.items())
            return f"{wanted or 'nothing'} expected, {got or 'nothing'} found where {where or 'always'}"
    return None


def same_condition(expected: str, actual: str) -> bool:
    return difference([(expected, "yes")], [(actual, "yes")]) is None


def same_value(expected: str, actual: str) -> bool:
    """Whether two terms are equal: as text, or as arithmetic over the same names."""
    if expected.replace(" ", "") == actual.replace(" ", ""):
        return True
    try:
        results = []
        for text in (expected, actual):
            names = _Names()
            code = names.term(text)
            scope = {name: sum(ord(c) * 31**i for i, c in enumerate(key)) % 10007 for key, name in names.found.items()}
            results.append(eval(code, {"min": min, "max": max}, scope))  # noqa: S307
        return bool(results[0] == results[1])
    except Exception:
        return False


class _Names(ast.NodeTransformer):
    """Makes conditions and terms runnable: what is not arithmetic, logic or a constant becomes a variable."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.constants: set[object] = set()
        self.window_tests = ""

    def condition(self, text: str) -> Any:
        if text == "always":
            text = "True"
        if "sliding_window" in text:
            self.window_tests += f" {text}"
        return self._compile(text)

    def term(self, text: str) -> Any:
        return self._compile(text)

    def _compile(self, text: str) -> Any:
        text = _IN_WORDS.sub(lambda found: found[0].replace(" ", "_"), text)
        tree = ast.Expression(self.visit(ast.parse(text.strip(), mode="eval").body))
        return compile(ast.fix_missing_locations(tree), "<fixture>", "eval")

    def assignments(self) -> list[dict[str, Any]]:
        """Every combination of telling values."""
        result: list[dict[str, Any]] = [{}]
        for text, name in self.found.items():
            values = self._window_values() if text == "sliding_window" else self._values()
            result = [{**known, name: value} for known in result for value in values]
        return result

    def _window_values(self) -> list[Any]:
        """A window, and the sentinels that the conditions speak of."""
        text = self.window_tests
        sentinels: list[Any] = [-1] if re.search(r"-1|>= 0|< 0", text) else []
        if not sentinels and re.search(r"[=><] [01]\b", text):
            sentinels = [0]
        if not sentinels or "None" in text:
            sentinels.append(None)
        return [512, *sentinels]

    def _values(self) -> list[Any]:
        numbers = {c + d for c in self.constants if isinstance(c, int) for d in (-1, 0, 1)}
        return [None, False, True, *sorted(numbers), *sorted(c for c in self.constants if isinstance(c, str)), "another"]

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, (int, str)) and not isinstance(node.value, bool):
            self.constants.add(node.value)
        return node

    def _variable(self, node: ast.expr) -> ast.expr:
        text = ast.unparse(node)
        parts = text.split(".")
        if isinstance(node, ast.Attribute) and any(part[:1].isupper() for part in parts[:-1]):
            self.constants.add(text)  # a member of an enumeration
            return ast.Constant(text)
        if isinstance(node, ast.Attribute):
            text = f".{node.attr}"  # attributes of one name are one thing
        return ast.Name(self.found.setdefault(text, f"v{len(self.found)}"), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            node.args = [self.visit(argument) for argument in node.args]
            return node
        return self._variable(node)

    visit_Name = visit_Attribute = visit_Subscript = _variable  # type: ignore[assignment]


# ------------------------------------------------------------------------------------------------ comparing output


def wrong_findings(expected: Expected, output: dict[str, Any]) -> list[str]:
    """What is wrong about the findings, one line each."""
    found = Counter((f["path"], f["line"], f["code"]) for f in output["findings"])
    wrong = [f"missing: {_place(key)}" for key in sorted((expected.findings - found).elements())]
    extra = found - expected.findings
    for finding in output["findings"]:
        key = (finding["path"], finding["line"], finding["code"])
        if extra[key] > 0:
            extra[key] -= 1
            wrong.append(f"unexpected: {_place(key)} {finding['message']} [{finding['condition']}]")
        elif key in expected.conditions and not same_condition(expected.conditions[key], finding["condition"]):
            wrong.append(f"condition of {_place(key)}: {finding['condition']}, not {expected.conditions[key]}")
    wrong += [f"no finding like {part}" for part in expected.parts if not any(map(_like(part), output["findings"]))]
    return wrong


def _place(key: tuple[str, int, str]) -> str:
    return f"{key[0]}:{key[1]} {key[2]}"


def _like(part: dict[str, Any]) -> Any:
    """A test whether a finding has what ``part`` says."""

    def one(finding: dict[str, Any], key: str, value: Any) -> bool:
        actual = finding[key]
        if key in ("message", "impact"):
            return all(re.search(pattern, actual) for pattern in value)
        if key == "condition":
            return same_condition(value, actual)
        if key in ("related", "origin"):
            return all(any(item.items() <= other.items() for other in actual) for item in value)
        return bool(actual == value)

    return lambda finding: all(one(finding, key, value) for key, value in part.items())


def wrong_sites(expected: Expected, output: dict[str, Any]) -> list[str]:
    """What is wrong about the sites and their values, one line each."""
    actual: dict[tuple[str, int], dict[str, Any]] = {}
    wrong = []
    for site in output["sites"]:
        if (site["path"], site["line"]) in actual:
            wrong.append(f"two sites at {site['path']}:{site['line']}")
        actual[site["path"], site["line"]] = site
    required = {place for place, facts in expected.sites.items() if facts.get("site") != "optional"}
    wrong += [f"no site at {path}:{line}" for path, line in sorted(required - actual.keys())]
    wrong += [f"unexpected site at {path}:{line}" for path, line in sorted(actual.keys() - expected.sites.keys())]
    groups: dict[str, str] = {}
    for place in sorted(expected.sites.keys() & actual.keys()):
        for key, text in expected.sites[place].items():
            problem = _wrong_fact(key, text, actual[place], groups)
            if problem:
                wrong.append(f"{place[0]}:{place[1]} {key}: {problem}")
    return wrong


def _wrong_fact(key: str, text: str, site: dict[str, Any], groups: dict[str, str]) -> str | None:
    if key == "site":
        return None
    if key == "group":
        label = groups.setdefault(site["group"], text)
        clash = label != text or list(groups.values()).count(text) > 1
        return f"{text} expected, {site['group']} is {label}" if clash else None
    if key == "unreached":
        return None if site.get("unreached") else "reached"
    if key in ARGUMENTS or key == "mask":
        found = site["mask"] if key == "mask" else site["arguments"][key]["cases"]
        return difference(cases(text), [(case["when"], case["value"]) for case in found])
    value = "yes" if site[key] is True or (key == "via" and site[key]) else "no" if site[key] in (False, []) else site[key]
    return None if value == text else f"{text} expected, {value} found"
