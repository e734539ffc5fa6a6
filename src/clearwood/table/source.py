"""Opening whatever holds a table: an array, rows, a mapping of columns, any data frame.

Some sentences contain a phrase of scikit-learn's on purpose ("Expected 2D array, got 1D array
instead", "Complex data not supported"): its estimator checks, and people's searches, look for them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import NotATableError, TableError
from clearwood.table.table import MatrixColumns

NUMBER_KINDS = "fiub"
OBJECT_KINDS = "OUT"

EXACT = 2**53
"""Up to here float64 holds every whole number."""

FEW_ROWS = 256
"""Up to here numbers are copied into one array, which takes less time than to open each column."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """A column of level codes, −1 where missing; the label of code c is ``labels[c]``."""

    codes: AnyArray
    labels: Sequence[Any]
    ordered: bool

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A table that is opened but not yet decoded.

    Parameters
    ----------
    names : tuple of str or None
        Column names; None where the input has none.
    columns : sequence
        One-dimensional arrays, narwhals series, or `Categories`.
    matrix : ndarray of shape (n_rows, n_columns) or None
        The whole table, where it is float64 already.
    n_rows : int
        Number of rows.
    """

    names: tuple[str, ...] | None
    columns: Sequence[Any]
    matrix: FloatArray | None
    n_rows: int

    def select(self, positions: Sequence[int]) -> Source:
        """The columns at these positions, in this order."""
        if list(positions) == list(range(len(self.columns))):
            return self
        names = None if self.names is None else tuple(self.names[i] for i in positions)
        if self.matrix is not None:
            return _of_matrix(self.matrix[:, list(positions)], names)
        return Source(names, [self.columns[i] for i in positions], None, self.n_rows)


def open_source(X: Any) -> Source:
    """Finds the columns of a table, without decoding them; what is open already stays as it is.

    Raises
    ------
    NotATableError
        Sparse, lazy or scalar input, or an array of a type that holds no values.
    TableError
        Not two-dimensional, complex, empty, ragged, or two columns of one name.
    """
    if isinstance(X, Source):
        return X
    if isinstance(X, np.ndarray):
        return _of_array(X)
    if _is_frame_of("pandas", X):
        return _of_pandas(X)
    if _is_frame_of("polars", X) and len(X) <= FEW_ROWS and _holds_numbers(X):
        return _of_few_polars_numbers(X)
    if _is_sparse(X):  # before mappings: a dok_matrix is one
        raise NotATableError(
            "X is a sparse matrix, but dense data is required: a cell that is not stored could be "
            "a zero or missing; pass X.toarray() if it is a zero"
        )
    if isinstance(X, Mapping):
        return _of_mapping(X)
    if isinstance(X, list | tuple):
        return _of_array(_array_of_rows(X))
    return _of_frame_or_array(X)


def _is_frame_of(library: str, X: Any) -> bool:
    # Whoever has a frame of a library has loaded it. narwhals, asked the same, takes as long as a
    # whole prediction.
    module = sys.modules.get(library)
    return module is not None and isinstance(X, module.DataFrame)


def _is_sparse(X: Any) -> bool:
    return any(base.__module__.startswith("scipy.sparse") for base in type(X).__mro__)


def _array_of_rows(rows: Sequence[Any]) -> AnyArray:
    """An array of rows that keeps the type of each cell: NumPy would turn 1 beside "a" into "1"."""
    try:
        array = np.asarray(rows)
        return array if array.dtype.kind in NUMBER_KINDS + "c" else np.array(rows, dtype=object)
    except ValueError as error:
        lengths = sorted({len(row) for row in rows if hasattr(row, "__len__")})
        raise TableError(
            f"the rows of X must have the same number of columns, got lengths {lengths}"
        ) from error


def _of_array(X: AnyArray) -> Source:
    _require_real(X.dtype)
    _require_two_dimensions(X)
    _require_not_empty(X.shape)
    if X.dtype.kind in NUMBER_KINDS:
        return _of_matrix(borrowed_float64(X), None)
    if X.dtype.kind in OBJECT_KINDS:
        array = np.ma.filled(X, None) if isinstance(X, np.ma.MaskedArray) else X
        return Source(None, [array[:, j] for j in range(X.shape[1])], None, X.shape[0])
    raise NotATableError(
        f"X must hold numbers, booleans, texts or objects, got dtype {X.dtype}; turn dates and "
        "times into numbers, such as days since a reference date"
    )


def borrowed_float64(values: AnyArray) -> FloatArray:
    """The same numbers as float64, without a copy where they are that already.

    Whole numbers beyond 2**53 are rounded to the nearest float64. What a mask hides is missing.
    """
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    array: FloatArray = np.asarray(values, dtype=np.float64)
    # A field of a structured array may lie between elements, where the core cannot point.
    if array.flags.aligned and all(stride % array.itemsize == 0 for stride in array.strides):
        return array
    return array.copy()


def _of_matrix(matrix: FloatArray, names: tuple[str, ...] | None) -> Source:
    return Source(names, MatrixColumns(matrix), matrix, matrix.shape[0])


def _of_mapping(X: Mapping[Any, Any]) -> Source:
    columns = [_column_of_mapping(name, values) for name, values in X.items()]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise TableError(f"the columns of X must have the same length, got {sorted(lengths)}")
    n_rows = lengths.pop() if lengths else 0
    _require_not_empty((n_rows, len(columns)))
    return Source(unique_names(X), columns, None, n_rows)


def _column_of_mapping(name: Any, values: Any) -> Any:
    import narwhals as nw

    array = values
    if not isinstance(values, np.ndarray):
        series = nw.from_native(values, series_only=True, pass_through=True)
        if isinstance(series, nw.Series):
            return _of_pandas_series(values) if series.implementation.is_pandas() else series
        array = _array_of_cells(values)
    if array.ndim != 1:
        raise TableError(f"column {name!r} must be one-dimensional, got shape {array.shape}")
    return array


def _array_of_cells(values: Any) -> AnyArray:
    array = np.asarray(values)
    if array.dtype.kind in NUMBER_KINDS or array.ndim != 1:
        return array
    # NumPy would turn the number 1 beside the text "a" into "1", and None into "None".
    cells = np.empty(len(values), dtype=object)
    cells[:] = list(values)
    return cells


def _of_frame_or_array(X: Any) -> Source:
    import narwhals as nw

    try:
        frame = nw.from_native(X, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        unique_names(getattr(X, "column_names", None) or X.columns)  # says it in our words
        raise
    if isinstance(frame, nw.DataFrame):
        return _of_frame(frame)
    if isinstance(frame, nw.LazyFrame):
        raise NotATableError(
            f"X is lazy ({type(X).__module__}.{type(X).__name__}): its rows are not read yet; "
            "collect it into a data frame first"
        )
    return _of_array(np.asarray(X))


def _of_frame(frame: Any) -> Source:
    _require_not_empty(frame.shape)
    return Source(unique_names(frame.columns), list(frame.iter_columns()), None, frame.shape[0])


def _of_pandas(frame: Any) -> Source:
    """A pandas frame, whose columns of plain numbers need no detour: it may have thousands."""
    names = unique_names(frame.columns.tolist())
    _require_not_empty(frame.shape)
    dtypes = frame.dtypes.tolist()
    if all(dtype == np.float64 for dtype in dtypes):
        return _of_matrix(borrowed_float64(frame.to_numpy()), names)
    if len(frame) <= FEW_ROWS and all(map(_is_of_numbers, dtypes)):
        matrix = frame.to_numpy(np.float64)
        if not (np.abs(matrix) >= EXACT).any():  # column by column it is seen which lose digits
            return _of_matrix(matrix, names)
    columns = [_of_pandas_series(column) for _, column in frame.items()]
    return Source(names, columns, None, len(frame))


def _is_of_numbers(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in NUMBER_KINDS


def _holds_numbers(frame: Any) -> bool:
    """Whether a polars frame holds only integers and floats, which one array can hold."""
    return all(dtype.is_integer() or dtype.is_float() for dtype in frame.dtypes)


def _of_few_polars_numbers(frame: Any) -> Source:
    names = unique_names(frame.columns)
    _require_not_empty(frame.shape)
    matrix = np.asarray(frame.to_numpy(order="c"), dtype=np.float64)
    return _of_matrix(matrix, names)


def _of_pandas_series(column: Any) -> Any:
    """The array inside where it is NumPy's: fast, and objects are then typed by their cells.

    (narwhals takes a column of nothing but None for text.)
    """
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in NUMBER_KINDS + "O":
        return column.to_numpy()
    if dtype.name == "category":
        held = column.array
        return Categories(held.codes, held.categories.tolist(), bool(held.ordered))
    import narwhals as nw

    return nw.from_native(column, series_only=True)


def unique_names(labels: Any) -> tuple[str, ...]:
    """Column names as text.

    Raises
    ------
    TableError
        Two columns have the same name.
    """
    names = tuple(str(label) for label in labels)
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = sorted({name for name in names if name in seen or seen.add(name)})  # type: ignore[func-returns-value]
        raise TableError(
            f"column names must differ, but {', '.join(map(repr, twice))} names more than one "
            "column; rename or drop one"
        )
    return names


def _require_real(dtype: np.dtype[Any]) -> None:
    if dtype.kind == "c":
        raise TableError(f"Complex data not supported: X has dtype {dtype}; pass real numbers")


def _require_two_dimensions(X: AnyArray) -> None:
    if X.ndim == 2:
        return
    got = {0: "scalar", 1: "1D"}.get(X.ndim, f"{X.ndim}D")
    advice = " Reshape your data: X.reshape(-1, 1) is one column, X.reshape(1, -1) is one row."
    raise TableError(
        f"Expected 2D array, got {got} array instead, of shape {X.shape}."
        + (advice if X.ndim == 1 else " X must have rows and columns.")
    )


def _require_not_empty(shape: tuple[int, ...]) -> None:
    for count, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if count == 0:
            raise TableError(
                f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required."
            )
