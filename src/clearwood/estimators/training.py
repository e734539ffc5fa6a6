"""What a classifier is trained on, read from anything a user may pass to `fit`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from clearwood._typing import AnyArray, BoolArray, FloatArray, IntArray
from clearwood.errors import ClearwoodWarning, TableError
from clearwood.table.column import Column
from clearwood.table.frames import read_table
from clearwood.table.labels import read_labels, read_weights
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A table with its labels and weights; rows of weight 0 are left out.

    Parameters
    ----------
    table : Table
    classes : ndarray of shape (n_classes,)
        Labels, sorted.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to ``classes[codes[i]]``.
    weights : ndarray of shape (n_rows,), float64, or None
    """

    table: Table
    classes: AnyArray
    codes: IntArray
    weights: FloatArray | None


def read_training(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    class_weight: Any = None,
    categorical_features: Any = "from_dtype",
    columns: Mapping[str, Column] | None = None,
) -> Training:
    """Reads and checks everything `fit` is given.

    Raises
    ------
    TableError
        Table, labels and weights do not fit together, or one of them cannot be read.
    """
    weights = None if sample_weight is None else _weights(sample_weight, y)
    if weights is not None and not weights.all():
        used = weights > 0
        X, y, weights = _rows(X, used), _rows(y, used), weights[used]
    table = read_table(X, categorical_features, columns=columns)
    classes, codes = read_labels(y)
    if len(codes) != table.n_rows:
        raise TableError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {table.n_rows} rows and y has {len(codes)}"
        )
    if class_weight is not None:
        by_class = compute_sample_weight(class_weight, classes[codes])
        weights = by_class if weights is None else weights * by_class
    return Training(table, classes, codes, weights)


def warn_of_light_rows(training: Training, min_samples_leaf: float) -> None:
    """Warns where weights are so small that no branch could ever reach the minimum."""
    if training.weights is not None and training.weights.sum() < 2 * min_samples_leaf:
        warnings.warn(
            f"the weights sum to {training.weights.sum():g}, but min_samples_leaf="
            f"{min_samples_leaf:g} is a weight that two branches must reach: nothing can be "
            "split; scale the weights so that a typical row weighs 1",
            ClearwoodWarning,
            stacklevel=3,
        )


def _weights(sample_weight: Any, y: Any) -> FloatArray | None:
    n_rows = len(y) if hasattr(y, "__len__") else np.asarray(y).size
    if np.isscalar(sample_weight):
        sample_weight = np.full(n_rows, sample_weight)
    return read_weights(sample_weight, n_rows)


def _rows(data: Any, used: BoolArray) -> Any:
    """Some rows of an array, a list, a mapping of columns or a data frame."""
    if isinstance(data, Mapping):
        return {name: _rows(column, used) for name, column in data.items()}
    if isinstance(data, list | tuple):
        return [row for row, keep in zip(data, used, strict=True) if keep]
    native = nw.from_native(data, pass_through=True, allow_series=True)
    if isinstance(native, nw.DataFrame | nw.Series):
        return native.filter(used.tolist()).to_native()
    return np.asarray(data)[used]
