"""The noise parameters of estimators, read: one model a column, then one form a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from clearwood._typing import FloatArray
from clearwood.errors import ColumnNotFound, ParameterError
from clearwood.noise.contract import NoiseModel
from clearwood.noise.mean_fraction import MeanFraction
from clearwood.noise.models import Exact
from clearwood.noise.per_row import RowNoise
from clearwood.noise.sampled import RangeFraction
from clearwood.noise.standard_form import StandardForm, standard_form
from clearwood.table.column import Feature
from clearwood.table.table import Table

ColumnNoise: TypeAlias = NoiseModel | RowNoise | None
"""Noise of one column; None is no noise."""


def fit_noise(
    noise: Any, table: Table, name: str = "noise", weights: FloatArray | None = None
) -> tuple[ColumnNoise, ...]:
    """One noise model for each column, with everything known that training values decide.

    Parameters
    ----------
    noise : None, float, or mapping of column name to noise model
        No noise; a fraction u, short for ``MeanFraction(u)`` on every numeric column; or a model
        for some of the numeric columns.
    table : Table
        Training values.
    name : str
        Name of the parameter, for messages.
    weights : ndarray of shape (n_rows,), float64, or None
        Training weights: a weight of 2 counts as two rows. None weighs every row 1.

    Raises
    ------
    ParameterError
        Another type, a negative fraction, a bare number in the mapping, noise on a column of
        levels, or a unit that contradicts the column's.
    ColumnNotFound
        The mapping names a column that the table does not have.

    Warns
    -----
    ClearwoodWarning
        A fraction of the mean means little in a column; see `MeanFraction.fitted`.
    """
    asked = _by_column(noise, table, name)
    return tuple(
        None if model is None else _without_exact(model.fitted(values, feature.name, weights))
        for feature, values, model in zip(
            table.features, table.columns, (asked.get(f.name) for f in table.features), strict=True
        )
    )


def standard_forms(
    models: Sequence[ColumnNoise],
    table: Table,
    beside: Mapping[str, FloatArray] | None = None,
) -> tuple[StandardForm | None, ...]:
    """What the core reads of each column's noise, for the rows of a table.

    Parameters
    ----------
    models : sequence of ColumnNoise
        From `fit_noise`, one a column.
    table : Table
        Measured values, of training or of prediction.
    beside : mapping of column name to ndarray of shape (n_rows,), or None
        Columns that say how large the noise is and are no columns of the table.

    Returns
    -------
    tuple of StandardForm or None
        None where the column is exact.

    Raises
    ------
    ColumnNotFound
        A column that says how large the noise is is in neither place.
    TableError
        Values that a model cannot have.
    """
    return tuple(
        _form(model, values, feature.name, table, beside or {})
        for model, values, feature in zip(models, table.columns, table.features, strict=True)
    )


def resolve_noise(
    noise: Any,
    table: Table,
    beside: Mapping[str, FloatArray] | None = None,
    name: str = "noise",
) -> tuple[StandardForm | None, ...]:
    """`fit_noise` and `standard_forms` on the same table."""
    return standard_forms(fit_noise(noise, table, name), table, beside)


def columns_of_sizes(noise: Any) -> tuple[str, ...]:
    """Names of the columns that say, row by row, how large the noise of another one is."""
    models = noise.values() if isinstance(noise, Mapping) else ()
    return tuple(dict.fromkeys(m.column for m in models if isinstance(m, RowNoise)))


def _by_column(noise: Any, table: Table, name: str) -> Mapping[str, ColumnNoise]:
    if noise is None:
        return {}
    if isinstance(noise, Mapping):
        for column, model in noise.items():
            _require_fitting(column, model, table, name)
        return noise
    if isinstance(noise, RangeFraction):  # UDT's, which has no mapping of its own
        return {feature.name: noise for feature in table.features if feature.kind == "numeric"}
    if not _is_number(noise):
        raise ParameterError(
            f"{name} must be None, a fraction of the mean such as 0.1, or a mapping from column "
            f"name to noise model, got {noise!r}"
        )
    if not (isfinite(noise) and noise >= 0):
        raise ParameterError(f"{name} must be 0 or positive, and finite, got {noise!r}")
    model = MeanFraction(float(noise))
    return {feature.name: model for feature in table.features if feature.kind == "numeric"}


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _require_fitting(column: Any, model: Any, table: Table, name: str) -> None:
    place = f"{name}[{column!r}]"
    if column not in table.names:
        raise ColumnNotFound(str(column), table.names)
    if _is_number(model):
        raise ParameterError(
            f"{place} is the bare number {model!r}, which could mean two things: write "
            f"Normal(sd={model!r}) for a standard deviation in the unit of the column, or "
            f"MeanFraction(u={model!r}) for a fraction of its mean"
        )
    if not isinstance(model, NoiseModel | RowNoise | None):
        raise ParameterError(f"{place} must be a noise model such as Normal(sd=2), got {model!r}")
    feature = table.features[table.names.index(column)]
    if model is not None and not isinstance(model, Exact):
        _require_numbers(feature, model, place)


def _require_numbers(feature: Feature, model: NoiseModel | RowNoise, place: str) -> None:
    if feature.kind != "numeric":
        raise ParameterError(
            f"{place} is {model!r}, but the column is {feature.kind}: levels have no measurement "
            "error that could be added; leave it out"
        )
    if None not in (feature.unit, model.unit) and feature.unit != model.unit:
        raise ParameterError(
            f"{place} is in {model.unit!r}, but the column is in {feature.unit!r}; convert one"
        )


def _without_exact(model: NoiseModel | RowNoise) -> ColumnNoise:
    return None if isinstance(model, Exact) else model


def _form(
    model: ColumnNoise,
    values: FloatArray,
    name: str,
    table: Table,
    beside: Mapping[str, FloatArray],
) -> StandardForm | None:
    if model is None:
        return None
    if isinstance(model, RowNoise):
        return model.form(values, sizes_of(model, table, beside), name)
    form = standard_form(model, values, name)
    return None if form.is_hard else form


def sizes_of(
    model: RowNoise, table: Table, beside: Mapping[str, FloatArray] | None = None
) -> FloatArray:
    """The sizes of noise that a model asks for, (n_rows,), from beside the table or within.

    Raises
    ------
    ColumnNotFound
        The column is in neither place.
    ParameterError
        It does not hold numbers.
    """
    column, other = model.column, beside or {}
    if column in other:
        return other[column]
    if column not in table.names:
        raise ColumnNotFound(column, (*table.names, *other))
    position = table.names.index(column)
    if table.features[position].kind != "numeric":
        raise ParameterError(
            f"column {column!r} says how large noise is: it must hold numbers, but it is "
            f"{table.features[position].kind}"
        )
    sizes: FloatArray = table.columns[position]
    return sizes
