"""Decoding one column of any library: into float64 numbers, or into level codes with labels.

What is missing: None, NaN, NaT, ``pandas.NA``, a null, a masked cell. A text is never missing:
"NA", "" and "?" are levels.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ClearwoodWarning, NotATableError, TableError
from clearwood.table.source import EXACT, NUMBER_KINDS, OBJECT_KINDS, Categories, borrowed_float64

PLAIN = (str, int)
"""Types of labels that are kept as they are."""

SMALL = 4096
"""Up to so many numbers a temporary array costs less than to avoid it."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A column of numbers, NaN where missing.

    Booleans are the numbers 0 and 1: with two values every condition is the same one cut, and a
    boolean array, a boolean column and a column of 0 and 1 then give the same tree.
    """

    values: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """A column of level codes, −1 where missing; the label of code c is ``labels[c]``."""

    codes: IntArray
    labels: tuple[Hashable, ...]
    ordered: bool = False

    @property
    def is_all_missing(self) -> bool:
        """Whether no row holds a level."""
        return not bool((self.codes >= 0).any())


def decode(column: Any, name: str) -> Numbers | Codes:
    """One column, read as numbers or as level codes.

    Parameters
    ----------
    column : ndarray of shape (n_rows,), narwhals.Series or Categories
        What is to be read.
    name : str
        Its name, for messages.

    Raises
    ------
    NotATableError
        Cells that are neither numbers nor texts.
    TableError
        Dates, times, nested values, infinite values, or texts beside numbers.
    """
    if isinstance(column, Categories):
        return _of_categories(column)
    decoded = (
        _of_array(column, name) if isinstance(column, np.ndarray) else _of_series(column, name)
    )
    if isinstance(decoded, Numbers):
        require_finite(decoded.values, (name,))
        _warn_of_rounding(column, decoded.values, name)
    return decoded


def _warn_of_rounding(column: Any, values: FloatArray, name: str) -> None:
    """Warns of whole numbers that float64 may have rounded, such as long identifiers."""
    dtype = column.dtype
    is_array = isinstance(column, np.ndarray)
    if not (dtype.kind in "iuO" if is_array else dtype.is_integer()) or not len(values):
        return
    with np.errstate(invalid="ignore"):
        largest = max(np.fmax.reduce(values), -np.fmin.reduce(values))
    if not largest >= EXACT or (is_array and dtype.kind == "O" and not _any_long(column)):
        return
    warnings.warn(
        f"column {name!r} holds whole numbers beyond 2**53, of which not all digits are kept; "
        "give them as texts if they name things, or leave the column out",
        ClearwoodWarning,
        stacklevel=2,
    )


def _any_long(cells: AnyArray) -> bool:
    return any(isinstance(cell, Integral) and abs(int(cell)) > EXACT for cell in cells.ravel())


def levels_of(numbers: Numbers) -> Codes:
    """Numbers as levels: the distinct ones, sorted; whole ones are labelled as integers."""
    missing = np.isnan(numbers.values)
    distinct = np.unique(numbers.values[~missing])
    codes = np.searchsorted(distinct, numbers.values).astype(np.int32)
    codes[missing] = -1
    labels = tuple(int(x) if x.is_integer() else x for x in distinct.tolist())
    return Codes(codes, labels)


def require_finite(values: FloatArray, names: Sequence[str]) -> None:
    """Refuses infinite values; NaN is fine.

    Parameters
    ----------
    values : ndarray of shape (n_rows,) or (n_rows, n_columns)
        Numbers.
    names : sequence of str
        Names of the columns.

    Raises
    ------
    TableError
        A column holds an infinite value; the message names the first such column.
    """
    if not _has_infinite(values):
        return
    table = values.reshape(len(values), -1)
    infinite = np.isinf(table).sum(axis=0)
    column = int(infinite.argmax()) if len(names) == 1 else int(np.flatnonzero(infinite)[0])
    raise TableError(
        f"Input X contains infinity: column {names[column]!r} holds {infinite[column]} infinite "
        "value(s); give the true number, or leave the cell missing"
    )


def _has_infinite(values: FloatArray) -> bool:
    if values.size <= SMALL:
        return bool(np.isinf(values).any())
    # A finite sum proves that all is finite, in one pass without a temporary; NaN and overflow
    # make it fail, and then the two extremes decide.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return False
        return bool(
            np.fmax.reduce(values, axis=None) == np.inf
            or np.fmin.reduce(values, axis=None) == -np.inf
        )


def _of_array(column: AnyArray, name: str) -> Numbers | Codes:
    if column.dtype.kind in NUMBER_KINDS:
        return Numbers(borrowed_float64(column))
    if column.dtype.kind in OBJECT_KINDS:
        return _of_objects(column.astype(object, copy=False), name)
    raise _unreadable(name, str(column.dtype))


def _of_objects(cells: AnyArray, name: str) -> Numbers | Codes:
    """Cells of Python objects: all numbers (or booleans), or all texts."""
    import pandas as pd

    present = ~pd.isna(cells)
    held = cells[present]
    types = set(map(type, held))
    if all(issubclass(t, str) for t in types) and types:
        codes = np.full(len(cells), -1, dtype=np.int32)
        codes[present], labels = pd.factorize(held)
        return _sorted_levels(codes, [str(label) for label in labels])
    if not all(issubclass(t, Real | np.bool_ | Decimal) for t in types):
        raise _unreadable_cells(held, name)
    values = np.full(len(cells), np.nan)
    try:
        values[present] = held.astype(np.float64)
    except OverflowError as error:
        raise TableError(f"column {name!r} holds a number too large for float64") from error
    return Numbers(values)


def _of_series(series: Any, name: str) -> Numbers | Codes:
    import narwhals as nw

    dtype = series.dtype
    if dtype.is_decimal() or isinstance(dtype, nw.Boolean):
        return Numbers(borrowed_float64(series.cast(nw.Float64).to_numpy()))
    if dtype.is_numeric():
        return Numbers(borrowed_float64(series.to_numpy()))
    if isinstance(dtype, nw.String):
        return _of_text(series)
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _of_category(series)
    if isinstance(dtype, nw.Object):
        return _of_objects(series.to_numpy(), name)
    if isinstance(dtype, nw.Unknown) and series.null_count() == len(series):
        return Numbers(np.full(len(series), np.nan))
    raise _unreadable(name, str(getattr(series.to_native(), "dtype", dtype)))


def _of_text(series: Any) -> Codes:
    codes, labels = _of_dictionary(_one_chunk(series.to_arrow()).dictionary_encode())
    return _sorted_levels(codes, labels)


def _of_category(series: Any) -> Codes:
    """A category column; its declared levels in their declared order, observed or not."""
    import narwhals as nw

    if series.implementation.is_polars() and isinstance(series.dtype, nw.Categorical):
        # A polars Categorical shares its levels with every other one in the process: what it
        # "declares" depends on what else was read, so only the observed ones count.
        return _of_text(series.cast(nw.String))
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "cat"):
        codes, labels = native.cat.codes.to_numpy(), native.cat.categories.tolist()
        return _of_categories(Categories(codes, labels, bool(native.cat.ordered)))
    dictionary = _one_chunk(series.to_arrow())
    codes, labels = _of_dictionary(dictionary)
    return _of_categories(Categories(codes, labels, bool(dictionary.type.ordered)))


def _of_categories(column: Categories) -> Codes:
    """Level codes whose labels may be anything, may occur twice, or stand for a missing value."""
    codes = column.codes.astype(np.int32, copy=False)
    labels = [label if type(label) in PLAIN else _plain(label) for label in column.labels]
    return _distinct_levels(codes, labels, column.ordered)


def _one_chunk(array: Any) -> Any:
    """An Arrow array in one piece: a long pandas column of texts may come in several."""
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def _of_dictionary(dictionary: Any) -> tuple[IntArray, list[Any]]:
    # Cast first: the indices may be unsigned, and then cannot become −1.
    codes = dictionary.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes, dictionary.dictionary.to_pylist()


def _plain(label: Any) -> Hashable:
    """A label as a plain Python value; None if it stands for a missing value.

    What a file of a tree cannot hold (an interval, a date) is named by its text.
    """
    if label is None or label != label:
        return None
    if isinstance(label, bool | np.bool_):
        return bool(label)
    if isinstance(label, Integral):
        return int(label)
    return float(label) if isinstance(label, Real) else str(label)


def _distinct_levels(codes: IntArray, labels: Sequence[Hashable], ordered: bool) -> Codes:
    """Codes of distinct labels; an Arrow dictionary may hold one label twice, or a null."""
    distinct = tuple(dict.fromkeys(label for label in labels if label is not None))
    if len(distinct) == len(labels):
        return Codes(codes, distinct, ordered)
    code_of = {label: code for code, label in enumerate(distinct)}
    return Codes(recode(codes, [code_of.get(label, -1) for label in labels]), distinct, ordered)


def _sorted_levels(codes: IntArray, labels: Sequence[str]) -> Codes:
    rank = {label: code for code, label in enumerate(sorted(labels))}
    return Codes(recode(codes, [rank[label] for label in labels]), tuple(rank))


def recode(codes: IntArray, new_code: Sequence[int]) -> IntArray:
    """``new_code[c]`` in the place of each code c; −1 stays."""
    # The entry behind the last code is the one that index −1 finds.
    lookup = np.array([*new_code, -1], dtype=np.int32)
    recoded: IntArray = lookup[codes]
    return recoded


def _unreadable(name: str, dtype: str) -> TableError:
    lower = dtype.lower()
    if "complex" in lower:
        return TableError(f"Complex data not supported: column {name!r} has dtype {dtype}")
    if any(word in lower for word in ("date", "time", "duration", "period")):
        mend = "turn it into a number, such as days since a reference date or age in years"
    elif any(word in lower for word in ("list", "struct", "array", "map")):
        mend = "a cell must hold one value: spread it over columns"
    else:
        mend = "turn it into numbers, texts or a category, or leave it out"
    return TableError(f"column {name!r} has type {dtype}, which no condition can test; {mend}")


def _unreadable_cells(held: AnyArray, name: str) -> TableError:
    for cell in held:
        if isinstance(cell, complex | np.complexfloating):
            return TableError(f"Complex data not supported: column {name!r} holds {cell!r}")
        if hasattr(cell, "isoformat") or hasattr(cell, "total_seconds"):
            return _unreadable(name, f"date or time ({type(cell).__name__})")
        if not isinstance(cell, str | Real | np.bool_ | Decimal):
            return NotATableError(
                f"column {name!r} holds {cell!r}: a cell argument must be a string or a real "
                f"number, not {type(cell).__name__!r}"
            )
    text = next(cell for cell in held if isinstance(cell, str))
    number = next(cell for cell in held if not isinstance(cell, str))
    return TableError(
        f"column {name!r} mixes texts and numbers, such as {text!r} and {number!r}; write all "
        "cells as numbers (missing where there is none), or all as texts"
    )
