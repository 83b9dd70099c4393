"""Arguments that outlive the function: captured under an attribute of a module-level object, read back for the replay."""

from __future__ import annotations

from tests.oracle.calls import NAME, Doubtful, finish
from tests.oracle.dicts import ARGUMENTS
from tests.oracle.entries import begin, finish_entry
from tests.oracle.forms import counted
from tests.oracle.values import condition, literal
from tests.oracle.writer import Block, Class, Module, Parameter, Program, Step

counted(
    "container.tuple", "container.concatenation", "container.conditional_concatenation", "container.dict",
    "container.dataclass",
    "container.list", "container.append", "container.extend", "container.setdefault", "container.assign", "container.subscript",
    "container.loop", "container.index", "container.starred", "container.overwritten_slot", "container.same_class",
    "container.other_module", "container.two_shapes",
    "container.holder_class", "container.holder_namespace", "container.holder_dataclass", "container.holder_bare",
)  # fmt: skip


STYLES = ("tuple", "tuple", "concatenation", "conditional_concatenation", "dict", "dataclass", "list", "two_shapes")


class Pair:
    """A capture method and the update function that replays it."""

    def __init__(self, p: Program, owner: Class, depth: int) -> None:
        self.p, self.owner, self.depth = p, owner, depth
        self.module = p.module(owner.module)
        self.slot = p.fresh("attn_params")
        self.state = p.module("consts")
        self.state.want("from collections import defaultdict")
        self.holder = p.fresh("graph_params_")
        self.place = f"{self.holder}.{self.slot}"
        self._hold()
        self.compute = Doubtful()
        self.names = [name for name in ARGUMENTS if p.chance(85)] or ["pre_tokens"]
        self.local = {name: p.fresh("a") for name in self.names}
        self.style = p.pick(STYLES)
        self.record = ""

    def _hold(self) -> None:
        """The object that holds the container, or the container itself."""
        p, lines = self.p, self.state.constants
        style = p.pick(["class", "namespace", "dataclass", "bare"])
        p.count(f"container.holder_{style}")
        name = p.fresh("GraphParams")
        if style == "class":
            lines += [f"class {name}:", "    def __init__(self):", f"        self.{self.slot} = defaultdict(list)", ""]
            lines.append(f"{self.holder} = {name}()")
        elif style == "namespace":
            self.state.want("from types import SimpleNamespace")
            lines.append(f"{self.holder} = SimpleNamespace({self.slot}=defaultdict(list))")
        elif style == "dataclass":
            self.state.want("from dataclasses import dataclass, field")
            default = "field(default_factory=lambda: defaultdict(list))"
            lines += ["@dataclass", f"class {name}:", f"    {self.slot}: dict = {default}", ""]
            lines.append(f"{self.holder} = {name}()")
        else:
            lines.append(f"{self.holder} = defaultdict(list)")
            self.place = self.holder

    def write(self) -> None:
        p = self.p
        name = p.fresh("capture_")
        b, parameters = begin(p, self.module, self.owner)
        self._capture(b)
        finish_entry(p, self.module, self.owner, name, b, parameters)
        update = self._update()
        # A tuple of one length must not stand in two classes that feed one update in one run: one capture per run.
        for cls in [self.owner, *(c for c in p.classes if c.base is self.owner)]:
            p.scenarios.append([Step(cls.module, name, parameters, cls.name), update])

    # capture ------------------------------------------------------------------------------------

    def _capture(self, b: Block) -> None:
        p = self.p
        for name in self.names:
            b.put(f"{self.local[name]} = {self.compute(b, name, self.depth)}")
        b.module.want("import torch")
        b.module.want("import torch_npu")
        b.module.want(f"from .consts import {self.holder}")
        words = "".join(f", {name}={local}" for name, local in self.local.items())
        b.put("torch.npu.graph_task_group_begin(None)")
        finish(b, f"torch_npu.{NAME}.out(q, k, v{words}, workspace=None, out=[q, v])", self.compute.names)
        b.put("handle = torch.npu.graph_task_group_end(None)")
        p.count(f"container.{self.style}")
        stored = getattr(self, f"_{self.style}")(b)
        place = self.place
        how = p.pick(["append", "append", "extend", "setdefault", "assign"])
        p.count(f"container.{how}")
        if how == "append":
            b.put(f"{place}[1].append({stored})")
        elif how == "extend":
            b.put(f"{place}[1].extend([{stored}])")
        elif how == "setdefault":
            b.put(f"{place}.setdefault(1, []).append({stored})")
        else:
            b.put(f"{place}[1] = [{stored}]")

    def _slots(self) -> list[tuple[str, str]]:
        """``(name of the update's variable, what capture stores)``; the mask arguments among other things."""
        if not hasattr(self, "slots"):
            p = self.p
            slots = [(f"u_{self.local[name]}", self.local[name]) for name in self.names]
            slots += [(p.fresh("s"), p.pick(["q", "k", "v", "handle", "None", "7"])) for _ in range(p.number(2, 4))]
            p.rng.shuffle(slots)
            self.slots = slots
        return self.slots

    def _tuple(self, b: Block) -> str:
        return f"({', '.join(text for _, text in self._slots())})"

    def _list(self, b: Block) -> str:
        return f"[{', '.join(text for _, text in self._slots())}]"

    def _concatenation(self, b: Block) -> str:
        texts = [text for _, text in self._slots()]
        cut, name = self.p.number(1, len(texts) - 1), self.p.fresh("t")
        b.put(f"{name} = ({', '.join(texts[:cut])},)")
        b.put(f"{name} = {name} + ({', '.join(texts[cut:])},)" if self.p.chance(50) else f"{name} += ({', '.join(texts[cut:])},)")
        return name

    def _conditional_concatenation(self, b: Block) -> str:
        """Both branches add as many slots, with other values; one of them feeds an argument."""
        name = self.p.fresh("t")
        texts = [text for _, text in self._slots()]
        b.put(f"{name} = ({', '.join(texts)})")
        b.child(f"if {condition(b, 1)}:").put(f"{name} = {name} + ({literal(b)}, None)")
        b.child("else:").put(f"{name} = {name} + ({literal(b)}, q)")
        self.slots = [*self._slots(), (self.p.fresh("s"), ""), (self.p.fresh("s"), "")]
        return name

    def _dict(self, b: Block) -> str:
        pairs = ", ".join(f'"{name}": {text}' for name, text in self._slots())
        return f"{{{pairs}}}" if self.p.chance(60) else f"dict({', '.join(f'{n}={t}' for n, t in self._slots())})"

    def _dataclass(self, b: Block) -> str:
        self.record = self.p.fresh("Captured")
        self.state.want("from dataclasses import dataclass")
        fields = [f"    {name}: object" for name, _ in self._slots()]
        self.state.constants += ["@dataclass", f"class {self.record}:", *fields, ""]
        b.module.want(f"from .consts import {self.record}")
        return f"{self.record}({', '.join(f'{name}={text}' for name, text in self._slots())})"

    def _two_shapes(self, b: Block) -> str:
        """A record of another type stands in the same container."""
        other = self.p.fresh("Other")
        self.state.want("from dataclasses import dataclass")
        self.state.constants += ["@dataclass", f"class {other}:", "    n_other: object", ""]
        b.module.want(f"from .consts import {other}")
        b.put(f"{self.place}[1].append({other}({literal(b)}))")
        self.other = other
        return self._tuple(b)

    # update -------------------------------------------------------------------------------------

    def _update(self) -> Step:
        p = self.p
        same = p.chance(35)
        p.count("container.same_class" if same else "container.other_module")
        module: Module = self.module if same else p.module("replay")
        module.want("import torch")
        module.want("import torch_npu")
        module.want(f"from .consts import {self.holder}")
        b = Block(p, module, [], indent=2 if same else 1)
        name = p.fresh("update_")
        self._read(b)
        if same:
            self.owner.methods += ["    @staticmethod", f"    def {name}(stream):", *b.lines, ""]
        else:
            module.body += [f"def {name}(stream):", *b.lines, "", ""]
        return Step(module.name, f"{self.owner.name}.{name}" if same else name, [Parameter("stream", "tensor")])

    def _read(self, b: Block) -> None:
        p, item = self.p, self.p.fresh("item")
        place = f"{self.place}[1]"
        if self.style == "two_shapes" or p.chance(75):
            p.count("container.loop")
            how = p.number(0, 2)
            head = f"for {item} in {place}:" if how < 2 else f"for {item}, _ in zip({place}, range(9)):"
            b = b.child(head, loop=True)
        else:
            p.count("container.subscript")
            b.put(f"{item} = {place}[0]")
        if self.style == "two_shapes":
            b.module.want(f"from .consts import {self.other}")
            b.child(f"if isinstance({item}, {self.other}):").put("continue")
        names = self._take(b, item)
        doubtful = set(self.compute.names)
        if p.chance(25):
            p.count("container.overwritten_slot")
            wanted = p.pick(self.names)
            text = {"atten_mask": "None", "sparse_mode": "0"}.get(wanted) or literal(b)
            b.put(f"{self.p.fresh('w')} = {names[wanted]}")
            names = {**names, wanted: self.p.fresh("w")}
            b.put(f"{names[wanted]} = {text}")
            doubtful.discard(wanted)
        words = "".join(f", {name}={names[name]}" for name in self.names)
        b.put("torch.npu.graph_task_update_begin(stream, None)")
        finish(b, f"torch_npu.{NAME}.out(1, 2, 3{words}, workspace=None, out=[4, 5])", doubtful)
        b.put("torch.npu.graph_task_update_end(stream)")

    def _take(self, b: Block, item: str) -> dict[str, str]:
        """Take a captured thing apart; ``argument → expression``."""
        wanted = {f"u_{self.local[name]}": name for name in self.names}
        slots = [name for name, _ in self._slots()]
        if self.style == "dict":
            return {wanted[s]: f'{item}["{s}"]' for s in slots if s in wanted}
        if self.style == "dataclass":
            return {wanted[s]: f"{item}.{s}" for s in slots if s in wanted}
        if self.p.chance(20):
            self.p.count("container.index")
            return {wanted[s]: f"{item}[{place}]" for place, s in enumerate(slots) if s in wanted}
        if self.p.chance(20) and max(slots.index(s) for s in wanted) + 1 < len(slots):
            self.p.count("container.starred")
            last = max(slots.index(s) for s in wanted)
            b.put(f"{', '.join(slots[: last + 1])}, *_ = {item}")
        else:
            b.put(f"({', '.join(slots)}) = {item}")
        return {wanted[s]: s for s in wanted}
