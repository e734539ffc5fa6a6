"""Columns of text cells as numbers, where every cell is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood._typing import BoolArray

NUMBER = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
WHOLE = r"^-?[0-9]+$"
INFINITE = r"(?i)^-?inf(inity)?$"
# A code such as 00123 would lose its zeros, and a record number of 20 digits its last ones.
CODE = r"^-?0[0-9]|^-?[0-9]{16,}$"

CELLS_AT_ONCE = 1 << 18
"""A pattern is laid on many columns at once: ten thousand short ones, one by one, would be slow."""


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Of each column of a group."""

    are_numbers: BoolArray
    are_whole: BoolArray


def read_columns(table: Any) -> dict[str, Any]:
    """An Arrow table of text cells as columns by name: numbers if each cell is one, else text.

    Infinite cells are numbers where a finite one stands beside them.
    """
    import pyarrow.compute as pc

    columns: dict[str, Any] = {}
    n_rows = table.num_rows
    for names in _groups(table.column_names, max(1, CELLS_AT_ONCE // n_rows)):
        trimmed = pc.utf8_trim_whitespace(_stacked([table.column(name) for name in names]))
        kinds = _kinds(trimmed, len(names))
        for place, name in enumerate(names):
            if kinds.are_numbers[place]:
                kind = "int64" if kinds.are_whole[place] else "float64"
                cells = trimmed.slice(place * n_rows, n_rows).cast(kind)
                columns[name] = cells.to_numpy(zero_copy_only=False)
            else:
                columns[name] = table.column(name).to_pandas()
    return columns


def _groups(names: list[str], size: int) -> Iterator[list[str]]:
    for first in range(0, len(names), size):
        yield names[first : first + size]


def _stacked(columns: list[Any]) -> Any:
    """The cells of all columns, one column after the other."""
    import pyarrow as pa

    return pa.concat_arrays([chunk for column in columns for chunk in column.chunks])


def _kinds(cells: Any, n_columns: int) -> _Kinds:
    """What the columns of stacked cells are."""
    is_missing = _by_column(cells.is_null(), n_columns)
    is_number = _matches(cells, NUMBER, n_columns) | is_missing
    are_numbers = is_number.all(axis=1)
    if not are_numbers.all():
        either = is_number | _matches(cells, INFINITE, n_columns)
        are_numbers |= either.all(axis=1) & (is_number & ~is_missing).any(axis=1)
    are_codes = _matches(cells, CODE, n_columns).any(axis=1)
    are_whole = (_matches(cells, WHOLE, n_columns) & ~is_missing).all(axis=1)
    return _Kinds(np.asarray(are_numbers & ~are_codes), np.asarray(are_whole))


def _matches(cells: Any, pattern: str, n_columns: int) -> BoolArray:
    """Which cells match, by column and row; a missing one does not."""
    import pyarrow.compute as pc

    found = pc.fill_null(pc.match_substring_regex(cells, pattern), False)
    return _by_column(found, n_columns)


def _by_column(flags: Any, n_columns: int) -> BoolArray:
    result: BoolArray = np.asarray(flags.to_numpy(zero_copy_only=False), bool)
    return result.reshape(n_columns, -1)
