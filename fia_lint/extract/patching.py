"""Whether a file may change things of the modules that it imports: decided on its bytes, so that few files are parsed for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: A statement that stores to an attribute or item of a name, or calls a method of it that may change it; ``setattr(name, …)``.
_STORES = re.compile(rb"\n[ \t]*(?!self\.)([A-Za-z_]\w*)[.\[][^\n=(#]*=(?!=)")
_CHANGES = re.compile(
    rb"\n[ \t]*(?!self\.)([A-Za-z_]\w*)[\w.\[\]\"']*\.(?:update|append|extend|insert|add|setdefault|pop|clear|remove)\("
)
_BY_NAME = re.compile(rb"(?:set|del)attr\(\s*([A-Za-z_]\w*)")
_DELETES = re.compile(rb"del ([A-Za-z_]\w*)")
_IMPORTS = re.compile(rb"\n[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]*\)|[^\n]*)")
_ALIASES = re.compile(rb"\n[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*([A-Za-z_]\w*)[\w.]*[ \t]*(?=[\n#])")
_BY_PATH = re.compile(rb"(?:import_module\(|sys\.modules\[)\s*[\"']([\w.]+)[\"']")
_COMMENT = re.compile(rb"#[^\n]*")
_WORD = re.compile(rb"\w+")


def patched_words(data: bytes) -> frozenset[bytes]:
    """The words by which a file imports what it then stores to: parts of module names, imported names, their aliases."""
    text = b"\n" + data
    changed = {*_STORES.findall(text), *_CHANGES.findall(text)}
    if b"setattr(" in data or b"delattr(" in data:
        changed.update(_BY_NAME.findall(text))
    if b"del " in data:
        changed.update(_DELETES.findall(text))
    changed.update([root for name, root in _ALIASES.findall(text) if name in changed] if changed else ())
    by_path: list[bytes] = []
    if b"modules[" in data or b"import_module(" in data:
        by_path = [word for path in _BY_PATH.findall(text) for word in path.split(b".")]
    if not changed:
        return frozenset(by_path)
    return frozenset([*by_path, *(word for bound, words in _imported(text) if bound in changed for word in words)])


def _imported(text: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    """Each name that an import statement binds, with the words that say where it comes from."""
    for match in _IMPORTS.finditer(text):
        origin = _WORD.findall(match[1] or b"")
        for part in _COMMENT.sub(b"", match[2]).split(b","):
            words = _WORD.findall(part)
            if words:
                yield words[-1] if words[-2:-1] == [b"as"] else words[0], [*origin, *words]
