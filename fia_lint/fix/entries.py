"""One entry more or less in a call or a dict display, written the way its neighbours are. Comments stay, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import libcst as cst

Item: TypeAlias = cst.Arg | cst.BaseDictElement
Display: TypeAlias = cst.Call | cst.Dict
Space: TypeAlias = cst.BaseParenthesizableWhitespace

_BLANK = cst.SimpleWhitespace(" ")
_NOTHING = cst.SimpleWhitespace("")
_END_OF_LINE = cst.TrailingWhitespace(whitespace=_NOTHING)


def items_of(node: Display) -> list[Item]:
    """The arguments of a call, or the elements of a dict display."""
    return list(node.args if isinstance(node, cst.Call) else node.elements)


def without_entry(node: Display, name: str) -> Display:
    """The call or dict display without one entry; comments behind it stay behind the one before it."""
    items = items_of(node)
    at = next((i for i, item in enumerate(items) if _name_of(item) == name), None)
    if at is None:
        return node
    kept = [*items[:at], *items[at + 1 :]]
    if not at:
        return _with_items(node, kept)
    last, comma = at == len(items) - 1, at < len(items) - 1 or _has_comma(items[at])
    space = _joined(_after(node, items, at - 1), _joined(_before_comma(items[at]), _after(node, items, at)))
    if not comma:
        space = _joined(_before_comma(items[at - 1]), space)
    kept[at - 1] = _followed(items[at - 1], space, comma)
    changed = _with_items(node, kept)
    # The brace of a dict display holds what a call's last argument does.
    return _ending(changed, space) if last else changed


def with_entry(node: Display, name: str, text: str, column: int | None = None) -> Display:
    """The call or dict display with one entry more, behind the last one about the mask, or else the last one with a name.

    It stands on a line of its own where the one before it does, or where a ``column`` is given: the line has no room then.
    """
    items = items_of(node)
    named = [i for i, item in enumerate(items) if _name_of(item)]
    masks = [i for i in named if _name_of(items[i]) in ("pre_tokens", "sparse_mode", "next_tokens")]
    new = _entry(node, items, name, text)
    if not items:
        return _with_items(node, [new])
    at = (masks or named or [len(items) - 1])[-1]
    last = at == len(items) - 1
    before, after = _before(node, items, at), _after(node, items, at)
    model = before if last else after
    if column is not None and not isinstance(model, cst.ParenthesizedWhitespace):
        model = _line_break(node, items, column)
    ahead, behind = _split(after, model, last)
    new = _followed(new, behind, comma=not last or _has_comma(items[at]))
    changed = _with_items(node, [*items[:at], _followed(items[at], ahead, comma=True), new, *items[at + 1 :]])
    return _ending(changed, behind) if last else changed


def _split(after: Space, model: Space, last: bool) -> tuple[Space, Space]:
    """White space (with comments) before and behind a new item that stands where ``after`` stood.

    ``model`` is how lines begin here. What stands on the line of the item before stays on it, if the new one has its own.
    """
    if not isinstance(model, cst.ParenthesizedWhitespace):
        return (_BLANK if last else after), after
    ahead = _bare(model)
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return ahead, after
    return ahead.with_changes(first_line=after.first_line), after.with_changes(first_line=_like(_END_OF_LINE, after.first_line))


def _entry(node: Display, items: Sequence[Item], name: str, text: str) -> Item:
    value = cst.parse_expression(text)
    if isinstance(node, cst.Dict):
        quoted = next((i.key.quote for i in items if isinstance(i, cst.DictElement) and isinstance(i.key, cst.SimpleString)), '"')
        return cst.DictElement(cst.SimpleString(f"{quoted}{name}{quoted}"), value)
    like = next((i.equal for i in items if isinstance(i, cst.Arg) and i.keyword), None)
    equal = cst.AssignEqual(_NOTHING, _NOTHING)
    if isinstance(like, cst.AssignEqual):
        equal = cst.AssignEqual(_bare(like.whitespace_before), _bare(like.whitespace_after))
    return cst.Arg(value, keyword=cst.Name(name), equal=equal)


def _name_of(item: Item) -> str | None:
    """The keyword of an argument, or the key of a dict element if it is a plain string."""
    if isinstance(item, cst.Arg):
        return item.keyword.value if item.keyword else None
    key = item.key if isinstance(item, cst.DictElement) else None
    return str(key.raw_value) if isinstance(key, cst.SimpleString) else None


# ----------------------------------------------------------------------------------------------------- white space


def _before(node: Display, items: Sequence[Item], at: int) -> Space:
    """The white space before an item."""
    if at:
        return _after(node, items, at - 1)
    return node.whitespace_before_args if isinstance(node, cst.Call) else node.lbrace.whitespace_after


def _after(node: Display, items: Sequence[Item], at: int) -> Space:
    """The white space behind an item and its comma."""
    item = items[at]
    if isinstance(node, cst.Dict) and at == len(items) - 1:
        return node.rbrace.whitespace_before
    if isinstance(item.comma, cst.Comma):
        return item.comma.whitespace_after
    return item.whitespace_after_arg if isinstance(item, cst.Arg) else _NOTHING


def _has_comma(item: Item) -> bool:
    return isinstance(item.comma, cst.Comma)


def _before_comma(item: Item) -> Space:
    return item.comma.whitespace_before if isinstance(item.comma, cst.Comma) else _NOTHING


def _followed(item: Item, space: Space, comma: bool) -> Item:
    """An item with a comma, or without one, and white space behind it. White space before its comma stays."""
    if isinstance(item.comma, cst.Comma) and comma:
        return item.with_changes(comma=item.comma.with_changes(whitespace_after=space))
    changed: dict[str, Any] = {"comma": cst.Comma(whitespace_after=space) if comma else cst.MaybeSentinel.DEFAULT}
    if isinstance(item, cst.Arg):
        changed["whitespace_after_arg"] = _NOTHING if comma else space
    return item.with_changes(**changed)


def _ending(node: Display, space: Space) -> Display:
    """A dict display has the white space behind its last element at its brace."""
    if not isinstance(node, cst.Dict):
        return node
    last = node.elements[-1]
    if isinstance(last.comma, cst.Comma):
        node = node.with_changes(elements=[*node.elements[:-1], _followed(last, _NOTHING, comma=True)])
    return node.with_changes(rbrace=node.rbrace.with_changes(whitespace_before=space))


def _line_break(node: Display, items: Sequence[Item], column: int) -> Space:
    """How lines begin in a call or dict display; if it has but one, under its first item (``column``, from 0)."""
    spaces = [_before(node, items, at) for at in range(len(items))]
    found = next((space for space in spaces if isinstance(space, cst.ParenthesizedWhitespace)), None)
    aligned = cst.ParenthesizedWhitespace(_END_OF_LINE, indent=False, last_line=cst.SimpleWhitespace(" " * column))
    return aligned if found is None else found


def _bare(space: Space) -> Space:
    """White space without the comments and empty lines in it."""
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return space
    return space.with_changes(first_line=_like(_END_OF_LINE, space.first_line), empty_lines=[])


def _like(line: cst.TrailingWhitespace, other: cst.TrailingWhitespace) -> cst.TrailingWhitespace:
    """A line with the line end of another one."""
    return line.with_changes(newline=other.newline)


def _joined(one: Space, other: Space) -> Space:
    """What is left of two pieces of white space between which an item was taken out: the comments of both."""
    if not isinstance(other, cst.ParenthesizedWhitespace):
        return one if isinstance(one, cst.ParenthesizedWhitespace) else other
    if not isinstance(one, cst.ParenthesizedWhitespace):
        return other
    comment = other.first_line.comment
    own = [cst.EmptyLine(indent=one.indent, whitespace=one.last_line, comment=comment)] if comment else []
    return other.with_changes(first_line=one.first_line, empty_lines=[*one.empty_lines, *own, *other.empty_lines])


def _with_items(node: Display, items: Sequence[Item]) -> Display:
    return node.with_changes(**{"args" if isinstance(node, cst.Call) else "elements": items})
