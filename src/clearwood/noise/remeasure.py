"""Another reading of a whole table, simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray
from clearwood.noise.parameter import ColumnNoise, fit_noise, sizes_of
from clearwood.noise.per_row import RowNoise
from clearwood.table.frames import read_table
from clearwood.table.table import Table


def remeasure(X: Any, noise: Any, random_state: Any = None) -> Any:
    """The table as it might be if everything were measured again.

    Each value of a column with a noise model gets a fresh error, as if it were the true value;
    other columns and missing values stay as they are.

    Parameters
    ----------
    X : array, mapping of columns, list of rows, or data frame (pandas, polars, pyarrow, …)
        Measured values; not changed.
    noise : None, float, or mapping of column name to noise model
        As in the noise parameters of estimators. Columns without names are "x0", "x1", ….
    random_state : None, int, numpy.random.Generator or RandomState
        What the errors are drawn from.

    Returns
    -------
    Of the type of X
        Columns keep their type. One of whole numbers keeps whole numbers: another reading is
        rounded as the first one was.

    Raises
    ------
    ParameterError, ColumnNotFound, TableError
        As in `parameter.fit_noise`.
    """
    table = read_table(X)
    drawn = _new_readings(table, fit_noise(noise, table), _generator(random_state))
    return _with_columns(X, drawn)


def _generator(random_state: Any) -> np.random.Generator:
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


def _new_readings(
    table: Table, models: tuple[ColumnNoise, ...], rng: np.random.Generator
) -> dict[int, FloatArray]:
    drawn = {}
    for position, model in enumerate(models):
        values = table.columns[position]
        if isinstance(model, RowNoise):
            drawn[position] = model.sample(values, sizes_of(model, table), rng)
        elif model is not None:
            drawn[position] = model.sample(values, rng)
    return drawn


def _with_columns(X: Any, drawn: Mapping[int, FloatArray]) -> Any:
    """A copy of X with some columns replaced, by position."""
    if isinstance(X, np.ndarray):
        return _with_array_columns(X, drawn)
    if isinstance(X, list | tuple):
        return _with_array_columns(np.array(X, dtype=object), drawn).tolist()
    if isinstance(X, Mapping):
        return {
            name: _replaced(column, drawn[position]) if position in drawn else column
            for position, (name, column) in enumerate(X.items())
        }
    return _with_frame_columns(X, drawn)


def _with_array_columns(X: AnyArray, drawn: Mapping[int, FloatArray]) -> AnyArray:
    result = X.copy()
    for position, values in drawn.items():
        result[:, position] = _replaced(X[:, position], values)
    return result


def _with_frame_columns(X: Any, drawn: Mapping[int, FloatArray]) -> Any:
    import narwhals as nw

    frame = nw.from_native(X)
    columns = [
        _replaced_series(column, drawn[position])
        for position, column in enumerate(frame.iter_columns())
        if position in drawn
    ]
    return frame.with_columns(*columns).to_native()


def _replaced(column: Any, values: FloatArray) -> Any:
    """A column of any kind with new values where it is not missing."""
    import narwhals as nw

    series = nw.from_native(column, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return _replaced_series(series, values).to_native()
    array = np.asarray(column)
    is_whole = array.dtype.kind in "iub" or (
        array.dtype.kind == "O" and all(isinstance(cell, int | np.integer) for cell in array)
    )
    known = ~np.isnan(values)
    result = array.copy()
    result[known] = _written(values[known], is_whole)
    return result if isinstance(column, np.ndarray) else type(column)(result.tolist())


def _replaced_series(series: Any, values: FloatArray) -> Any:
    known = np.flatnonzero(~np.isnan(values))
    return series.scatter(known, _written(values[known], series.dtype.is_integer()))


def _written(values: FloatArray, is_whole: bool) -> AnyArray:
    """Values as a column of whole numbers would hold them, or as they are."""
    return np.rint(values).astype(np.int64) if is_whole else values
