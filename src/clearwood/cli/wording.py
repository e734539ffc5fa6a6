"""Plain tables for a terminal, and how numbers and names are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from clearwood.cli.methods import Settings
    from clearwood.cli.reading import Labelled


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
    """E.g. ``95 %``; NaN is a dash, and only none is 0 % and only all 100 %."""
    if share != share:
        return "–"
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < share < 1 else f"{100 * share:.0f} %"


def some(names: Iterable[str], most: int = 6) -> str:
    """The first few names, in quotes, and how many more there are."""
    listed = [repr(name) for name in names]
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")


def quoted(label: Any) -> str:
    """A label as the tree's text writes it."""
    from clearwood.tree.wording import name_text

    return name_text(str(label))


def shows_all(model: Path | None) -> str:
    """How to see the nodes that a printed tree leaves out."""
    if model is None:
        return "write the model (--output FILE), then clearwood show FILE shows all"
    return f"clearwood show {model} shows all"


def data_text(table: Labelled, event: Any) -> str:
    """What was read, in two lines."""
    n_rows, n_columns = table.X.shape
    n_missing = int(table.X.isna().to_numpy().sum())
    n_numbers = sum(dtype.kind in "iuf" for dtype in table.X.dtypes)
    asked = table.classes.tolist() if event is None else [event]
    counts = [f"{quoted(label)} in {int((table.y == label).sum())}" for label in asked]
    return (
        f"Read {table.path}: {n_rows} rows, {n_columns} predictors ({n_numbers} of numbers); "
        f"{percent(n_missing / table.X.size)} of the cells are missing.\n"
        f"Predicted: {quoted(table.target)} ({', '.join(counts)} of {n_rows} rows)."
    )


def settings_text(settings: Settings) -> str:
    """How the tree is grown, in a line."""
    given = settings.given()
    method = given.pop("method")
    chosen = [f"{name.replace('_', ' ')} {value:g}" for name, value in given.items()]
    return f"Method: {method}, {', '.join(chosen) if chosen else 'with its defaults'}."
