"""How rows are divided: by a seed alone, so that every method sees the same parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def folds(n_rows: int, n_folds: int, seed: Any) -> Iterator[tuple[Rows, Rows]]:
    """Training and test rows of a cross-validation whose parts differ by a row at most.

    Parameters
    ----------
    n_rows, n_folds : int
    seed : int or sequence of int
        As ``numpy.random.default_rng`` takes it.
    """
    order = np.random.default_rng(seed).permutation(n_rows)
    for part in np.array_split(order, n_folds):
        yield np.setdiff1d(order, part), np.sort(part)


def stratified_folds(y: Any, n_folds: int, seed: Any) -> Iterator[tuple[Rows, Rows]]:
    """The same, with each class in equal parts as far as whole rows allow."""
    labels = np.asarray(y)
    rng = np.random.default_rng(seed)
    fold_of = np.empty(len(labels), np.int64)
    dealt = 0
    for label in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == label))
        fold_of[rows] = (dealt + np.arange(len(rows))) % n_folds
        dealt += len(rows)
    for fold in range(n_folds):
        yield np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)


def stratified_split(y: Any, test_share: float, seed: Any) -> tuple[Rows, Rows]:
    """Training and test rows, with that share of each class, rounded, in the test part."""
    labels = np.asarray(y)
    rng = np.random.default_rng(seed)
    test = np.concatenate(
        [
            (rows := rng.permutation(np.flatnonzero(labels == label)))[
                : round(test_share * len(rows))
            ]
            for label in np.unique(labels)
        ]
    )
    return np.setdiff1d(np.arange(len(labels)), test), np.sort(test)
