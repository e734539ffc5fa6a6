"""What a tree remembers of the classifier that grew it, in plain words that a file can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from math import isfinite
from typing import Any

from clearwood.estimators.training import Training
from clearwood.growing import AlphaDivergence
from clearwood.table import Column

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


def _plain(value: Any) -> Any:
    """`value` itself where JSON has it, wishes of columns by name, else as Python writes it."""
    if isinstance(value, Mapping) and all(isinstance(wish, Column) for wish in value.values()):
        wishes = {str(name): _wishes(column) for name, column in value.items()}
        return {name: wished for name, wished in wishes.items() if wished} or None
    if isinstance(value, AlphaDivergence):
        return asdict(value)
    if value is None or isinstance(value, str | bool):
        return value
    if type(value) in (int, float) and isfinite(value):
        number: int | float = value
        return number
    return repr(value)


def _wishes(column: Column) -> dict[str, Any]:
    """What was set of a column, without what was left to the data."""
    wished = {field.name: getattr(column, field.name) for field in fields(Column)
              if getattr(column, field.name) != field.default}  # fmt: skip
    return {
        name: list(value) if isinstance(value, tuple) else _plain(value)
        for name, value in wished.items()
    }
