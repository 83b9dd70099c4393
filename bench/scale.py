"""Programs that make a naive analysis explode: right, or unknown with the bound named, each within 10 s and 600 MiB.

    python bench/scale.py [NAME …]

Each program is analysed by a process of its own, whose processor time and memory are measured.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.conditions import parse  # noqa: E402

SECONDS, MEBIBYTES = 10.0, 600.0
PATIENCE, ADDRESS_SPACE = 90, 4 << 30
_BOUND = re.compile(r"(?i)bound|limit|budget|max|terms|nodes|depth|recurs")

Flags = Mapping[str, bool]
#: What ``pre_tokens`` is under an assignment of the flags ``flags.f0``, ``flags.f1`` …; None where the call is not reached.
Truth = Callable[[Flags], "str | None"]


@dataclass(frozen=True)
class Stress:
    """A program, the number of its flags, and the truth about ``pre_tokens`` at its (last) call."""

    name: str
    text: str
    flags: int
    truth: Truth
    sites: int = 1
    findings: frozenset[tuple[int, str]] | None = None


@dataclass(frozen=True)
class Measured:
    seconds: float
    mebibytes: float
    problem: str
    unknown: str


# ------------------------------------------------------------------------------------------------ programs

_CALL = """torch_npu.npu_fused_infer_attention_score(
            query, key, value, num_heads=8, atten_mask=flags.mask, sparse_mode=4, {arguments})[0]
"""


def program(body: list[str], arguments: str = "pre_tokens=pre, next_tokens=0", before: str = "") -> str:
    """A class whose ``forward`` runs the lines of the body and calls the operator."""
    lines = "".join(f"        {line}\n" for line in body)
    call = _CALL.format(arguments=arguments)
    head = "import torch_npu\n\n"
    return f"{head}{before}\nclass Attention:\n    def forward(self, query, key, value, flags):\n{lines}        return {call}"


def programs() -> Iterator[Stress]:
    count = range(300)
    overwrite = [line for i in count for line in (f"if flags.f{i}:", f"    pre = {i + 1}")]
    yield Stress("300 ifs that overwrite", program(["pre = 0", *overwrite]), 300, _last)
    add = [line for i in count for line in (f"if flags.f{i}:", "    pre += 1")]
    yield Stress("300 ifs that add", program(["pre = 0", *add]), 300, lambda f: str(sum(f.values())))
    window = [line for i in count for line in (f"if flags.f{i}:", f"    pre = self.sliding_window + {i}")]
    yield Stress("300 ifs that overwrite by the window", program(["pre = self.sliding_window", *window]), 300, _last_window)
    leave = [line for i in count for line in (f"if flags.f{i}:", "    return None")]
    yield Stress("300 early returns", program([*leave, "pre = 512"]), 300, lambda f: None if any(f.values()) else "512")
    choose = [line for i in count for line in (f"    if flags.f{i}:", f"        return {i + 1}")]
    helper = "\n".join(["def choose(flags):", *choose, "    return 0", ""])
    yield Stress("300 early returns with values", program(["pre = choose(flags)"], before=helper), 300, _first)
    raised = [line for i in count for line in (f"if flags.f{i}:", "    raise ValueError")]
    yield Stress("300 raises", program([*raised, "pre = 512"]), 300, lambda f: None if any(f.values()) else "512")
    nested = " else ".join(f"{i + 1} if flags.f{i}" for i in range(200))
    yield Stress("200 nested conditional expressions", program([f"pre = {nested} else 0"]), 200, _first)
    yield from _more()


def _more() -> Iterator[Stress]:
    levels = [f"{'    ' * i}if flags.f{i}:" for i in range(80)] + [f"{'    ' * 80}pre = 1"]
    yield Stress("80 nested ifs", program(["pre = 0", *levels]), 80, lambda f: "1" if all(f.values()) else "0")
    keys = [line for i in range(100) for line in (f"if flags.f{i}:", f'    kwargs["{_key(i)}"] = {i + 1}')]
    text = program(["kwargs = {}", *keys], "next_tokens=0, **kwargs")
    yield Stress("100 conditional keys of a dict", text, 100, lambda f: "51" if f["f50"] else "unbounded")
    loop = ["pre = 0", "while flags.more():", "    for other in flags.many:", "        pre = pre + other"]
    yield Stress("nested loops", program(loop), 0, lambda f: "unknown")
    yield _many_sites(5000)
    yield _recursive_wrappers()
    yield _chain_of_wrappers(60)
    match = [line for i in range(300) for line in (f"    case {i}:", f"        pre = {i + 1}")]
    text = program(["pre = 0", "match flags.kind:", *match])
    yield Stress("a match with 300 cases", text, 0, lambda f: None)
    doubled = [f"v{i + 1} = v{i} + v{i} if flags.f{i} else v{i}" for i in range(60)]
    yield Stress("60 doublings", program(["v0 = 1", *doubled, "pre = v60"]), 60, lambda f: _power(sum(f.values())))


def _power(exponent: int) -> str:
    return str(2**exponent) if exponent < 31 else "unbounded"


def _key(number: int) -> str:
    return "pre_tokens" if number == 50 else f"key{number}"


def _last(flags: Flags) -> str:
    return str(max((int(name[1:]) + 1 for name, on in flags.items() if on), default=0))


def _last_window(flags: Flags) -> str:
    last = max((int(name[1:]) for name, on in flags.items() if on), default=0)
    return f"sliding_window + {last}" if last else "sliding_window"


def _first(flags: Flags) -> str:
    return str(min((int(name[1:]) + 1 for name, on in flags.items() if on), default=0))


def _many_sites(number: int) -> Stress:
    """Many calls in one file, in as many methods; one of them looks ahead."""
    parts = ["import torch_npu\n\n\nclass Attention:"]
    for i in range(number):
        ahead = int(i == number // 2)
        call = "torch_npu.npu_fused_infer_attention_score(query, key, value, num_heads=8, atten_mask=flags.mask, sparse_mode=4,"
        parts.append(f"    def forward_{i}(self, query, key, value, flags):\n        return {call}")
        parts.append(f"            pre_tokens=self.sliding_window, next_tokens={ahead})[0]\n")
    line = 4 + (number // 2) * 4 + 2
    wrong = frozenset({(line, "FIA102"), (line, "FIA201")})
    return Stress(f"{number} calls in a file", "\n".join(parts), 0, lambda f: "sliding_window", number, wrong)


def _recursive_wrappers() -> Stress:
    """Two wrappers that call one another."""
    text = """import torch_npu


class Attention:
    def even(self, query, key, value, flags, pre, n):
        if n:
            return self.odd(query, key, value, flags, pre, n - 1)
        return torch_npu.npu_fused_infer_attention_score(
            query, key, value, num_heads=8, atten_mask=flags.mask, sparse_mode=4, pre_tokens=pre, next_tokens=0)[0]

    def odd(self, query, key, value, flags, pre, n):
        return self.even(query, key, value, flags, pre, n - 1)

    def forward(self, query, key, value, flags):
        return self.odd(query, key, value, flags, self.sliding_window, 7)
"""
    return Stress("mutually recursive wrappers", text, 0, lambda f: "sliding_window", sites=4)


def _chain_of_wrappers(length: int) -> Stress:
    """Wrappers of wrappers, deeper than any bound."""
    parts = ["import torch_npu\n\n\ndef call_0(query, key, value, flags, pre):\n    return " + _CALL.format(
        arguments="pre_tokens=pre, next_tokens=0")]
    for i in range(1, length):
        parts.append(f"def call_{i}(query, key, value, flags, pre):\n    return call_{i - 1}(query, key, value, flags, pre)\n")
    parts.append(f"def forward(query, key, value, flags, layer):\n    return call_{length - 1}(query, key, value, flags, 512)\n")
    return Stress(f"{length} wrappers of one another", "\n\n".join(parts), 0, lambda f: "512", sites=length + 1)


# ------------------------------------------------------------------------------------------------ measuring


def measure(stress: Stress) -> Measured:
    """Analyse a program in a process of its own and check what it says."""
    with tempfile.TemporaryDirectory(prefix="fia-lint-scale-") as folder:
        target = Path(folder) / "attention.py"
        target.write_text(stress.text)
        output = Path(folder) / "output.json"
        options = ["--isolated", "--no-cache", "--jobs", "1", "--extend-select", "FIA901", "--output", str(output)]
        command = [sys.executable, "-m", "fia_lint", "audit", "--format", "json", *options, str(target)]
        status, seconds, mebibytes, errors = _run(command)
        if status not in (0, 1):
            return Measured(seconds, mebibytes, f"exit status {status}: {errors.strip()[-300:]}", "")
        audit = json.loads(output.read_text())
    problem, unknown = verify(stress, audit)
    return Measured(seconds, mebibytes, problem, unknown)


def _run(command: list[str]) -> tuple[int, float, float, str]:
    """Exit status, processor seconds, peak memory in MiB, and what was written to standard error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=environment, preexec_fn=_limit)
        deadline = time.monotonic() + PATIENCE
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                process.send_signal(signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def verify(stress: Stress, audit: dict[str, Any]) -> tuple[str, str]:
    """What is wrong with the audit ("" if nothing), and the bound that an unknown names ("" if it is known)."""
    sites = audit["sites"]
    if len(sites) != stress.sites:
        return f"{len(sites)} sites, not {stress.sites}", ""
    if stress.findings is not None:
        found = {(f["call"]["line"], f["code"]) for f in audit["findings"] if f["code"] != "FIA901"}
        if found != stress.findings:
            return f"findings {sorted(found)[:5]}", ""
    cases = sites[-1]["arguments"]["pre_tokens"]["cases"]
    unknown = any(case["value"] == "unknown" for case in cases)
    reasons = [f["message"] for f in audit["findings"] if f["code"] == "FIA901" and f["argument"] == "pre_tokens"]
    named = next((reason for reason in reasons if _BOUND.search(reason)), "")
    if unknown and not reasons:
        return "unknown without a reason", ""
    if unknown and stress.flags and not named:
        return f"unknown, and no bound is named: {reasons[0]}", ""
    return _wrong_value(stress, cases), (named or reasons[0]) if unknown else ""


def _wrong_value(stress: Stress, cases: list[dict[str, str]]) -> str:
    """A situation in which the printed value is wrong, over random assignments of the flags."""
    formulas = [(parse(case["when"]), case["value"]) for case in cases]
    generator = random.Random(7)
    for attempt in range(60):
        share = (0.0, 1.0, 0.5, 0.01, 0.99)[attempt % 5]
        flags = {f"f{i}": generator.random() < share for i in range(stress.flags)}
        right = stress.truth(flags)
        if right is not None:
            atoms = _Atoms(flags)
            found = [value for formula, value in formulas if formula.holds(512, atoms)]
            if len(found) != 1 or found[0] not in ("unknown", right):
                return f"{right} expected, {found} found where {[name for name, on in flags.items() if on][:10]}"
    return ""


class _Atoms(dict[str, bool]):
    """``flags.f7`` → whether it is set."""

    def __init__(self, flags: Flags) -> None:
        super().__init__({f"flags.{name}": on for name, on in flags.items()})


def main(names: list[str]) -> int:
    failed = False
    print("| program | seconds | MiB | result |\n| --- | --- | --- | --- |")
    for stress in programs():
        if not names or any(name in stress.name for name in names):
            measured = measure(stress)
            over = measured.seconds > SECONDS or measured.mebibytes > MEBIBYTES
            result = measured.problem or (f"unknown: {measured.unknown}" if measured.unknown else "right")
            failed = failed or over or bool(measured.problem)
            mark = " **over**" if over else ""
            print(f"| {stress.name} | {measured.seconds:.1f} | {measured.mebibytes:.0f} | {result}{mark} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
