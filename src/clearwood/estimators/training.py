"""What a classifier is trained on, read from anything a user may pass to `fit`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np

from clearwood._typing import AnyArray, BoolArray, FloatArray, IntArray
from clearwood.errors import ClearwoodWarning, ParameterError, TableError
from clearwood.table.column import Column
from clearwood.table.frames import read_table
from clearwood.table.labels import read_labels, read_weights
from clearwood.table.table import MatrixColumns, Table


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
    beside : mapping of column name to ndarray of shape (n_rows,)
        Columns that say how large the noise of others is.
    """

    table: Table
    classes: AnyArray
    codes: IntArray
    weights: FloatArray | None
    beside: Mapping[str, FloatArray] = field(default_factory=dict)

    def set_beside(self, names: Sequence[str]) -> Training:
        """The same, with some columns set beside the table."""
        kept = [i for i, name in enumerate(self.table.names) if name not in names]
        columns = dict(zip(self.table.names, self.table.columns, strict=True))
        table = Table(
            tuple(self.table.features[i] for i in kept),
            [self.table.columns[i] for i in kept],
            None,
            self.table.n_rows,
        )
        return replace(self, table=table, beside={name: columns[name] for name in names})

    def part(self, rows: AnyArray) -> Training:
        """Some of the rows, by their places; classes and levels stay all of them."""
        table = self.table
        if table.matrix is not None:
            matrix = table.matrix[rows]
            columns: Sequence[AnyArray] = MatrixColumns(matrix)
        else:
            matrix, columns = None, [column[rows] for column in table.columns]
        return Training(
            Table(table.features, columns, matrix, len(rows)),
            self.classes,
            self.codes[rows],
            None if self.weights is None else self.weights[rows],
            {name: sizes[rows] for name, sizes in self.beside.items()},
        )


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
        by_row = _class_factors(class_weight, classes, codes, weights)[codes]
        weights = by_row if weights is None else weights * by_row
    return Training(table, classes, codes, weights)


def warn_of_light_rows(training: Training, min_samples_leaf: float) -> None:
    """Warns where weights are so small that no branch could ever reach the minimum."""
    if training.weights is None:
        return
    n_rows, total = len(training.weights), training.weights.sum()
    if total < 2 * min_samples_leaf <= n_rows:
        warnings.warn(
            f"the weights of {n_rows} rows sum to {total:g}, but min_samples_leaf="
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


def _class_factors(
    class_weight: Any, classes: AnyArray, codes: IntArray, weights: FloatArray | None
) -> FloatArray:
    """Factor of each class; "balanced" makes all classes weigh the same."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        mass = np.bincount(codes, weights, len(classes))
        balanced: FloatArray = mass.sum() / (len(classes) * mass)
        return balanced
    if not isinstance(class_weight, Mapping):
        raise ParameterError(
            "class_weight must be None, 'balanced' or a mapping of label to factor, got "
            f"{class_weight!r}"
        )
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown and not all(label in class_weight for label in labels):
        raise ParameterError(
            f"class_weight names {unknown[0]!r}, which is not among the labels {labels[:5]}"
        )
    factors = [_class_factor(label, class_weight.get(label, 1.0)) for label in labels]
    if not any(factors):
        raise ParameterError(f"class_weight must leave one class a weight, got {class_weight!r}")
    return np.array(factors)


def _class_factor(label: Any, factor: Any) -> float:
    is_number = isinstance(factor, Real) and not isinstance(factor, bool)
    if not is_number or not math.isfinite(factor) or factor < 0:
        raise ParameterError(
            f"class_weight[{label!r}] must be a finite number of at least 0, got {factor!r}"
        )
    return float(factor)


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
