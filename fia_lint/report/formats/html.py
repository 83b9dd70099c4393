"""One static HTML page: nothing is loaded from elsewhere, no script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fia_lint import __version__
from fia_lint.report.clean import clean
from fia_lint.report.render import Style
from fia_lint.report.sentences import phrase, summary
from fia_lint.report.table import COLUMNS, by_group, legend, site_rows
from fia_lint.report.view import Item, Spot, View

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
code, pre, td { font-family: ui-monospace, monospace; font-size: 13px }
table { border-collapse: collapse; margin: .5rem 0 2rem } th, td { text-align: left; padding: .15rem .7rem; vertical-align: top }
tr { border-top: 1px solid #ddd } tr.more { border: 0 } tr.bad td { background: #fdecea } th { font-weight: 600 }
article { border-left: 4px solid #c62828; padding: .1rem 1rem; margin: 1.5rem 0 }
pre { overflow-x: auto; background: #f6f6f6; padding: .5rem }
mark { background: #ffd9d4 } .other mark { background: #d4e6ff } .code { color: #c62828 }
"""


def render(view: View, style: Style) -> str:
    body = [*(_audit(view, style) if style.command == "audit" else ()), *(_finding(item, style) for item in view.items)]
    lines = [
        "<!doctype html>",
        f'<html lang="{style.language}"><meta charset="utf-8"><meta name="generator" content="fia-lint {__version__}">',
        f"<title>fia-lint</title><style>{_STYLE}</style>",
        f"<h1>fia-lint</h1><p>{_text(summary(view.summary, style.language))}</p>",
        *body,
        *(f"<p>{_text(f'{p.shown}:{p.line}: {p.message}')}</p>" for p in (*view.errors, *view.unused)),
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _audit(view: View, style: Style) -> Iterable[str]:
    """One table per group."""
    yield f"<p>{_text(legend(style.language))}</p>"
    head = "".join(f"<th>{_text(phrase(name, style.language) if name else '')}</th>" for name in ("", "where", *COLUMNS[2:]))
    for group, sites in by_group(view):
        yield f"<h2>{_text(phrase('group', style.language))} <code>{_text(group)}</code></h2><table><tr>{head}</tr>"
        for site in sites:
            rows = list(site_rows(site, view))
            for number, (mark, line, *cells) in enumerate(rows):
                place = f"{site.shown}:{line}" if line else ""
                kind = " ".join([*(["bad"] if rows[0][0] else []), *(["more"] if number else [])])
                yield f'<tr class="{kind}">' + "".join(f"<td>{_text(cell)}</td>" for cell in (mark, place, *cells)) + "</tr>"
        yield "</table>"


def _finding(item: Item, style: Style) -> str:
    found = item.finding
    parts = [f'<article id="{item.fingerprint}"><h3><span class="code">{found.code}</span> {_text(item.rule)}</h3>']
    parts += [f"<p>{_text(item.headline)}</p>", _place(item.spot)]
    if item.set_at:
        parts.append(f"<p>{_text(phrase('set', style.language))}:</p>{_place(item.set_at)}")
    if found.condition not in ("", "always"):
        parts.append(f"<p>{_text(phrase('when', style.language))}: <code>{_text(found.condition)}</code></p>")
    parts += [f'<div class="other"><p>{_text(other.message)}</p>{_place(other)}</div>' for other in item.related]
    if item.impact:
        parts.append(f"<p>{_text(phrase('impact', style.language))}: {_text(item.impact)}</p>")
    return "\n".join([*parts, "</article>"])


def _place(spot: Spot) -> str:
    """A place and its source line, with what is meant marked."""
    stop = spot.end_column - 1 if spot.end_line == spot.line else len(spot.text)
    before, meant, after = spot.text[: spot.column - 1], spot.text[spot.column - 1 : stop], spot.text[stop:]
    source = f"{_text(before.lstrip())}<mark>{_text(meant)}</mark>{_text(after.rstrip())}"
    return f"<pre>{_text(f'{spot.shown}:{spot.line}:{spot.column}')}\n{source}</pre>"


def _text(text: str) -> str:
    """Text in which nothing is markup."""
    return escape(clean(text))
