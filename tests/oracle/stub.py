"""Stand-ins for ``torch``, ``torch_npu`` and ``torchair``: they compute nothing, and note what the operator receives."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

NAME = "npu_fused_infer_attention_score"
UNBOUNDED = 2**31 - 1
DEFAULTS = {"pre_tokens": UNBOUNDED, "next_tokens": UNBOUNDED, "sparse_mode": 0, "atten_mask": None}
Note = Callable[[str, str, dict[str, object]], None]


class Tensor:
    """A tensor: nothing but a name, and views that are told apart by how they were made."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shape = (4, 4)

    def __repr__(self) -> str:
        return f"Tensor({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def contiguous(self) -> Tensor:
        return Tensor(f"{self.name}.contiguous()")

    def to(self, dtype: object) -> Tensor:
        return Tensor(f"{self.name}.to({dtype})")

    def unsqueeze(self, dim: int) -> Tensor:
        return Tensor(f"{self.name}.unsqueeze({dim})")

    def size(self, dim: int = 0) -> int:
        return 4

    def view(self, *shape: int) -> Tensor:
        return Tensor(f"{self.name}.view{shape}")


class Operator:
    """An entry point; ``.default`` and ``.out`` are its overloads."""

    def __init__(self, name: str, note: Note, overload: str = "default") -> None:
        self.__name__ = name
        self._overload = overload
        self._note = note
        if overload == "default":
            self.default = self
            self.out = Operator(name, note, "out")

    def __call__(self, *args: object, **kwargs: object) -> tuple[Tensor, Tensor]:
        if len(args) > 3:
            raise TypeError(f"{self.__name__}() takes 3 positional arguments")
        values = {name: kwargs.get(name, default) for name, default in DEFAULTS.items()}
        self._note(self.__name__, self._overload, values)
        return Tensor("attention_out"), Tensor("softmax_lse")


def _operators(note: Note) -> dict[str, Operator]:
    names = [NAME, f"{NAME}_v2", f"_{NAME}_get_max_workspace", f"_{NAME}_v2_get_max_workspace"]
    return {name: Operator(name, note) for name in names}


@contextlib.contextmanager
def _context(*args: object) -> Iterator[None]:
    yield None


def _check(number: object = 0) -> None:
    """Fails for some numbers: nobody can tell from the source for which."""
    if isinstance(number, int) and number % 3 == 1:
        raise RuntimeError("check failed")


def _adjust(options: Any) -> None:
    """Code outside the tree that changes what it is given."""
    if isinstance(options, dict):
        options["pre_tokens"] = 13
        options.pop("sparse_mode", None)


def _nothing(*args: object, **kwargs: object) -> None:
    return None


def modules(note: Note) -> dict[str, types.ModuleType]:
    """The modules by name; every call of an entry point is told to ``note``."""
    torch, torch_npu, torchair = (types.ModuleType(name) for name in ("torch", "torch_npu", "torchair"))
    operators = _operators(note)
    npu = types.SimpleNamespace(
        stream=_context, synchronize=_nothing, check=_check, adjust=_adjust, current_stream=_nothing,
        graph_task_group_begin=_nothing, graph_task_group_end=_nothing,
        graph_task_update_begin=_nothing, graph_task_update_end=_nothing,
    )  # fmt: skip
    for module in (torch, torch_npu, torchair):
        module.npu = npu  # type: ignore[attr-defined]
    for name, bits in (("int8", 8), ("int32", 32), ("int64", 64)):
        setattr(torch, name, types.SimpleNamespace(bits=bits))
    torch.Tensor = Tensor  # type: ignore[attr-defined]
    torch.tensor = lambda *args, **kwargs: Tensor("tensor")  # type: ignore[attr-defined]
    torch.iinfo = lambda kind: types.SimpleNamespace(max=2 ** (kind.bits - 1) - 1)  # type: ignore[attr-defined]
    torch.ops = types.SimpleNamespace(npu=types.SimpleNamespace(**operators))  # type: ignore[attr-defined]
    torchair.ops = types.SimpleNamespace(**operators)  # type: ignore[attr-defined]
    for name, operator in operators.items():
        setattr(torch_npu, name, operator)
    return {"torch": torch, "torch_npu": torch_npu, "torchair": torchair}
