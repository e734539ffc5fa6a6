"""The learners compared, each with the same four verbs; one thread, at least two rows in a leaf."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from benchmarks.compare.shapes import Data, FloatArray, IntArray, as_frame

MIN_SAMPLES_LEAF = 2


class Learner(Protocol):
    """What is timed. `ready` turns an array into what the library is given; it is not timed."""

    def ready(self, X: FloatArray) -> Any: ...
    def fit(self, X: Any, y: IntArray) -> Any: ...
    def predict(self, X: Any) -> Any: ...
    def predict_proba(self, X: Any) -> Any: ...
    def n_leaves(self) -> int: ...


class Classifier:
    """Any classifier with scikit-learn's methods."""

    def __init__(self, model: Any, ready: Callable[[FloatArray], Any] = lambda X: X) -> None:
        self.model, self.ready = model, ready

    def fit(self, X: Any, y: IntArray) -> Any:
        return self.model.fit(X, y)

    def predict(self, X: Any) -> Any:
        return self.model.predict(X)

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(X)

    def n_leaves(self) -> int:
        return int(self.model.get_n_leaves())


class Ydf:
    """Yggdrasil's single tree."""

    def __init__(self, depth: int | None, nominal: tuple[int, ...]) -> None:
        import ydf  # type: ignore[import-not-found,unused-ignore]

        ydf.verbose(0)
        self.nominal, self.model = nominal, None
        self.learner = ydf.CartLearner(
            label="y",
            max_depth=-1 if depth is None else depth + 1,  # it counts the root
            min_examples=MIN_SAMPLES_LEAF,
            validation_ratio=0.0,
            num_threads=1,
            include_all_columns=True,
        )

    def ready(self, X: FloatArray) -> dict[str, Any]:
        return {f"x{j}": self.column(X[:, j], j in self.nominal) for j in range(X.shape[1])}

    def column(self, values: FloatArray, is_nominal: bool) -> Any:
        if not is_nominal:
            return values.astype(np.float32)
        return np.array(["" if np.isnan(v) else f"v{int(v)}" for v in values])

    def fit(self, X: dict[str, Any], y: IntArray) -> Any:
        self.model = self.learner.train({**X, "y": y})
        return self.model

    def predict(self, X: dict[str, Any]) -> Any:
        return (self.predict_proba(X) > 0.5).astype(int)

    def predict_proba(self, X: dict[str, Any]) -> Any:
        assert self.model is not None
        return self.model.predict(X)

    def n_leaves(self) -> int:
        def leaves(node: Any) -> int:
            if node.is_leaf:
                return 1
            return leaves(node.pos_child) + leaves(node.neg_child)

        assert self.model is not None
        return leaves(self.model.get_tree(0).root)


def ours(depth: int | None, data: Data) -> Learner:
    from clearwood import TreeClassifier

    model = TreeClassifier(max_depth=depth, min_samples_leaf=MIN_SAMPLES_LEAF)
    if data.nominal:
        return Classifier(model, lambda X: as_frame(X, data.nominal))
    return Classifier(model)


def ours_binary(depth: int | None, data: Data) -> Learner:
    """With two branches at nominal columns too, as the others make them."""
    from clearwood import TreeClassifier

    model = TreeClassifier(max_depth=depth, min_samples_leaf=MIN_SAMPLES_LEAF, nominal="subset")
    return Classifier(model, lambda X: as_frame(X, data.nominal))


def scikit_learn(depth: int | None, data: Data) -> Learner:
    """Nominal columns go in as level codes, which it cuts as numbers."""
    from sklearn.tree import DecisionTreeClassifier

    return Classifier(
        DecisionTreeClassifier(
            criterion="entropy",
            max_depth=depth,
            min_samples_leaf=MIN_SAMPLES_LEAF,
            random_state=0,
        )
    )


def yggdrasil(depth: int | None, data: Data) -> Learner:
    return Ydf(depth, data.nominal)


OURS = "clearwood"
OURS_BINARY = "  nominal=subset"
LEARNERS: dict[str, Callable[[int | None, Data], Learner]] = {
    OURS: ours,
    OURS_BINARY: ours_binary,
    "scikit-learn": scikit_learn,
    "ydf": yggdrasil,
}


def is_installed(name: str) -> bool:
    """Whether a learner can run here; ydf is an extra."""
    return name != "ydf" or find_spec("ydf") is not None


def learners_for(data: Data) -> list[str]:
    """Names of the learners to compare on a table."""
    names = [name for name in LEARNERS if is_installed(name)]
    return names if data.nominal else [name for name in names if name != OURS_BINARY]
