"""Dicts of arguments, built in every way, for a call with ``**``."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.forms import counted
from tests.oracle.values import condition
from tests.oracle.writer import Block

counted(
    "dict.literal", "dict.call", "dict.empty", "dict.display_merge", "dict.union", "dict.update_keywords", "dict.update_dict",
    "dict.or_assign", "dict.item", "dict.setdefault", "dict.pop", "dict.delete", "dict.conditional_item",
    "dict.conditional_update", "dict.alias", "dict.copy", "dict.filled_by_function", "dict.returned", "dict.loop", "dict.get",
    "dict.branch", "dict.stranger",
)  # fmt: skip

Arguments = dict[str, str]
ARGUMENTS = ("pre_tokens", "next_tokens", "sparse_mode", "atten_mask")


class Building:
    """A dict under construction: its name, and how to compute a value for a key."""

    def __init__(self, b: Block, arguments: Callable[[Block, str, int], str], depth: int) -> None:
        self.b = b
        self.p = b.program
        self.argument = arguments
        self.depth = depth
        self.name = self.p.fresh("kwargs")

    def put(self, *lines: str) -> None:
        self.b.put(*lines)

    def pairs(self, keys: list[str], template: str) -> str:
        return ", ".join(template.format(key=key, value=self.argument(self.b, key, self.depth)) for key in keys)

    def display(self, keys: list[str]) -> str:
        return "{" + self.pairs(keys, '"{key}": {value}') + "}"

    # beginnings ---------------------------------------------------------------------------------

    def start(self, keys: list[str]) -> None:
        style = self.p.pick(["literal", "literal", "call", "empty", "display_merge", "union", "returned", "branch"])
        self.p.count(f"dict.{style}")
        cut = self.p.number(0, len(keys))
        first, rest = keys[:cut], keys[cut:]
        if style == "literal":
            self.put(f"{self.name} = {self.display(keys)}")
        elif style == "call":
            self.put(f"{self.name} = dict({self.pairs(keys, '{key}={value}')})")
        elif style == "empty":
            self.put(f"{self.name} = {self.p.pick(['{}', 'dict()'])}")
            for key in keys:
                self.item(key)
        elif style == "display_merge":
            base = self.p.fresh("base")
            self.put(f"{base} = {self.display(first)}")
            text = self.pairs(rest, '"{key}": {value}')
            items = [f"**{base}", text] if self.p.chance(60) else [text, f"**{base}"]
            self.put(f"{self.name} = {{{', '.join(item for item in items if item)}}}")
        elif style == "union":
            self.put(f"{self.name} = {self.display(first)} | {self.display(rest)}")
        elif style == "returned":
            function = self.p.fresh("options_")
            inner = self.b.child(f"def {function}():", loop=False)
            inner.put(f"return {Building(inner, self.argument, self.depth).display(keys)}")
            self.put(f"{self.name} = {function}()")
        else:
            test = condition(self.b, 1)
            then, other = self.b.child(f"if {test}:"), None
            then.put(f"{self.name} = {Building(then, self.argument, self.depth).display(keys)}")
            other = self.b.child("else:")
            other.put(f"{self.name} = {Building(other, self.argument, self.depth).display(first)}")

    # changes ------------------------------------------------------------------------------------

    def change(self, key: str) -> None:
        style = self.p.pick([
            "item", "update_keywords", "update_dict", "or_assign", "setdefault", "pop", "delete", "conditional_item",
            "conditional_update", "alias", "copy", "filled_by_function", "loop", "get", "stranger",
        ])  # fmt: skip
        self.p.count(f"dict.{style}")
        getattr(self, style)(key)

    def _value(self, key: str, b: Block | None = None) -> str:
        return self.argument(b or self.b, key, self.depth)

    def item(self, key: str) -> None:
        if self.p.lines % 7 == 0:
            self.p.count("dict.item")
        self.put(f'{self.name}["{key}"] = {self._value(key)}')

    def update_keywords(self, key: str) -> None:
        self.put(f"{self.name}.update({key}={self._value(key)})")

    def update_dict(self, key: str) -> None:
        text = self._value(key)
        self.put(f'{self.name}.update({{"{key}": {text}}})')

    def or_assign(self, key: str) -> None:
        text = self._value(key)
        self.put(f'{self.name} |= {{"{key}": {text}}}')

    def setdefault(self, key: str) -> None:
        self.put(f'{self.name}.setdefault("{key}", {self._value(key)})')

    def pop(self, key: str) -> None:
        self.put(f'{self.name}.pop("{key}", None)')
        if self.p.chance(50):
            self.put(f'{self.name}["{key}"] = {self._value(key)}')

    def delete(self, key: str) -> None:
        self.b.child(f'if "{key}" in {self.name}:').put(f'del {self.name}["{key}"]')

    def conditional_item(self, key: str) -> None:
        inner = self.b.child(f"if {condition(self.b, 1)}:")
        inner.put(f'{self.name}["{key}"] = {self._value(key, inner)}')

    def conditional_update(self, key: str) -> None:
        text, test = self._value(key), condition(self.b, 1)
        if self.p.chance(50):
            self.put(f'{self.name}.update({{"{key}": {text}}} if {test} else {{}})')
        else:
            self.put(f'{self.name} = {{**{self.name}, **({{"{key}": {text}}} if {test} else {{}})}}')

    def alias(self, key: str) -> None:
        other = self.p.fresh("alias")
        self.put(f"{other} = {self.name}", f'{other}["{key}"] = {self._value(key)}')

    def copy(self, key: str) -> None:
        """What happens to a copy does not matter."""
        other = self.p.fresh("copy")
        text = self.p.pick(["dict({})", "{}.copy()", "{{**{}}}"]).format(self.name)
        self.put(f"{other} = {text}", f'{other}["{key}"] = {self._value(key)}')
        if self.p.chance(30):
            self.put(f"{self.name}, {other} = {other}, {self.name}")

    def filled_by_function(self, key: str) -> None:
        function = self.p.fresh("fill_")
        self.b.module.body += [f"def {function}(target, new):", f'    target["{key}"] = new', "", ""]
        self.put(f"{function}({self.name}, {self._value(key)})")

    def loop(self, key: str) -> None:
        item = self.p.fresh("k")
        text = self._value(key)
        self.b.child(f'for {item} in ("{key}",):').put(f"{self.name}[{item}] = {text}")

    def get(self, key: str) -> None:
        """What is there already, or something else."""
        self.put(f'{self.name}["{key}"] = {self.name}.get("{key}", {self._value(key)})')

    def stranger(self, key: str) -> None:
        """Handed to code that is not in the tree, which may do anything with it."""
        self.b.module.want("import torch_npu")
        self.p.doubt()
        self.put(f"torch_npu.npu.adjust({self.name})")


def build(b: Block, arguments: Callable[[Block, str, int], str], keys: list[str], depth: int) -> str:
    """The name of a dict with (about) these keys."""
    building = Building(b, arguments, depth)
    building.start(keys)
    for _ in range(b.program.number(0, 3)):
        building.change(b.program.pick(ARGUMENTS))
    return building.name
