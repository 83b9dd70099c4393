"""The impact of a finding in words: from how many rows and keys on it shows, what a row sees, and one row in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Values = Mapping[str, Any]
Sentence = Callable[[Values], str]


def sentence(kind: str, values: Values, language: str, example: bool = True) -> str:
    """What an impact says; empty if nothing can be said."""
    english, chinese = _SENTENCES[kind]
    parts = [(chinese if language == "zh" else english)(values), _example(values.get("example"), language) if example else ""]
    return ("；" if language == "zh" else "; ").join(part for part in parts if part)


def _example(example: Values | None, language: str) -> str:
    if not example:
        return ""
    row, rows, keys, window = (example[name] for name in ("row", "of_rows", "of_keys", "window"))
    here, there = _keys(example["sees"], language), _keys(example["should_see"], language)
    if language == "zh":
        size = f"窗口为 {window}，" if window is not None else ""
        return f"例如{size}{rows} 行查询、{keys} 个键时，第 {row} 行看到{here}，而应看到{there}（从 0 起编号）"
    size = f"a window of {window}, " if window is not None else ""
    case = f"for example, with {size}{_many(rows, 'row')} and {_many(keys, 'key')}"
    return f"{case}, row {row} sees {here} instead of {there} (counted from 0)"


def _keys(seen: tuple[int, int], language: str) -> str:
    first, last = seen[0], seen[1] - 1
    if last < first:
        return "零个键" if language == "zh" else "no key"
    if first == last:
        return f"键 {first}" if language == "zh" else f"key {first}"
    return f"键 {first} 到 {last}" if language == "zh" else f"keys {first} to {last}"


def _many(number: object, noun: str) -> str:
    return f"{number} {noun}" if str(number) == "1" else f"{number} {noun}s"


#: What query rows are, where one is named.
PLAIN = "plain decode; each draft token adds a row"


def _from_rows(values: Values) -> str:
    """From how many query rows on."""
    rows = values.get("rows")
    return f"from {_many(rows, 'query row')} on" if rows else "for some numbers of query rows"


def _from_keys(values: Values) -> str:
    """From how many keys on; nothing where as many as rows are enough."""
    keys = values.get("keys")
    return f", once there are {keys} keys," if keys and keys != values.get("rows") else ""


def _single_row(values: Values) -> str:
    if not values["one_row"]:
        return f"a single row ({PLAIN}) shows nothing"
    return f"a single row ({PLAIN}) too, unless the kernel keeps to the documented exception for query length 1"


def _future(values: Values) -> str:
    seen, wanted = values["future"], values["should_future"]
    if wanted == "0":
        tokens = {"1": "one future token", "unbounded": "all future tokens"}.get(seen, f"up to {seen} future tokens")
        what = f"every row but the last sees {tokens}"
        if seen.startswith("-"):
            what = "a row does not see its own token"
    else:
        what = f"rows see {_amount(seen)} future tokens instead of {_amount(wanted)}"
    return f"{_from_rows(values)}{_from_keys(values)} {what}; {_single_row(values)}"


def _past(values: Values) -> str:
    seen, wanted = _amount(values["past"]), _amount(values["should_past"])
    gap = values.get("past_gap")
    less = f" ({_many(abs(gap), 'token')} {'less' if gap < 0 else 'more'})" if isinstance(gap, int) else ""
    what = f"a row sees {seen} earlier tokens instead of {wanted}{less}"
    return f"{_from_rows(values)}{_from_keys(values)} {what}; {_single_row(values)}"


def _both(values: Values) -> str:
    here = f"{_amount(values['past'])} earlier and {_amount(values['future'])} later tokens"
    there = f"{_amount(values['should_past'])} and {_amount(values['should_future'])}"
    what = f"a row may see {here} instead of {there}"
    if values["future"] == "1" and values["should_future"] == "0":
        what += ", and from 2 query rows on every row but the last sees one future token"
    return f"{_from_rows(values)}{_from_keys(values)} {what}; {_single_row(values)}"


def _alignment(values: Values) -> str:
    where = f"{_from_rows(values)}{_from_keys(values)}"
    return f"{where} rows see other keys, because the masks are aligned at opposite corners; {_single_row(values)}"


def _amount(text: str) -> str:
    return "all" if text == "unbounded" else text


_ZH_PLAIN = "普通解码；每个草稿 token 增加一行"


def _zh_where(values: Values) -> str:
    rows, keys = values.get("rows"), values.get("keys")
    where = f"查询行数达到 {rows} 起" if rows else "在某些查询行数下"
    return f"{where}，键数达到 {keys} 起，" if keys and keys != rows else f"{where}，"


def _zh_single(values: Values) -> str:
    if not values["one_row"]:
        return f"只有一行查询（{_ZH_PLAIN}）时看不出差别"
    return f"只有一行查询（{_ZH_PLAIN}）时也受影响，除非内核遵守文档中查询长度为 1 的例外"


def _zh_amount(text: str) -> str:
    return "全部" if text == "unbounded" else f" {text} 个"


def _zh_future(values: Values) -> str:
    seen, wanted = values["future"], values["should_future"]
    if wanted == "0" and seen.startswith("-"):
        what = "一行看不到自己的 token"
    elif wanted == "0":
        what = f"除最后一行外，每行都能看到{_zh_amount(seen)}未来的 token"
    else:
        what = f"各行看到{_zh_amount(seen)}未来的 token，而应为{_zh_amount(wanted)}"
    return f"{_zh_where(values)}{what}；{_zh_single(values)}"


def _zh_past(values: Values) -> str:
    seen, wanted = _zh_amount(values["past"]), _zh_amount(values["should_past"])
    gap = values.get("past_gap")
    less = f"（{'少' if gap < 0 else '多'} {abs(gap)} 个）" if isinstance(gap, int) else ""
    return f"{_zh_where(values)}一行看到{seen}之前的 token，而应为{wanted}{less}；{_zh_single(values)}"


def _zh_both(values: Values) -> str:
    here = f"{_zh_amount(values['past'])}之前的和{_zh_amount(values['future'])}之后的 token"
    there = f"{_zh_amount(values['should_past'])}和{_zh_amount(values['should_future'])}"
    what = f"一行看到{here}，而应为{there}"
    if values["future"] == "1" and values["should_future"] == "0":
        what += "，并且从 2 行查询起，除最后一行外，每行都能看到 1 个未来的 token"
    return f"{_zh_where(values)}{what}；{_zh_single(values)}"


def _zh_alignment(values: Values) -> str:
    return f"{_zh_where(values)}各行看到的键不同，因为两个掩码对齐在相反的角上；{_zh_single(values)}"


_SENTENCES: dict[str, tuple[Sentence, Sentence]] = {
    "future": (_future, _zh_future),
    "past": (_past, _zh_past),
    "both": (_both, _zh_both),
    "alignment": (_alignment, _zh_alignment),
    "same": (
        lambda values: "no row sees anything else: the mode makes nothing of the difference",
        lambda values: "没有一行看到的内容不同：该模式不受这个差别影响",
    ),
    "unclear": (lambda values: "", lambda values: ""),
    "raises": (
        lambda values: f"the call fails because of {values['argument']}",
        lambda values: f"调用因 {values['argument']} 而失败",
    ),
}
