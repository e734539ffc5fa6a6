"""Reading class labels and row weights.

Some sentences contain a phrase of scikit-learn's on purpose ("Unknown label type", "a column-vector
y"): its estimator checks, and people's searches, look for them.
"""

from __future__ import annotations

import sys
import warnings
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from clearwood._typing import AnyArray, FloatArray, IntArray
from clearwood.errors import TableError

CLOSE_TOGETHER = 4096
"""Whole numbers within less than this are counted instead of sorted."""


def read_labels(y: Any) -> tuple[AnyArray, IntArray]:
    """The classes in `y`, sorted, and the class of each row.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels: booleans, whole numbers or texts, from any library.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        Sorted, in the type that the labels have in NumPy.
    codes : ndarray of shape (n_rows,), int32
        Row i belongs to class ``classes[codes[i]]``.

    Raises
    ------
    TableError
        No, missing, continuous, nested or mixed labels, or more than one column of them.

    Warns
    -----
    DataConversionWarning
        `y` is a single column instead of a flat array (a UserWarning while scikit-learn is
        not loaded).
    """
    labels = _flat_labels(y)
    if labels.size == 0:
        raise TableError("y must hold at least one label, got none (0 sample(s))")
    if labels.dtype.kind in "OT":
        labels = _plain_labels(labels.astype(object))
        if labels.dtype.kind == "O":
            return _of_texts(labels)
    _require_classes(labels)
    if labels.dtype.kind in "iu":
        return _of_whole_numbers(labels)
    classes = np.unique(labels)
    return classes, np.searchsorted(classes, labels).astype(np.int32)


def _of_whole_numbers(labels: AnyArray) -> tuple[AnyArray, IntArray]:
    """Classes of whole numbers; counted, where they lie close together."""
    lowest, highest = labels.min(), labels.max()
    span = int(highest) - int(lowest)
    if span >= CLOSE_TOGETHER:
        classes = np.unique(labels)
        return classes, np.searchsorted(classes, labels).astype(np.int32)
    wide = np.uint64 if labels.dtype.kind == "u" else np.int64
    above = np.subtract(labels, lowest, dtype=wide).astype(np.int32)
    present = np.flatnonzero(np.bincount(above))
    classes = np.add(present.astype(wide), lowest, dtype=wide).astype(labels.dtype)
    if len(classes) == span + 1:
        return classes, above
    code_of = np.zeros(span + 1, dtype=np.int32)
    code_of[present] = np.arange(len(present))
    codes: IntArray = code_of[above]
    return classes, codes


def read_weights(sample_weight: Any, n_rows: int) -> FloatArray | None:
    """Row weights as contiguous float64; None if there are none.

    Raises
    ------
    TableError
        Not one number per row, a missing, infinite or negative weight, or all weights zero.
    """
    if sample_weight is None:
        return None
    try:
        weights = np.ascontiguousarray(np.asarray(sample_weight), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TableError(f"sample_weight must hold numbers: {error}") from error
    # ascontiguousarray makes a scalar one-dimensional, hence the shape of the original.
    if np.asarray(sample_weight).shape != (n_rows,):
        raise TableError(
            f"sample_weight must have one weight per row, shape ({n_rows},), "
            f"got shape {np.asarray(sample_weight).shape}"
        )
    _require_weights(weights)
    return weights


def _require_weights(weights: FloatArray) -> None:
    wrong = ~np.isfinite(weights)
    if wrong.any():
        row = int(wrong.argmax())
        raise TableError(
            f"sample_weight must be finite, but {int(wrong.sum())} weight(s) are NaN or infinity, "
            f"the first in row {row}; leave such rows out, or give them weight 0"
        )
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        raise TableError(
            "Negative values in data passed to `sample_weight`: weights must be at least 0, got "
            f"{weights[row]} in row {row}"
        )
    if not weights.any():
        raise TableError("sample_weight must hold a positive weight, but every weight is zero")


def _flat_labels(y: Any) -> AnyArray:
    if y is None:
        raise TableError(
            "a classifier requires y to be passed, but the target y is None; pass one label per row"
        )
    if isinstance(y, np.ma.MaskedArray):
        y = np.ma.filled(y.astype(object), None)
    if isinstance(y, list | tuple) and any(isinstance(label, str) for label in y):
        # NumPy would write the number 1 beside the text "a", and None, as texts.
        y = np.array(y, dtype=object) if not all(isinstance(label, str) for label in y) else y
    labels: AnyArray = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        _warn_of_column_vector(labels.shape)
        return labels[:, 0]
    if labels.ndim != 1:
        raise TableError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    return labels


def _warn_of_column_vector(shape: tuple[int, ...]) -> None:
    # Whoever filters scikit-learn's class has loaded it; nobody else pays for its import.
    module = sys.modules.get("sklearn.exceptions")
    category = getattr(module, "DataConversionWarning", UserWarning)
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected, got shape "
        f"{shape}; pass y.ravel()",
        category,
        stacklevel=5,
    )


def _plain_labels(labels: AnyArray) -> AnyArray:
    """Labels of Python objects in the NumPy type they have in common; texts stay objects."""
    import pandas as pd

    missing = int(pd.isna(labels).sum())
    if missing:
        raise _missing_labels(missing)
    types = set(map(type, labels))
    for kind, dtype in (
        (str, object),
        (bool | np.bool_, np.bool_),
        (Integral, np.int64),
        (Real | Decimal, np.float64),
    ):
        if all(issubclass(t, kind) for t in types):
            return labels.astype(dtype)
    names = ", ".join(sorted(t.__name__ for t in types))
    raise TableError(
        f"Unknown label type: unknown. Labels must all be texts, booleans or whole numbers, "
        f"got {names}"
    )


def _of_texts(labels: AnyArray) -> tuple[AnyArray, IntArray]:
    """Classes of texts; hashed, since sorting a million Python strings takes seconds."""
    import pandas as pd

    first_seen, distinct = pd.factorize(labels)
    order = np.argsort(distinct)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    codes: IntArray = rank[first_seen]
    classes: AnyArray = np.asarray(distinct)[order]
    return classes, codes


def _require_classes(labels: AnyArray) -> None:
    if labels.dtype.kind in "biuU":
        return
    if labels.dtype.kind == "c":
        raise TableError(f"Complex data not supported: y has dtype {labels.dtype}")
    if labels.dtype.kind != "f":
        raise TableError(
            f"Unknown label type: unknown. Labels must be texts, booleans or whole numbers, got "
            f"dtype {labels.dtype}"
        )
    missing = int(np.isnan(labels).sum())
    if missing:
        raise _missing_labels(missing)
    if np.isinf(labels).any():
        raise TableError("Input y contains infinity; labels must be whole numbers or texts")
    fractional = labels != np.floor(labels)
    if fractional.any():
        raise TableError(
            "Unknown label type: continuous. A classifier needs classes, but y holds fractions "
            f"such as {labels[fractional.argmax()]}; group the values into classes first"
        )


def _missing_labels(count: int) -> TableError:
    return TableError(
        f"Input y contains NaN or another missing value in {count} row(s); leave these rows out"
    )
