"""How many small trees a second: `fit_many` on one thread against scikit-learn, in one run.

Tables of 60 to 480 rows from the package and from scikit-learn; each is drawn 100 times without
replacement, and one unpruned tree by information gain is grown from each draw.

    python -m benchmarks.small_fits
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import clearwood as cw
from benchmarks.compare.timing import alternate
from clearwood.table.datasets import load_heart_disease

N_FITS = 100
ROWS = (60, 120, 240, 480)
LEARNERS: dict[str, Any] = {
    "hard": cw.TreeClassifier(min_samples_leaf=2),
    "C4.5, pruned": cw.C45Classifier(),
    "soft search, u = 0.1": cw.TreeClassifier(min_samples_leaf=2, search_noise=0.1),
    "both, u = 0.1": cw.TreeClassifier(min_samples_leaf=2, search_noise=0.1, propagation_noise=0.1),
}


def heart_disease() -> tuple[Any, Any]:
    """The numeric columns of the package's table, missing values among them."""
    X, y, _ = load_heart_disease()
    return np.ascontiguousarray(X.select_dtypes("number"), dtype=np.float64), np.asarray(y)


def tables() -> dict[str, tuple[Any, Any]]:
    """Values and labels by name."""
    loaders: dict[str, Callable[..., Any]] = {
        "iris": load_iris,
        "wine": load_wine,
        "breast cancer": load_breast_cancer,
    }
    from_sklearn = {name: load(return_X_y=True) for name, load in loaders.items()}
    return {**from_sklearn, "heart disease": heart_disease()}


def draws(n_rows: int, size: int) -> list[Any]:
    """Rows of each fit."""
    rng = np.random.default_rng(0)
    return [np.sort(rng.choice(n_rows, size, replace=False)) for _ in range(N_FITS)]


def seconds(X: Any, y: Any, size: int, reps: int = 3) -> dict[str, float]:
    """A fit's time by each learner; scikit-learn's from a tenth of the draws."""
    rows = draws(len(y), size)
    few = rows[: N_FITS // 10]

    def ours(learner: Any) -> None:
        cw.fit_many([cw.Fit(learner, train) for train in rows], X, y)

    def theirs() -> None:
        for train in few:
            DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2).fit(X[train], y[train])

    calls: dict[str, Callable[[], None]] = {"scikit-learn": theirs}
    calls |= {name: lambda learner=learner: ours(learner) for name, learner in LEARNERS.items()}
    n_fits = {"scikit-learn": len(few)}
    return {
        name: taken.least / n_fits.get(name, N_FITS)
        for name, taken in alternate(calls, reps).items()
    }


def main() -> None:
    print(f"{'table':<16}{'rows':>5}  {'learner':<22}{'µs a fit':>10}{'fits/s':>10}{'ratio':>8}")
    hard = []
    for name, (X, y) in tables().items():
        for size in (s for s in ROWS if s < len(y)):
            found = seconds(X, y, size)
            hard.append(found["hard"])
            for learner, taken in found.items():
                ratio = found["scikit-learn"] / taken
                print(
                    f"{name:<16}{size:>5}  {learner:<22}{1e6 * taken:>10.0f}{1 / taken:>10.0f}"
                    f"{ratio:>8.1f}"
                )
    print(f"hard trees a second over all of these: {len(hard) / sum(hard):.0f}")


if __name__ == "__main__":
    main()
