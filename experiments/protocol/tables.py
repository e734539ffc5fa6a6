"""Tables of our numbers beside a paper's, as Markdown that is readable as plain text."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column is flush left, the others right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        shown = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]
        return f"| {' | '.join(shown)} |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(header), f"| {' | '.join(rule)} |", *map(line, rows)])


def beside(ours: float, paper: float, digits: int = 1) -> str:
    """``ours / paper (difference)``; a number that the paper lacks is a dash."""
    if math.isnan(paper):
        return f"{ours:.{digits}f} / –"
    return f"{ours:.{digits}f} / {paper:.{digits}f} ({ours - paper:+.{digits}f})"


def read_expected(path: Path, keys: Sequence[str]) -> dict[tuple[str, ...], Mapping[str, str]]:
    """The rows of an ``expected.csv`` by the columns that name them."""
    with path.open(newline="", encoding="utf-8") as lines:
        return {tuple(row[key] for key in keys): row for row in csv.DictReader(lines)}


def number(text: str) -> float:
    """A cell as a number; NaN where it is empty."""
    return float(text) if text.strip() else math.nan
