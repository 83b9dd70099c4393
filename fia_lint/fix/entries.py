"""One entry more or less in a call or a dict display, written the way its neighbours are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import libcst as cst

Item: TypeAlias = cst.Arg | cst.BaseDictElement
Space: TypeAlias = cst.BaseParenthesizableWhitespace

_BLANK = cst.SimpleWhitespace(" ")
_NOTHING = cst.SimpleWhitespace("")


def name_of(item: Item) -> str | None:
    """The keyword of an argument, or the key of a dict element if it is a plain string."""
    if isinstance(item, cst.Arg):
        return item.keyword.value if item.keyword else None
    key = item.key if isinstance(item, cst.DictElement) else None
    return str(key.raw_value) if isinstance(key, cst.SimpleString) else None


def without_entry(items: Sequence[Item], name: str) -> list[Item]:
    """The items but one; the last one ends as the last one did."""
    at = next((i for i, item in enumerate(items) if name_of(item) == name), None)
    if at is None:
        return list(items)
    kept = [*items[:at], *items[at + 1 :]]
    if at == len(items) - 1 and kept:
        kept[-1] = _ending_like(kept[-1], items[at])
    return kept


def with_entry(node: cst.Call | cst.Dict, items: Sequence[Item], name: str, text: str) -> list[Item]:
    """The items and one more, behind the last one that has a name: on a line of its own where the others are."""
    named = [i for i, item in enumerate(items) if name_of(item)]
    masks = [i for i in named if name_of(items[i]) in ("pre_tokens", "sparse_mode", "next_tokens")]
    at = (masks or named or [len(items) - 1])[-1]
    new = _entry(node, items, name, text)
    if at < 0:
        return [new]
    last = at == len(items) - 1
    before, new = _between(items[at], new, _separator(node, items, at), last)
    return [*items[:at], before, new, *items[at + 1 :]]


def _entry(node: cst.Call | cst.Dict, items: Sequence[Item], name: str, text: str) -> Item:
    value = cst.parse_expression(text)
    if isinstance(node, cst.Dict):
        quoted = next((i.key.quote for i in items if isinstance(i, cst.DictElement) and isinstance(i.key, cst.SimpleString)), '"')
        return cst.DictElement(cst.SimpleString(f"{quoted}{name}{quoted}"), value)
    like = next((i.equal for i in items if isinstance(i, cst.Arg) and i.keyword), None)
    equal = like if isinstance(like, cst.AssignEqual) else cst.AssignEqual(_NOTHING, _NOTHING)
    return cst.Arg(value, keyword=cst.Name(name), equal=equal)


def _separator(node: cst.Call | cst.Dict, items: Sequence[Item], at: int) -> Space:
    """What a new item has before it: the white space that the item ``at``, which it follows, has before itself."""
    if at > 0:
        comma = items[at - 1].comma
        return _bare(comma.whitespace_after) if isinstance(comma, cst.Comma) else _BLANK
    before = node.whitespace_before_args if isinstance(node, cst.Call) else node.lbrace.whitespace_after
    return _bare(before) if isinstance(before, cst.ParenthesizedWhitespace) else _BLANK


def _bare(space: Space) -> Space:
    """White space without the comments and empty lines in it."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return space
    first = space.first_line.with_changes(comment=None, whitespace=_NOTHING)
    return space.with_changes(first_line=first, empty_lines=[])


def _between(item: Item, new: Item, separator: Space, last: bool) -> tuple[Item, Item]:
    """An item and the one that is put behind it. A comment behind the item stays there; if it was the ``last`` one, the
    new one ends as it did."""
    if not last:
        assert isinstance(item.comma, cst.Comma)
        space = item.comma.whitespace_after
        return item, new.with_changes(comma=cst.Comma(whitespace_after=_bare(space)))
    end = _end(item)
    ahead = _indented(end, separator)
    ending = new
    if isinstance(item.comma, cst.Comma):
        ending = new.with_changes(comma=cst.Comma(whitespace_after=_bare(end)))
    elif isinstance(new, cst.Arg):
        ending = new.with_changes(whitespace_after_arg=_bare(end))
    if isinstance(item, cst.Arg):
        item = item.with_changes(whitespace_after_arg=_NOTHING)
    return item.with_changes(comma=cst.Comma(whitespace_after=ahead)), ending


def _end(item: Item) -> Space:
    """The white space between the last item and the closing bracket."""
    if isinstance(item.comma, cst.Comma):
        return item.comma.whitespace_after
    return item.whitespace_after_arg if isinstance(item, cst.Arg) else _NOTHING


def _indented(end: Space, separator: Space) -> Space:
    """The white space before a new item: the separator, with the comment that stood at the end."""
    comment = end.first_line.comment if isinstance(end, cst.ParenthesizedWhitespace) else None
    if comment is None or not isinstance(end, cst.ParenthesizedWhitespace):
        return separator
    if isinstance(separator, cst.ParenthesizedWhitespace):
        return separator.with_changes(first_line=end.first_line)
    return end


def _ending_like(item: Item, gone: Item) -> Item:
    """An item that has become the last one: it keeps the comment behind it."""
    own, end = _end(item), _end(gone)
    if isinstance(own, cst.ParenthesizedWhitespace) and isinstance(end, cst.ParenthesizedWhitespace):
        end = end.with_changes(first_line=own.first_line)
    if isinstance(gone.comma, cst.Comma):
        return item.with_changes(comma=gone.comma.with_changes(whitespace_after=end))
    item = item.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return item.with_changes(whitespace_after_arg=end) if isinstance(item, cst.Arg) else item
