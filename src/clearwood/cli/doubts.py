"""Predictors that may not be what they were read as; each is told in a note, none is changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from clearwood.cli.failure import note

if TYPE_CHECKING:
    from clearwood.cli.reading import Labelled

COMMA = r"-?[0-9]+,[0-9]+"
DATE = (
    r"(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2}(?:[0-9]{2})?)"
    r"(?:[ T].*)?"
)
FEWEST_ROWS = 20
"""In fewer rows, different texts or growing numbers are no sign of a record number."""


def note_doubts(data: Labelled, nominal: Collection[str]) -> None:
    """A note for each predictor that looks like numbers, dates or names of the rows.

    Parameters
    ----------
    data : Labelled
        What was read.
    nominal : collection of str
        Columns that the user called levels; their numbers are codes.
    """
    for name in data.X.columns:
        doubt = None if name in nominal else _read_as_levels(data.X[name])
        doubt = doubt or _names_the_rows(data.X[name], str(name))
        if doubt:
            note(f"{data.path}: column {str(name)!r}{doubt}")


def _read_as_levels(column: Any) -> str | None:
    """What a column of texts seems to be instead, with the mend; None where it seems to be text."""
    from clearwood.table.text_columns import NUMBER

    if column.dtype.kind != "O" or hasattr(column, "cat"):
        return None
    texts = column.dropna().astype(str).str.strip()
    n_cells = len(texts)
    is_date = texts.str.fullmatch(DATE)
    if 2 * is_date.sum() > n_cells:
        return (
            f" looks like dates, e.g. {texts[is_date].iloc[0]!r}; it is read as levels: turn it "
            "into a number, such as days since a reference date or age in years"
        )
    is_number, has_comma = texts.str.fullmatch(NUMBER), texts.str.fullmatch(COMMA)
    if has_comma.any() and 2 * (is_number | has_comma).sum() > n_cells:
        return (
            f": {texts[has_comma].iloc[0]!r} looks like a number with a decimal comma; it is read "
            "as levels: write its numbers with a point"
        )
    odd = texts[~is_number]
    if len(odd) and 2 * len(odd) < n_cells:
        are = "cells is no number" if len(odd) == 1 else "cells are no numbers"
        return (
            f": {len(odd)} of {n_cells} {are}, e.g. {odd.iloc[0]!r}; it is read as levels: "
            f"mend the cells, or add --missing {odd.iloc[0]!r} if that means missing"
        )
    return None


def _names_the_rows(column: Any, name: str) -> str | None:
    """That a column numbers or names the rows, with the mend; None where it does not."""
    n_rows = len(column)
    if n_rows < FEWEST_ROWS or column.dtype.kind == "f" or column.nunique() < n_rows:
        return None
    is_whole = column.dtype.kind in "iu"
    if is_whole and not (column.diff().iloc[1:] == 1).all():
        return None
    what = "counts the rows" if is_whole else "is another text in each row"
    return f" {what}, but is used as a predictor; if it is a record number, add --drop {name!r}"
