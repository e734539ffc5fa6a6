"""What a tree remembers of the classifier that grew it, in plain words that a file can hold."""

from __future__ import annotations

from math import isfinite
from typing import Any

from clearwood.estimators.training import Training

_NO_MATTER = frozenset({"n_jobs", "random_state"})  # change nothing of the tree


def provenance(estimator: Any, training: Training) -> dict[str, Any]:
    """Name and parameters of a classifier, and the size of what it was trained on."""
    n_rows = len(training.codes)
    weight = float(n_rows if training.weights is None else training.weights.sum())
    return {
        "classifier": type(estimator).__name__,
        "parameters": {
            name: _plain(value)
            for name, value in estimator.get_params(deep=False).items()
            if name not in _NO_MATTER
        },
        "training": {"n_rows": n_rows, "weight": weight},
    }


def _plain(value: Any) -> str | int | float | bool | None:
    """`value` itself where JSON has it, else as Python writes it."""
    if value is None or isinstance(value, str | bool):
        return value
    if type(value) in (int, float) and isfinite(value):
        number: int | float = value
        return number
    return repr(value)
