"""The measures we report of a classifier, on one set of rows and over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.errors import ParameterError
from clearwood.metrics.agreement import accuracy, balanced_accuracy
from clearwood.metrics.brier import brier_score, brier_score_all_classes
from clearwood.metrics.cross_validation import Fold
from clearwood.metrics.estimate import Estimate
from clearwood.metrics.resampling import corrected_resampled_t
from clearwood.metrics.roc import auc, auc_all_classes

MEASURES: Mapping[str, str] = {
    "balanced_accuracy": "balanced accuracy",
    "auc": "AUC",
    "brier_score": "Brier score",
    "accuracy": "accuracy",
}
"""Measures by name, and how each is written."""


@dataclass(frozen=True, slots=True)
class Performance:
    """Measures of a kind of model, estimated by cross-validation.

    Parameters
    ----------
    measures : mapping of str to Estimate
        By the names in `MEASURES`: mean over the folds, corrected resampled t interval.
    event : object or None
        The label that `auc` and `brier_score` are about; None where they are about all classes.
    n_rows : int
        Rows of the table.
    n_folds, n_repeats : int
        Folds in each repeat; repeats.
    confidence : float
        Of the intervals.
    """

    measures: Mapping[str, Estimate]
    event: Any
    n_rows: int
    n_folds: int
    n_repeats: int
    confidence: float = 0.95


def measure(classes: Any, y: Any, probabilities: Any, event: Any = None) -> dict[str, float]:
    """The measures on one set of rows.

    Parameters
    ----------
    classes : array-like of shape (n_classes,)
        Label of each column of `probabilities`.
    y : array-like of shape (n_rows,)
        True labels.
    probabilities : array-like of float, shape (n_rows, n_classes)
    event : object or None, default=None
        The label that AUC and Brier score are about, against all others. None: AUC is the mean
        over the classes of each against the rest, the Brier score is summed over the classes.

    Returns
    -------
    dict of str to float
        By the names in `MEASURES`; NaN where undefined.
    """
    names, labels = np.asarray(classes), np.asarray(y)
    table = np.asarray(probabilities, dtype=np.float64)
    predicted = names[table.argmax(axis=1)]
    if event is None:
        area = auc_all_classes(names, labels, table)
        squares = brier_score_all_classes(names, labels, table)
    else:
        probability = table[:, class_index(names, event)]
        area, squares = auc(labels == event, probability), brier_score(labels == event, probability)
    return {
        "balanced_accuracy": balanced_accuracy(labels, predicted),
        "auc": area,
        "brier_score": squares,
        "accuracy": accuracy(labels, predicted),
    }


def summarize(
    folds: Sequence[Fold],
    classes: Any,
    y: Any,
    *,
    n_repeats: int,
    event: Any = None,
    confidence: float = 0.95,
) -> Performance:
    """Mean and interval of each measure over the folds of repeated cross-validation.

    Parameters
    ----------
    folds : sequence of Fold
        Of all repeats; each repeat holds out every row once.
    classes, y, event
        As in `measure`.
    n_repeats : int
        How often every row was held out.
    confidence : float, default=0.95
        Of the intervals, which are cut at 0 and 1.
    """
    labels = np.asarray(y)
    scores = [measure(classes, labels[fold.rows], fold.probabilities, event) for fold in folds]
    n_rows, n_test = len(labels), float(np.mean([len(fold.rows) for fold in folds]))
    measures = {}
    for name in MEASURES:
        by_fold = [score[name] for score in scores]
        found = corrected_resampled_t(by_fold, n_test, n_rows - n_test, confidence)
        highest = 2.0 if name == "brier_score" and event is None else 1.0
        measures[name] = Estimate(
            found.value, *(float(np.clip(end, 0.0, highest)) for end in (found.lower, found.upper))
        )
    return Performance(measures, event, n_rows, len(folds) // n_repeats, n_repeats, confidence)


def class_index(classes: Any, event: Any) -> int:
    """Position of `event` in `classes`.

    Raises
    ------
    ParameterError
        It is none of them.
    """
    names: list[Any] = np.asarray(classes).tolist()
    if event not in names:
        raise ParameterError(
            f"event must be one of the classes {', '.join(map(repr, names))}, got {event!r}"
        )
    return names.index(event)
