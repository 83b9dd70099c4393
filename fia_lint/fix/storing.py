"""From capture to replay: what a value that is stored in a container is read for."""

from __future__ import annotations

from collections.abc import Iterator

from fia_lint.extract import ir
from fia_lint.extract.walk import walk
from fia_lint.fix.bearers import Bearers, Slot
from fia_lint.fix.bound import covers
from fia_lint.fix.parents import Parents
from fia_lint.fix.scope import scope_of

#: Methods with which all entries of a dict are read at once.
_WHOLE_DICT = frozenset({"items", "values", "copy", "update", "popitem"})


class Stored(Bearers):
    """Follows what is captured. Everything raises ``Elsewhere``."""

    def captured(self, path: str, container: ir.Expr, holder: str | Slot) -> None:
        """A tuple or a dict is put into a container: what replay takes out of such ones."""
        words = [item.attr if isinstance(item, ir.Attribute) else getattr(item, "id", "") for item in _spine(container)]
        word = next((word for word in words if word), "")
        if not word:
            raise self.elsewhere(path, container)
        for other in self._mentioning(word):
            for function in (item for item in walk(*self.facts(other).body) if isinstance(item, ir.FunctionDef)):
                if _speaks_of(function, word) and not self._reads_others(other, function, path, container):
                    if isinstance(holder, str):
                        self._looked_up(other, function, holder)
                    else:
                        self._unpacked(other, function, holder)

    def _reads_others(self, path: str, function: ir.FunctionDef, capturing: str, container: ir.Expr) -> bool:
        """Whether it is known that what a function replays was captured elsewhere than where a container is filled."""
        around = scope_of(self.facts(capturing), container.span).functions
        inside = (s for s in self.world.sites.values() if s.key.path == path and covers(function.span, s.key.span))
        sites = [site for site in inside if site.role == "update"]
        if not around or not sites or not all(site.records for site in sites):
            return False
        captures = [record.captures for site in sites for record in site.records]
        places = [place for each in captures for place in each]
        here = any(place.path == capturing and covers(around[-1].span, place.span) for place in places)
        return all(captures) and not here

    def _unpacked(self, path: str, function: ir.FunctionDef, slot: Slot) -> None:
        at, length = slot.at, slot.length
        parents = self.parents(path)
        for item in walk(*function.body):
            if isinstance(item, ir.Sequence) and parents.stands_on_the_left(item):
                if any(isinstance(each, ir.Starred) for each in item.items):
                    raise self.elsewhere(path, item)
                if len(item.items) == length:
                    self.assigned(path, item.items[at], None)
            elif isinstance(item, ir.Subscript) and isinstance(item.value, ir.Name) and isinstance(item.index, ir.Constant):
                if item.index.value in (at, at - length) and not parents.stands_on_the_left(item):
                    self.follow(path, item)
            elif isinstance(item, ir.Argument) and item.star == "*":
                raise self.elsewhere(path, item.value)

    def _looked_up(self, path: str, function: ir.FunctionDef, key: str) -> None:
        parents = self.parents(path)
        for item in walk(*function.body):
            if isinstance(item, ir.Subscript) and isinstance(item.index, ir.Constant) and item.index.value == key:
                if not parents.stands_on_the_left(item):
                    self.follow(path, item)
            elif isinstance(item, ir.Constant) and item.value == key and not _is_plain_key(parents, item):
                raise self.elsewhere(path, item)
            if isinstance(item, ir.Argument) and item.star:
                raise self.elsewhere(path, item.value)
            if isinstance(item, ir.Attribute) and item.attr in _WHOLE_DICT:
                raise self.elsewhere(path, item)


def _is_plain_key(parents: Parents, item: ir.Constant) -> bool:
    """Whether a string stands in a display or a subscript: what is done with it there is seen."""
    return isinstance(parents.of(item), (ir.DictDisplay, ir.Subscript))


def _spine(expr: ir.Expr) -> Iterator[ir.Expr]:
    """``a.b[c].d``, ``a.b[c]``, ``a.b``, ``a``."""
    item: ir.Expr | None = expr
    while item is not None:
        yield item
        item = item.func if isinstance(item, ir.Call) else getattr(item, "value", None)


def _speaks_of(function: ir.FunctionDef, word: str) -> bool:
    return any(word in (getattr(i, "id", None), getattr(i, "attr", None)) for i in walk(*function.body))
