"""Private names: within a class, ``__x`` stands for ``_Class__x``, so that a subclass's ``__x`` is another name.

The rule is that of the language reference, section "Identifiers (Names)": two leading underscores, not two at the end; the
class's own leading underscores are left out.
"""

from __future__ import annotations

import re

from fia_lint.extract import ir
from fia_lint.extract.walk import walk

_PRIVATE = re.compile(r"(?<!\w)__\w*")


def mangle(source: str, body: list[ir.Stmt]) -> None:
    """Give private names in classes their full names, in place. Nothing is walked if the source has none."""
    if not any(_is_private(name) for name in set(_PRIVATE.findall(source))):
        return
    classes = [item for item in walk(*body) if isinstance(item, ir.ClassDef)]
    # The innermost class that a name stands in counts: what stands further in comes first, and is not private afterwards.
    for cls in sorted(classes, key=lambda c: c.span, reverse=True):
        prefix = f"_{cls.name.lstrip('_')}"
        if prefix != "_":
            for item in walk(*cls.body):
                _rename(item, prefix)


def _rename(item: object, prefix: str) -> None:
    for field in ("attr", "id", "name"):
        name = getattr(item, field, None)
        if isinstance(name, str) and _is_private(name):
            setattr(item, field, prefix + name)


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")
