"""Reading a table from memory: at fit time its features are found, at predict time obeyed."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import ColumnNotFound, ParameterError, TableError, UnseenLevelWarning
from clearwood.table.column import Column, Feature, format_level
from clearwood.table.decoding import Codes, Numbers, decode, levels_of, recode, require_finite
from clearwood.table.source import Source, open_source, unique_names
from clearwood.table.table import MatrixColumns, Table

FROM_DTYPE = "from_dtype"
SHOWN_LEVELS = 5


def read_table(
    X: Any,
    categorical_features: Any = FROM_DTYPE,
    names: Sequence[str] | None = None,
    columns: Mapping[str, Column] | None = None,
) -> Table:
    """A table read for training: the kind and the levels of each column are found here.

    Texts and unordered categories are nominal; ordered categories are ordinal (their order is
    the order of the numbers they become); numbers and booleans are numeric. Levels are all that
    a category type declares, in its order; else those observed, sorted.

    Parameters
    ----------
    X : array, list of rows, mapping of columns, or data frame (pandas, polars, pyarrow, …)
        Measured values. A float64 array is borrowed, not copied. None, NaN, ``pandas.NA`` and
        null are missing; the texts "NA", "" and "?" are levels.
    categorical_features : "from_dtype", None, or array-like, default="from_dtype"
        Which columns are nominal: those whose type says so; none; or those given by position,
        by name, or by a mask of booleans. Outside "from_dtype", text in any other column is an
        error.
    names : sequence of str or None
        Column names for input without any; "x0", "x1", … otherwise.
    columns : mapping of column name to Column or None
        Wishes; `kind` and `unit` are followed here.

    Returns
    -------
    Table
        With ``matrix`` where every column is numeric and comes from one array.

    Raises
    ------
    TableError
        X is no table, or a column cannot be read; the message names the column.
    ParameterError
        A parameter contradicts X.
    ColumnNotFound
        A column is named that X does not have.
    """
    source = open_source(X)
    column_names = _names_of(source, names)
    wishes = _wishes_by_name(columns, column_names)
    nominal = nominal_columns(
        categorical_features, column_names, source.names is not None or names is not None
    )
    if source.matrix is not None and not nominal and not any(w.kind for w in wishes.values()):
        return _table_of_matrix(source.matrix, _numeric_features(column_names, wishes))
    read = [
        _read_column(column, name, _kind_asked(nominal, i), wishes.get(name, Column()))
        for i, (name, column) in enumerate(zip(column_names, source.columns, strict=True))
    ]
    return Table(tuple(f for f, _ in read), [values for _, values in read], None, source.n_rows)


def encode_table(
    X: Any,
    features: Sequence[Feature],
    *,
    by: Literal["name", "position"] = "name",
    warn_unseen: bool = True,
) -> Table:
    """A table read for prediction: the columns, kinds and level codes that training found.

    Parameters
    ----------
    X : as in `read_table`, or a Source
        Measured values. Input with column names may have further columns and any order.
    features : sequence of Feature
        What the columns are, from ``Table.features``.
    by : {"name", "position"}, default="name"
        How columns are found where X has names; input without names goes by position.
    warn_unseen : bool, default=True
        Whether to warn, once per column, of levels that are not among the feature's.
        Such a level is missing in the result.

    Raises
    ------
    ColumnNotFound
        X lacks a column.
    TableError
        X is no table, has another number of columns, or holds texts where numbers were.

    Warns
    -----
    UnseenLevelWarning
        See `warn_unseen`.
    """
    source = _columns_asked(open_source(X), features, by)
    features = tuple(features)
    if source.matrix is not None and all(feature.kind == "numeric" for feature in features):
        return _table_of_matrix(source.matrix, features)
    columns = [
        _encode_column(column, feature, warn_unseen)
        for column, feature in zip(source.columns, features, strict=True)
    ]
    return Table(features, columns, None, source.n_rows)


def nominal_columns(
    categorical_features: Any, names: Sequence[str], are_named: bool = True
) -> frozenset[int] | None:
    """Positions of the columns that `categorical_features` makes nominal; None: ask the types.

    Parameters
    ----------
    categorical_features : "from_dtype", None, or array-like
        As in `read_table`.
    names : sequence of str
        Column names.
    are_named : bool
        Whether the names are the user's, so that columns may be given by them.

    Raises
    ------
    ParameterError
        Neither positions, names nor a mask; a position out of range; a mask of wrong length.
    ColumnNotFound
        A name that is not among `names`.
    """
    if categorical_features is None:
        return frozenset()
    if isinstance(categorical_features, str):
        if categorical_features == FROM_DTYPE:
            return None
        raise ParameterError(
            "categorical_features must be 'from_dtype', None or a list of columns, got "
            f"{categorical_features!r}; a single column is [{categorical_features!r}]"
        )
    asked = np.asarray(categorical_features)
    if asked.ndim != 1 and asked.size:
        raise ParameterError(f"categorical_features must be a flat list, got shape {asked.shape}")
    if asked.size == 0:
        return frozenset()
    if asked.dtype.kind == "b":
        return _positions_by_mask(asked, len(names))
    if asked.dtype.kind in "iu":
        return _positions_in_range(asked, len(names))
    if all(isinstance(name, str) for name in asked.tolist()):
        return _positions_by_name(asked.tolist(), names, are_named)
    raise ParameterError(
        "categorical_features must hold only positions, only names or only booleans, got "
        f"{categorical_features!r}"
    )


def _positions_by_mask(mask: AnyArray, n_columns: int) -> frozenset[int]:
    if len(mask) != n_columns:
        raise ParameterError(
            "categorical_features as a mask must have one boolean per column: "
            f"{n_columns} columns, got {len(mask)} booleans"
        )
    return frozenset(np.flatnonzero(mask).tolist())


def _positions_in_range(positions: AnyArray, n_columns: int) -> frozenset[int]:
    outside = positions[(positions < 0) | (positions >= n_columns)]
    if outside.size:
        raise ParameterError(
            f"categorical_features must hold positions from 0 to {n_columns - 1}, got {outside[0]}"
        )
    return frozenset(positions.tolist())


def _positions_by_name(
    asked: Sequence[str], names: Sequence[str], are_named: bool
) -> frozenset[int]:
    if not are_named:
        raise ParameterError(
            f"categorical_features names columns ({asked[0]!r}, …), but X has no column names; "
            "give positions, or pass a data frame"
        )
    position = {name: i for i, name in enumerate(names)}
    for name in asked:
        if name not in position:
            raise ColumnNotFound(name, names)
    return frozenset(position[name] for name in asked)


def _numeric_features(names: tuple[str, ...], wishes: Mapping[str, Column]) -> tuple[Feature, ...]:
    if not wishes:
        return _plain_features(names)
    return tuple(
        Feature(name, "numeric", unit=wishes[name].unit if name in wishes else None)
        for name in names
    )


@lru_cache(maxsize=8)
def _plain_features(names: tuple[str, ...]) -> tuple[Feature, ...]:
    """Kept for the next fit: they take longer to make than a small tree to grow."""
    return tuple(Feature(name, "numeric") for name in names)


@lru_cache(maxsize=8)
def _numbered_names(n_columns: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(n_columns))


def _names_of(source: Source, names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return source.names or _numbered_names(len(source.columns))
    given = unique_names(names)
    if source.names is not None and source.names != given:
        raise ParameterError(
            f"names is for input without column names; X has its own: {source.names[:5]}, "
            f"got names={given[:5]}"
        )
    if len(given) != len(source.columns):
        raise ParameterError(
            f"names must have one name per column: {len(source.columns)} columns, got {len(given)}"
        )
    return given


def _wishes_by_name(
    columns: Mapping[str, Column] | None, names: Sequence[str]
) -> Mapping[str, Column]:
    for name, wish in (columns or {}).items():
        if name not in names:
            raise ColumnNotFound(name, names)
        if not isinstance(wish, Column):
            raise ParameterError(f"columns[{name!r}] must be a Column, got {wish!r}")
    return columns or {}


def _kind_asked(nominal: frozenset[int] | None, position: int) -> bool | None:
    """Whether a column shall be nominal; None where its type decides."""
    return None if nominal is None else position in nominal


def _read_column(
    column: Any, name: str, is_nominal: bool | None, wish: Column
) -> tuple[Feature, AnyArray]:
    decoded = decode(column, name)
    if wish.kind is not None:
        is_nominal = wish.kind == "nominal"
    if isinstance(decoded, Numbers):
        if not is_nominal and wish.kind != "ordinal":
            return Feature(name, "numeric", unit=wish.unit), decoded.values
        decoded = levels_of(decoded)
        if wish.kind == "ordinal":
            decoded = Codes(decoded.codes, decoded.labels, ordered=True)
    if decoded.ordered and not is_nominal and wish.kind != "numeric":
        return Feature(name, "ordinal", decoded.labels, wish.unit), _ordinal_values(decoded.codes)
    if is_nominal is False:
        raise _unexpected_levels(name, decoded, wish)
    return Feature(name, "nominal", decoded.labels, wish.unit), decoded.codes


def _unexpected_levels(name: str, decoded: Codes, wish: Column) -> TableError:
    held = f"column {name!r} holds levels such as {decoded.labels[:1]}"
    if wish.kind == "ordinal":
        return TableError(
            f"{held} without a declared order, but its kind is 'ordinal'; make it an ordered "
            "category"
        )
    if wish.kind == "numeric":
        return TableError(f"{held}, but its kind is 'numeric'; turn them into numbers")
    return TableError(
        f"{held}, but categorical_features does not list it; add it there, use 'from_dtype', or "
        "turn it into numbers"
    )


def _ordinal_values(codes: IntArray) -> FloatArray:
    values = codes.astype(np.float64)
    values[codes < 0] = np.nan
    return values


def _table_of_matrix(matrix: FloatArray, features: tuple[Feature, ...]) -> Table:
    require_finite(matrix, [feature.name for feature in features])
    return Table(features, MatrixColumns(matrix), matrix, matrix.shape[0])


def _columns_asked(source: Source, features: Sequence[Feature], by: str) -> Source:
    if source.names is not None and by == "name":
        position = {name: i for i, name in enumerate(source.names)}
        for feature in features:
            if feature.name not in position:
                raise ColumnNotFound(feature.name, source.names)
        return source.select([position[feature.name] for feature in features])
    if len(source.columns) != len(features):
        raise TableError(
            f"X has {len(source.columns)} features (columns), but {len(features)} are expected: "
            "those of training, in its order"
        )
    return source


def _encode_column(column: Any, feature: Feature, warn_unseen: bool) -> AnyArray:
    decoded = decode(column, feature.name)
    if feature.kind == "numeric":
        return _numbers_asked(decoded, feature)
    found = levels_of(decoded) if isinstance(decoded, Numbers) else decoded
    codes = found.codes
    if found.labels != feature.levels:
        codes = _codes_of_feature(found, feature, warn_unseen)
    return codes if feature.kind == "nominal" else _ordinal_values(codes)


def _codes_of_feature(found: Codes, feature: Feature, warn_unseen: bool) -> IntArray:
    """The codes that the feature gives to the labels found."""
    code_of = {label: code for code, label in enumerate(feature.levels)}
    new_code = [code_of.get(label, -1) for label in found.labels]
    if warn_unseen and -1 in new_code:
        _warn_of_unseen(found, new_code, feature)
    return recode(found.codes, new_code)


def _numbers_asked(decoded: Numbers | Codes, feature: Feature) -> FloatArray:
    if isinstance(decoded, Numbers):
        return decoded.values
    if decoded.is_all_missing:
        return np.full(len(decoded.codes), np.nan)
    raise TableError(
        f"column {feature.name!r} held numbers in training, but holds levels such as "
        f"{decoded.labels[0]!r} here; turn it into numbers"
    )


def _warn_of_unseen(found: Codes, new_code: Sequence[int], feature: Feature) -> None:
    counts = np.bincount(found.codes[found.codes >= 0], minlength=len(found.labels))
    unseen = [i for i, code in enumerate(new_code) if code < 0 and counts[i] > 0]
    if not unseen:
        return
    shown = ", ".join(repr(format_level(found.labels[i])) for i in unseen[:SHOWN_LEVELS])
    more = f" and {len(unseen) - SHOWN_LEVELS} more" if len(unseen) > SHOWN_LEVELS else ""
    warnings.warn(
        f"column {feature.name!r} holds {len(unseen)} level(s) that training did not know: "
        f"{shown}{more}; read as missing in {counts[unseen].sum()} row(s)"
        + _other_type([found.labels[i] for i in unseen], feature),
        UnseenLevelWarning,
        stacklevel=5,
    )


def _other_type(unseen: Sequence[Hashable], feature: Feature) -> str:
    """What to say where texts of training have become numbers, or numbers texts."""
    here, known = ({isinstance(x, str) for x in labels} for labels in (unseen, feature.levels))
    if not known or len(here) != 1 or len(known) != 1 or here == known:
        return ""
    before, now = ("numbers", "texts") if True in here else ("texts", "numbers")
    return f"; training had {before} such as {feature.levels[0]!r}, these are {now}: convert them"
