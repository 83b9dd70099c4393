"""For people: every finding with its source line and that of the other side; for ``audit`` the table of sites first."""

from __future__ import annotations

from fia_lint.report.clean import clean, shorten, width
from fia_lint.report.excerpt import excerpt, wrapped
from fia_lint.report.paint import Paint
from fia_lint.report.render import Style
from fia_lint.report.story import steps
from fia_lint.report.sentences import phrase, summary
from fia_lint.report.statistics import statistics
from fia_lint.report.table import audit_table
from fia_lint.report.view import Item, Spot, View


def render(view: View, style: Style) -> str:
    paint = Paint(style.color)
    blocks = audit_table(view, style) if style.command == "audit" else []
    blocks += ["\n".join(_finding(item, style, paint)) for item in view.items]
    blocks += [clean(f"{p.shown}:{p.line}:{p.column}: {p.message}") for p in view.unused]
    if style.statistics and view.items:
        blocks.append("\n".join(statistics(view)))
    if not style.quiet:
        blocks.append(summary(view.summary, style.language))
    if style.hints and view.items:
        blocks += ["\n".join(wrapped(phrase("hint", style.language), style.width, ""))]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _finding(item: Item, style: Style, paint: Paint) -> list[str]:
    """Head line, the place, the condition, the other side, the impact."""
    spot, found = item.spot, item.finding
    place = paint("bold", clean(f"{spot.shown}:{spot.line}:{spot.column}:"))
    lines = [f"{place} {paint('red', found.code)} {paint('dim', item.rule)}"]
    lines += wrapped(clean(item.headline), style.width, "  ")
    lines += excerpt(spot, style.width, paint, "red")
    if item.set_at:
        lines += _set_at(item.set_at, style)
    if found.condition not in ("", "always"):
        lines += wrapped(clean(f"{phrase('when', style.language)}: {found.condition}"), style.width, "  ")
    for other in item.related:
        head = f"{other.shown}:{other.line}:{other.column}: {other.message}"
        lines += wrapped(clean(head), style.width, "  ")
        lines += excerpt(other, style.width, paint, "blue")
    if style.verbose and item.origin:
        lines.append(f"  {phrase('origin', style.language)}:")
        lines += steps(item.origin, style.width, paint, "    ", style.language)
    if item.impact:
        lines += wrapped(clean(f"{phrase('impact', style.language)}: {item.impact}"), style.width, "  ")
    return lines


def _set_at(spot: Spot, style: Style) -> list[str]:
    """Where the value was set, on one line if there is room for it."""
    head = clean(f"{phrase('set', style.language)} {spot.shown}:{spot.line}:")
    source = shorten(clean(spot.text.strip()), style.width - 4)
    line = f"  {head} {source}"
    return [line] if width(line) <= style.width else [*wrapped(head, style.width, "  "), f"    {source}"]
