"""Cross-validation: which rows train and test, and the probabilities of rows held out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from clearwood._typing import AnyArray, FloatArray
from clearwood.errors import ParameterError

Rows: TypeAlias = NDArray[np.intp]
Split: TypeAlias = tuple[Rows, Rows]
"""Rows that train and rows that test."""


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """What a model says of rows that it was not trained on.

    Parameters
    ----------
    rows : ndarray of int, shape (n_test,)
        The rows held out.
    probabilities : ndarray of float, shape (n_test, n_classes)
        In the order of the classes of the whole table.
    """

    rows: Rows
    probabilities: FloatArray


def repeated_folds(
    y: Any, n_folds: int, n_repeats: int, random: np.random.Generator
) -> list[Split]:
    """Splits of repeated stratified cross-validation.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels.
    n_folds : int
        At least 2 and at most the number of rows. Fold sizes differ by at most one, and so do
        the numbers of rows of each class.
    n_repeats : int
        At least 1.
    random : numpy Generator
        Shuffles the rows anew for each repeat.

    Returns
    -------
    list of (train, test)
        `n_folds` times `n_repeats` pairs of row numbers in increasing order.

    Raises
    ------
    ParameterError
        Names the number that breaks its rule.
    """
    _, code = np.unique(np.asarray(y), return_inverse=True)
    n_rows = len(code)
    if not 2 <= n_folds <= n_rows:
        raise ParameterError(f"n_folds must be from 2 to the {n_rows} rows, got {n_folds!r}")
    if n_repeats < 1:
        raise ParameterError(f"n_repeats must be at least 1, got {n_repeats!r}")
    splits = []
    for _ in range(n_repeats):
        fold = np.empty(n_rows, dtype=np.intp)
        shuffled = random.permutation(n_rows)
        dealt = shuffled[np.argsort(code[shuffled], kind="stable")]  # class after class
        fold[dealt] = np.arange(n_rows) % n_folds
        splits += [_split(fold == number) for number in range(n_folds)]
    return splits


def group_folds(groups: Any) -> dict[str, Split]:
    """Splits that hold out one group at a time, by the name of the group.

    Parameters
    ----------
    groups : array-like of shape (n_rows,)
        Group of each row; at least two groups.
    """
    group = np.asarray(groups)
    names = np.unique(group)
    if len(names) < 2:
        raise ParameterError(f"groups must hold at least two groups, got {names.tolist()!r}")
    return {str(name): _split(group == name) for name in names}


def cross_validate(
    estimator: Any, X: Any, y: Any, classes: Any, splits: Iterable[Split]
) -> Iterator[Fold]:
    """Fits a copy of the estimator on each split and predicts the rows it holds out.

    Parameters
    ----------
    estimator : classifier with fit and predict_proba
        Left as it is.
    X : data frame or array of shape (n_rows, n_columns)
    y : array of shape (n_rows,)
    classes : array of shape (n_classes,)
        All labels. One that a training part lacks gets probability 0 there.
    splits : iterable of (train, test)

    Yields
    ------
    Fold
        One a split, in their order, as soon as it is done.
    """
    from sklearn.base import clone

    labels = np.asarray(y)
    names = np.asarray(classes)
    for train, test in splits:
        model = clone(estimator).fit(_rows(X, train), labels[train])
        probabilities = np.zeros((len(test), len(names)))
        known = np.flatnonzero(np.isin(names, model.classes_))
        probabilities[:, known] = model.predict_proba(_rows(X, test))
        yield Fold(test, probabilities)


def _split(is_test: AnyArray) -> Split:
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _rows(X: Any, rows: Rows) -> Any:
    """Some rows of a data frame or an array."""
    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if isinstance(frame, nw.DataFrame):
        return frame[rows].to_native()
    return np.asarray(X)[rows]
