"""Plain tables for a terminal, and how numbers and names are written in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """Rows of cells in columns of equal width, two spaces apart; `right` are flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def percent(share: float) -> str:
    """E.g. ``95 %``; NaN is a dash."""
    return "–" if share != share else f"{100 * share:.0f} %"


def quoted(label: Any) -> str:
    """A label as the tree's text writes it."""
    from clearwood.tree.wording import name_text

    return name_text(str(label))
