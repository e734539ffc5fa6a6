"""Tables of the shapes that the comparison runs on, the same ones each time.

========  ====================================================================
a1        Wisconsin breast cancer, 569 x 30
a2        like pima: 768 x 8, few distinct values
b, c, d   10 thousand, 100 thousand, 1 million rows x 20, 10 % labels flipped
e         100 x 12,000
f         100 thousand x (10 numeric + 5 nominal), 5 % missing
========  ====================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MOST_TEST_ROWS = 100_000


@dataclass(frozen=True)
class Data:
    """Training and test rows; `nominal` columns hold level codes, NaN is missing."""

    X: FloatArray
    y: IntArray
    X_test: FloatArray
    y_test: IntArray
    nominal: tuple[int, ...] = ()


def shape(name: str) -> Data:
    """The table of that name."""
    return SHAPES[name]()


def divided(X: FloatArray, y: IntArray, n_train: int, nominal: tuple[int, ...] = ()) -> Data:
    X, y = np.ascontiguousarray(X, dtype=np.float64), y.astype(np.int64)
    train, test = slice(0, n_train), slice(n_train, None)
    return Data(X[train].copy(), y[train], X[test].copy(), y[test], nominal)


def breast_cancer() -> Data:
    """All rows for both, so that a fit has the size that others report."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    return Data(np.ascontiguousarray(X), y.astype(np.int64), X, y.astype(np.int64))


def like_pima() -> Data:
    """Clinical columns as they are recorded: whole numbers, one or three decimals."""
    rng = np.random.default_rng(11)
    n_train, n = 768, 2768
    decimals = (0, 0, 0, 0, 0, 1, 3, 0)
    mean = np.array([3.8, 121.0, 69.0, 20.0, 80.0, 32.0, 0.47, 33.0])
    sd = np.array([3.4, 31.0, 14.0, 14.0, 90.0, 7.0, 0.33, 11.0])
    z = rng.standard_normal((n, 8))
    X = np.clip(mean + sd * z, 0.0, None)
    X = np.column_stack([X[:, j].round(places) for j, places in enumerate(decimals)])
    risk = z @ np.array([0.4, 1.1, -0.2, 0.0, 0.0, 0.6, 0.3, 0.2]) - 0.8
    y = rng.random(n) < 1.0 / (1.0 + np.exp(-risk))
    return divided(X, y, n_train)


def flipped(n_train: int) -> Data:
    """Continuous columns, half of them informative; a tenth of the labels is wrong."""
    from sklearn.datasets import make_classification

    n = n_train + min(n_train, MOST_TEST_ROWS)
    X, y = make_classification(
        n,
        n_features=20,
        n_informative=10,
        n_redundant=4,
        n_clusters_per_class=4,
        flip_y=0.0,
        random_state=3,
    )
    wrong = np.random.default_rng(3).random(n) < 0.1
    return divided(X, np.where(wrong, 1 - y, y), n_train)


def wide() -> Data:
    """Far more columns than rows, as in gene expression."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        300,
        n_features=12_000,
        n_informative=40,
        n_redundant=100,
        class_sep=2.0,
        flip_y=0.05,
        random_state=5,
    )
    return divided(X, y, 100)


def mixed() -> Data:
    """Numeric and nominal columns with missing values."""
    rng = np.random.default_rng(4)
    clean = flipped(100_000)
    X = np.vstack([clean.X, clean.X_test[:50_000]])[:, :15]
    y = np.concatenate([clean.y, clean.y_test[:50_000]])
    nominal = tuple(range(10, 15))
    for j, n_levels in zip(nominal, (3, 5, 8, 12, 20), strict=True):
        edges = np.quantile(X[:, j], np.linspace(0, 1, n_levels + 1)[1:-1])
        X[:, j] = rng.permutation(n_levels)[np.searchsorted(edges, X[:, j])]
    X[rng.random(X.shape) < 0.05] = np.nan
    return divided(X, y, 100_000, nominal)


SHAPES: dict[str, Callable[[], Data]] = {
    "a1": breast_cancer,
    "a2": like_pima,
    "b": lambda: flipped(10_000),
    "c": lambda: flipped(100_000),
    "d": lambda: flipped(1_000_000),
    "e": wide,
    "f": mixed,
}


def as_frame(X: FloatArray, nominal: tuple[int, ...]) -> Any:
    """A pandas frame in which nominal columns are categories."""
    import pandas as pd

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    for j in nominal:
        codes = np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)
        frame[f"x{j}"] = pd.Categorical.from_codes(codes, categories=pd.Index(range(20)))
    return frame
