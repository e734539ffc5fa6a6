"""The table as the core borrows it: one strided array per column, nothing copied without need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from clearwood._typing import AnyArray, FloatArray
from clearwood.table.column import Feature


class MatrixColumns(Sequence[AnyArray]):
    """The columns of a two-dimensional array, each made a view only when it is asked for.

    A prediction of one row in thousands of columns must not pay for thousands of views.
    """

    __slots__ = ("_matrix",)

    def __init__(self, matrix: FloatArray) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        n_columns: int = self._matrix.shape[1]
        return n_columns

    @overload
    def __getitem__(self, index: int) -> AnyArray: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AnyArray]: ...
    def __getitem__(self, index: int | slice) -> AnyArray | Sequence[AnyArray]:
        if isinstance(index, slice):
            return MatrixColumns(self._matrix[:, index])
        return self._matrix[:, index]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Measured values, column by column.

    Parameters
    ----------
    features : tuple of Feature
        What each column is.
    columns : sequence of ndarray of shape (n_rows,)
        float64 for numeric and ordinal columns (an ordinal column holds codes
        0 … n_levels − 1), NaN where missing, never infinite; int32 codes for nominal
        columns, −1 where missing. Strided views, possibly read-only.
    matrix : ndarray of shape (n_rows, n_columns) or None
        The float64 array, in any order, of which the columns are views, where there is
        one; then every column is numeric.
    n_rows : int
        Number of rows.
    """

    features: tuple[Feature, ...]
    columns: Sequence[AnyArray]
    matrix: FloatArray | None
    n_rows: int

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.features)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(feature.name for feature in self.features)
